/**
 * The contract of a node: a pure state machine that says what it wants to say and absorbs what it hears, and what such
 * machines are put together from (phases, sequences, collectives).
 */
package dev.starling.node;

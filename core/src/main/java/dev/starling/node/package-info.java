/**
 * The contract of a node, a pure state machine that emits messages and absorbs those it receives, and the parts that
 * such machines are built from: phases, sequences and collectives.
 */
package dev.starling.node;

/**
 * Methods that work on the dual problem: MSDA, ESDACD, CoLA, DADAO, DVR and its acceleration, and Point-SAGA on a
 * single machine.
 */
package dev.starling.lab.baseline.dual;

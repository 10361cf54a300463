/** The problem to be minimised: each node's rows, a loss and a regulariser. */
package dev.starling.problem;

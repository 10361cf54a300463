/** What is minimised: the rows of a node, a loss and a regulariser. */
package dev.starling.problem;

/**
 * The parameters of ADFS, as theory gives them: pure functions of the network, the facts of the nodes and the delay.
 */
package dev.starling.method.adfs.tuning;

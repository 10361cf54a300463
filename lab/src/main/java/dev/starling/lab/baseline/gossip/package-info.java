/**
 * Methods that gossip about iterates and gradients: EXTRA, NIDS and its adaptive form, ProxSkip, OPAPC, MUDAG, OGT,
 * ADOM+ and ADOM+VR, GT-SAGA, Acc-VR-EXTRA and Acc-VR-DIGing.
 */
package dev.starling.lab.baseline.gossip;

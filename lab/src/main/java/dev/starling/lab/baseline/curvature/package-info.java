/** Methods that use second derivatives: FedNL and Network-GIANT. */
package dev.starling.lab.baseline.curvature;

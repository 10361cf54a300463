/** Networks that fail: disturbances of work and messages in idealised time, determined by rules and a seed. */
package dev.starling.lab.failing;

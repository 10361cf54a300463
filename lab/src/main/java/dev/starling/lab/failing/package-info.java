/** Networks that fail: what comes in the way of work and messages in idealised time, by a rule and a seed. */
package dev.starling.lab.failing;

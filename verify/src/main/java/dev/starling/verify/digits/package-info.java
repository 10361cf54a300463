/** Arithmetic with twice the digits of doubles. */
package dev.starling.verify.digits;

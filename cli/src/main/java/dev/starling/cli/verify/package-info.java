/**
 * The command {@code verify}, with the signatures of sites; certificates are checked by {@code dev.starling.verify}.
 */
package dev.starling.cli.verify;

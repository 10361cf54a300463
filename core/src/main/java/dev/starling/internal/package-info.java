/** Helpers that several packages of the library share; not part of the public API. */
package dev.starling.internal;

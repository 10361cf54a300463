/** What several packages of the library need and nobody else should rely on. */
package dev.starling.internal;

/** What a person needs before the first run: a file per site, and a data file split among sites. */
package dev.starling.peer.setup;

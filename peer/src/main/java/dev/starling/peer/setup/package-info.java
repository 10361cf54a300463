/** What an operator needs before the first run: a file for each site, and a data file split among the sites. */
package dev.starling.peer.setup;

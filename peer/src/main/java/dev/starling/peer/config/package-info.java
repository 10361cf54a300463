/** What a site's file says, read strictly: a word that is not known is refused, with the nearest one that is. */
package dev.starling.peer.config;

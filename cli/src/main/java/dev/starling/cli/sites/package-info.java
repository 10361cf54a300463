/** Commands for networks of sites: {@code peer}, {@code keys}, {@code network}, {@code split}. */
package dev.starling.cli.sites;

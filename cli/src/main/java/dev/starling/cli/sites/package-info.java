/**
 * The commands for networks of sites: {@code keys}, {@code network}, {@code peer}, {@code watch}, {@code ledger},
 * {@code replay} and {@code split}.
 */
package dev.starling.cli.sites;

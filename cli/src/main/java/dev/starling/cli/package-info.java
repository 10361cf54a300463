/** The {@code starling} command: its commands by what they do, in packages of their own. */
package dev.starling.cli;

/** Commands about one model: {@code train}, {@code predict}. */
package dev.starling.cli.train;

/** Methods side by side: {@code compare}, {@code plan}, {@code reproduce}, and their reports. */
package dev.starling.cli.compare;

/** What a table holds: {@code describe}. */
package dev.starling.cli.table;

/** The commands about tables: {@code describe} and {@code study}. */
package dev.starling.cli.table;

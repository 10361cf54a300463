/** Tables that are read from a database through JDBC. */
package dev.starling.table.database;

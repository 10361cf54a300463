/** Tables that come from a database by JDBC. */
package dev.starling.cli.database;

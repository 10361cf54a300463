/** Everything that a result depends on besides rows and graph: the table of settings, and the values they take. */
package dev.starling.settings;

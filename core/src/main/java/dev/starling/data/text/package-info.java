/**
 * Text as files hold it, before it means anything: lines, cells, numbers, compression; and files that are whole or not
 * there.
 */
package dev.starling.data.text;

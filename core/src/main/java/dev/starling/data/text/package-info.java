/** Text as files hold it, before it means anything: lines, cells, numbers, compression. */
package dev.starling.data.text;

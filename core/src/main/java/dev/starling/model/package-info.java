/** Linear models: predictions, hashes, files. */
package dev.starling.model;

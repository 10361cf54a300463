/** What formulas make of the numbers in a column: several features (polynomials, splines), or levels (intervals). */
package dev.starling.recipe.basis;

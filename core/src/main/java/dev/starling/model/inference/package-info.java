/** What standard errors, tests and intervals of a fit follow from, as model files hold it. */
package dev.starling.model.inference;

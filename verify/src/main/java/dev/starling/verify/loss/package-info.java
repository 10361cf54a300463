/** What each loss is, with twice the digits, defined again here: values, slopes, conjugates and likelihoods. */
package dev.starling.verify.loss;

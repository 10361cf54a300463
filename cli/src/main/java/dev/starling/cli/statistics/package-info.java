/** The commands of statisticians: {@code glm}, {@code anova}. */
package dev.starling.cli.statistics;

/**
 * Studies: what several owners of tables agree on before they learn from them together, and how each can check whether
 * a table fits.
 *
 * <pre>{@code
 * Study study = Study.of(new HashMap<String, Object>());              // the members of a file
 * List<String> unfit = StudyCheck.of(study, table, 10).differences(); // one line each
 * Recipe recipe = study.learnt(Survey.of(table));
 * }</pre>
 */
package dev.starling.study;

/**
 * Version of the text analysis: words, stems and prefixes (words.ts, languages/), and the identity of questions
 * (question-identity.ts). Read models that store any of it include this number in their own version, so that they are
 * rebuilt when it is raised. Raise it whenever the analysis of any text changes; test/text/analysis-version.test.ts
 * fails until it is.
 */
export const analysisVersion = 4;

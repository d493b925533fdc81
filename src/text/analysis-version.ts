/**
 * Version of the text analysis: words, stems and prefixes (words.ts, languages/), and the identity of questions
 * (question-identity.ts). Read models that store any of these include the number in their own version, so raising it
 * rebuilds them. Raise it whenever the analysis of any text changes; until then, test/text/analysis-version.test.ts
 * fails.
 */
export const analysisVersion = 4;

/**
 * The version of the text analysis: words, stems and prefixes (words.ts, language/) and the identity of questions
 * (question-identity.ts). Read models that store any of these include this number in their own version, so increasing
 * it rebuilds them. Increase it whenever the analysis changes; until then, test/text/analysis-version.test.ts fails.
 */
export const analysisVersion = 4;

/**
 * How something changed is told by dated documents of every language: what those say that the asker's own words do not
 * find, beside what they find.
 */
import {
  type AcrossLanguages,
  answers,
  bestOf,
  type Covered,
  meaningsOf,
  reachOf,
  readMax,
  twinsIn,
} from './across-languages.ts';
import type { Found, RetrievalRequest } from './passages.ts';
import type { RetrievalResult } from './pipeline.ts';
import type { ScoredSentence } from './sentence-model.ts';

/** What is found, with the dated passages of other languages that speak of it. */
export async function withOtherLanguages(
  request: RetrievalRequest,
  found: RetrievalResult,
  { search, terms, lexicon, twins }: AcrossLanguages,
): Promise<RetrievalResult> {
  const from = request.lang!;
  const known = new Set(found.hits.map(({ id }) => id));
  const heard: { hit: Found; sentences: Covered[] }[] = [];
  for (const to of terms.languages) {
    if (to === from) continue;
    const meanings = meaningsOf(found.question, { from, to, corpusId: request.corpus_id }, lexicon, terms);
    if (reachOf(meanings) < answers.reachAlone) continue;
    const wanted = meanings.map(({ forms }) => forms);
    const hits = await terms.ranked(wanted, to, readMax, found.only);
    const { sentences } = bestOf(meanings, hits, terms);
    const least = Math.min(answers.met, meanings.length);
    for (const passage of await twinsIn(from, request, { hits, sentences }, { search, twins })) {
      const speaking = passage.sentences.filter(({ share, met }) => share >= answers.share && met >= least);
      if (passage.hit.facts.event_date === null || known.has(passage.hit.id) || speaking.length === 0)
        continue;
      known.add(passage.hit.id);
      heard.push({ hit: passage.hit, sentences: speaking });
    }
  }
  if (heard.length === 0) return found;
  const [best] = found.answerable ? found.sentences : [];
  const first = found.hits.length;
  // What holds all that is asked stands beside the best that the asker's words found.
  const sentences = heard.flatMap(({ sentences: all }, n) =>
    all.map(
      ({ start, end, share, own }): ScoredSentence => ({
        ...{ passage: first + n, start, end, share, own, named: true },
        score: (best?.score ?? 1) + share - 1,
      }),
    ),
  );
  return {
    ...found,
    hits: [...found.hits, ...heard.map(({ hit }) => hit)],
    sentences: [...(found.answerable ? found.sentences : []), ...sentences].sort((a, b) => b.score - a.score),
    answerable: true,
  };
}

/**
 * What a question finds in other languages than its own. Where its words are not found in its language, or little of
 * them, each is taken for what the lexicon says it may mean, for the same name in the other script, and for itself; the
 * passages of the other languages are ranked by these. A translation counts less than the word itself, the less the
 * less sure it is, so that what is said in the asker's language wins where it says as much.
 *
 * A passage with a twin in the asker's language is told by its twin.
 */
import type { Language } from '../domain/events.ts';
import type { ChunkSearch, Passage } from '../ports/chunk-search.ts';
import type { TwinsRecord } from '../ports/lexicon.ts';
import { packs, scriptOf } from '../text/languages/index.ts';
import { splitSentences } from '../text/sentences.ts';
import { hasSecondStems, isStopWord, stem, stemIn, words } from '../text/words.ts';
import { holdsCount, holdsFigure } from './answer-kinds.ts';
import type { Lexicon } from './lexicon/lexicon.ts';
import { covers } from './matching.ts';
import { bodyStart, type Found, type RetrievalRequest, titleOf } from './passages.ts';
import type { RetrievalResult } from './pipeline.ts';
import { analyseQuestion, withoutReportingVerbs } from './question.ts';
import type { ScopeTerms } from './retrieve.ts';
import type { ScoredSentence } from './sentence-model.ts';

/** A word of the question with what may stand for it in a passage. */
export interface Meaning {
  word: string;
  weight: number;
  /** Stems with how much of the word each stands for, from 0 to 1. */
  forms: ReadonlyMap<string, number>;
  /** How much of it a passage of the language can hold at most. */
  reach: number;
}

/**
 * How much of a word its translation stands for at most; the same name in the other script; a loan word like it.
 */
const shares = { translation: 0.85, sound: 0.9, cognate: 0.6 };
/** What is expected of a word that nothing is known to stand for: it may be there in words that were not learned. */
const unknownReach = 0.25;
/** Words of a question that are translated. */
const wordsMax = 24;

/** The content words of a question in one language, each once, with what stands for them in another, or in the same. */
export function meaningsOf(
  question: string,
  { from, to, corpusId }: { from: Language; to: Language; corpusId: string },
  lexicon: Pick<Lexicon, 'translations'>,
  terms: Pick<ScopeTerms, 'frequency' | 'cognates' | 'chunks'>,
): Meaning[] {
  const content = [...new Set(words(withoutReportingVerbs(question)).filter((word) => !isStopWord(word)))];
  const { script } = packs[to];
  const meanings = content.slice(0, wordsMax).map((word): Meaning => {
    const own = stem(word);
    const inOwn = stemIn(word, from);
    const forms = new Map<string, number>();
    const add = (form: string, share: number) => {
      if (terms.frequency(form, to) > 0) forms.set(form, Math.max(share, forms.get(form) ?? 0));
    };
    add(own, 1);
    add(inOwn, 1);
    if (from !== to) {
      for (const { stem: form, probability } of lexicon.translations(corpusId, inOwn, from, to))
        add(form, shares.translation * Math.sqrt(probability));
      for (const { stem: form, isSame } of terms.cognates(own))
        add(form, isSame ? shares.sound : shares.cognate);
    }
    const chunks = terms.chunks(to);
    const frequency = Math.max(0, ...[...forms.keys()].map((form) => terms.frequency(form, to)));
    const weight = Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
    // In a text of another script the word itself is a name or code: what translates it is what can be expected.
    const native = [...forms].filter(([form]) => (scriptOf(form) ?? script) === script);
    const expected = native.length > 0 ? native.map(([, share]) => share) : forms.values();
    return { word, weight, forms, reach: Math.max(0, ...expected) };
  });
  // A word nobody knows would weigh most of all.
  const known = meanings.filter(({ reach }) => reach > 0);
  const mean = Math.max(1, known.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, known.length));
  return meanings.map((one) =>
    one.reach > 0
      ? one
      : { ...one, weight: Math.min(one.weight, mean), reach: from === to ? 1 : unknownReach },
  );
}

/** A sentence of a passage with how much of the question it holds. */
export interface Covered {
  start: number;
  end: number;
  /** Of what can be held of the question, the weighted share in the sentence with its title, and in its own words. */
  share: number;
  own: number;
  /** Words of the question that stand in it or above it. */
  met: number;
}

/** What a word counts that stands elsewhere in the passage. */
const aroundShare = 0.4;

/** How much of each word of a question a stem of a text stands for; null for nothing. Found once for each stem. */
function standing(meanings: readonly Meaning[]): (stem: string) => readonly number[] | null {
  const known = new Map<string, readonly number[] | null>();
  return (one) => {
    let shares = known.get(one);
    if (shares === undefined) {
      const found = meanings.map(({ forms }) => {
        let best = 0;
        for (const [form, share] of forms) if (share > best && covers(form, one)) best = share;
        return best;
      });
      shares = found.some((share) => share > 0) ? found : null;
      known.set(one, shares);
    }
    return shares;
  };
}

/** Holds the sentences of a passage against a question. `sharesOf`: as `standing` has them. */
function coverage(
  meanings: readonly Meaning[],
  sharesOf: ReturnType<typeof standing>,
  passage: Passage,
  stemmer: ScopeTerms['stemmer'],
): Covered[] {
  const total = meanings.reduce((sum, { weight, reach }) => sum + weight * reach, 0) || 1;
  const lang = passage.chunk.lang;
  const stemOf = stemmer(passage.id, lang);
  const seconds = hasSecondStems(lang);
  const inText = (text: string) => {
    const best = meanings.map(() => 0);
    const add = (shares: readonly number[] | null) => {
      for (let n = 0; shares !== null && n < best.length; n++)
        if (shares[n]! > best[n]!) best[n] = shares[n]!;
    };
    for (const word of words(text)) {
      add(sharesOf(stemOf(word)));
      if (seconds) add(sharesOf(stem(word)));
    }
    return best;
  };
  const above = inText(titleOf(passage));
  const from = bodyStart(passage);
  const around = inText(passage.text.slice(from));
  return splitSentences(passage.text.slice(from)).map((span) => {
    const [start, end] = [span.start + from, span.end + from];
    const own = inText(passage.text.slice(start, end));
    const both = own.map((share, n) => Math.max(share, above[n]!, aroundShare * around[n]!));
    const weightedShare = (all: readonly number[]) =>
      Math.min(1, all.reduce((sum, share, n) => sum + share * meanings[n]!.weight, 0) / total);
    return {
      start,
      end,
      share: weightedShare(both),
      own: weightedShare(own),
      met: own.filter((share, n) => Math.max(share, above[n]!) > 0).length,
    };
  });
}

/** Whether a passage holds each word of a question, asked in its language, that is known there at all. */
function holdsKnown(meanings: readonly Meaning[], passage: Passage): boolean {
  const { lang } = passage.chunk;
  const text = `${titleOf(passage)} ${passage.text.slice(bodyStart(passage))}`;
  const there = new Set(words(text).flatMap((word) => [stem(word), stemIn(word, lang)]));
  return meanings.every(
    ({ forms }) =>
      forms.size === 0 ||
      [...forms.keys()].some((form) => there.has(form) || [...there].some((one) => covers(form, one))),
  );
}

/** How much of a question can be told in a language. */
export const reachOf = (meanings: readonly Meaning[]): number => {
  const total = meanings.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : meanings.reduce((sum, { weight, reach }) => sum + weight * reach, 0) / total;
};

/** The best sentence of passages, best first; each rank costs a little. */
export function bestOf(
  meanings: readonly Meaning[],
  hits: readonly Passage[],
  { stemmer }: Pick<ScopeTerms, 'stemmer'>,
) {
  let best: { share: number; met: number } = { share: 0, met: 0 };
  const sharesOf = standing(meanings);
  const sentences = hits.map((hit, rank) => {
    const all = coverage(meanings, sharesOf, hit, stemmer);
    for (const { share, met } of all)
      if (share - rankCost * rank > best.share) best = { share: share - rankCost * rank, met };
    return all;
  });
  return { best, sentences };
}

const rankCost = 0.02;
/** Passages of another language whose sentences are looked at. */
export const readMax = 8;
/**
 * When another language answers: so much of the question can be told in it (less where nothing is said in the asker's
 * own), one sentence holds so much of that and so much more than any of the asker's own language, in so many of its
 * words; and so much of it where the asker's language has the same passage and found nothing in it. Set on questions
 * over samples with and without parallel texts; none of those that nothing answers was answered with it.
 */
export const answers = { reach: 0.55, reachAlone: 0.4, share: 0.6, more: 0.05, met: 2, twin: 0.8 };
/** When it is at least what is nearest: the asker's own language has no such passage, and of the question no more than `own`. */
const nearest = { reach: 0.25, share: 0.4, own: 0.2 };
/** For a sentence that says how many where that is asked. */
const countBonus = 0.3;

/** The best that another language says. */
interface Heard {
  hits: Found[];
  /** Of each passage. */
  sentences: Covered[][];
  /** What the best sentence holds of what can be told of the question, and how much that is. */
  share: number;
  reach: number;
  /** That sentence has enough of its words. */
  whole: boolean;
}

/** What is needed beside the request. */
export interface AcrossLanguages {
  search: Pick<ChunkSearch, 'list'>;
  terms: ScopeTerms;
  lexicon: Pick<Lexicon, 'translations'>;
  twins(docIds: readonly number[]): Promise<Map<number, TwinsRecord>>;
}

/** From here on it speaks of what is asked, whether that was an answer or not. */
const enough = { answered: 0.7, refused: 0.65 };

/** What other languages say to a question that its own hardly answers; null where they say no more. */
export async function findAcross(
  request: RetrievalRequest,
  found: RetrievalResult,
  { search, terms, lexicon, twins }: AcrossLanguages,
): Promise<RetrievalResult | null> {
  const from = request.lang!;
  const { question } = found;
  const at = { from, corpusId: request.corpus_id };
  const ownHits = found.hits.filter(({ chunk }) => chunk.lang === from).slice(0, readMax);
  const ownMeanings = meaningsOf(question, { ...at, to: from }, lexicon, terms);
  const own = bestOf(ownMeanings, ownHits, terms).best;
  if (own.share >= (found.answerable ? enough.answered : enough.refused)) return null;
  let best: Heard | null = null;
  for (const to of terms.languages) {
    if (to === from) continue;
    const meanings = meaningsOf(question, { ...at, to }, lexicon, terms);
    const reach = reachOf(meanings);
    if (reach < nearest.reach) continue;
    const hits = await terms.ranked(
      meanings.map(({ forms }) => forms),
      to,
      readMax,
      found.only,
    );
    const { best: said, sentences } = bestOf(meanings, hits, terms);
    const whole = said.met >= Math.min(answers.met, meanings.length);
    if (best === null || said.share > best.share) best = { hits, sentences, share: said.share, reach, whole };
  }
  if (best === null || best.share < nearest.share || best.share < own.share + answers.more) return null;
  const passages = await twinsIn(from, request, best, { search, twins });
  const { kinds } = analyseQuestion(question, { documents: 0, df: new Map() });
  const [first] = passages as [(typeof passages)[0], ...typeof passages];
  const holdsKind = first.sentences.some(
    ({ start, end, share }) => share >= nearest.share && holdsFigure(kinds, first.hit.text.slice(start, end)),
  );
  // What the asker's own language has and did not find there is hardly what is asked for.
  const isTwin = first.hit.id !== best.hits[0]!.id;
  // A word that the asker's language has elsewhere and not there was taken in another sense: years for ages.
  const inSense = !isTwin || holdsKnown(ownMeanings, first.hit);
  const answerable =
    best.whole &&
    holdsKind &&
    inSense &&
    best.reach >= (terms.chunks(from) === 0 ? answers.reachAlone : answers.reach) &&
    best.share >= (isTwin ? answers.twin : answers.share) &&
    !(isTwin && found.answerable);
  if (!answerable && (found.answerable || isTwin || own.share > nearest.own)) return null;
  const asksCount = kinds.includes('number');
  const score = (hit: Found, { start, end, share, own: inWords }: Covered, rank: number) =>
    share +
    0.1 * inWords -
    rankCost * rank +
    (asksCount && holdsCount(hit.text.slice(start, end)) ? countBonus : 0);
  const hits = [
    ...new Map([...passages.map(({ hit }) => hit), ...found.hits].map((hit) => [hit.id, hit])).values(),
  ];
  const sentences = passages
    .flatMap(({ hit, sentences: all }, rank) =>
      all.map(
        (one): ScoredSentence => ({
          passage: hits.findIndex(({ id }) => id === hit.id),
          start: one.start,
          end: one.end,
          score: score(hit, one, rank),
          share: one.share,
          own: one.own,
          named: true,
        }),
      ),
    )
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.start - b.start);
  const lang = hits[sentences[0]?.passage ?? 0]!.chunk.lang;
  const shown = hits.slice(0, request.limit);
  return {
    ...found,
    hits: shown,
    sentences: sentences.filter(({ passage }) => shown[passage]?.chunk.lang === lang),
    evidence: {
      ...found.evidence,
      features: { ...found.evidence.features, sentence: best.share },
      score: answerable ? Math.max(found.evidence.score, found.threshold) : found.evidence.score,
    },
    answerable,
    linked: { sameQuestion: false, provisions: [] },
  };
}

/** Each passage replaced by its twin in a language where it has a visible one; unchanged otherwise. */
export async function twinsIn(
  lang: Language,
  { layers }: RetrievalRequest,
  { hits, sentences }: Pick<Heard, 'hits' | 'sentences'>,
  { search, twins }: Pick<AcrossLanguages, 'search' | 'twins'>,
): Promise<{ hit: Found; sentences: Covered[] }[]> {
  const records = await twins([...new Set(hits.map(({ facts }) => facts.doc_id))]);
  return Promise.all(
    hits.map(async (hit, n) => {
      const asItStands = { hit, sentences: sentences[n]! };
      const record = records.get(hit.facts.doc_id);
      const twin = record?.twins.find((one) => one.lang === lang);
      const place = twin?.at[hit.ordinal] ?? -1;
      if (!record || !twin || place < 0 || record.revision !== hit.facts.revision) return asItStands;
      const [passage] = (await search.list(twin.doc_id, 1, place)).items;
      const isShown = passage && layers.includes(passage.facts.layer.name);
      if (!isShown || passage.facts.revision !== twin.revision) return asItStands;
      return { hit: { ...passage, score: hit.score }, sentences: inPlaceOf(sentences[n]!, passage) };
    }),
  );
}

/** The sentences of a twin, each with what the one at its place holds. */
function inPlaceOf(sentences: readonly Covered[], twin: Passage): Covered[] {
  const from = bodyStart(twin);
  const spans = splitSentences(twin.text.slice(from));
  return spans.map(({ start, end }, n) => {
    const place = Math.round((n * (sentences.length - 1)) / Math.max(1, spans.length - 1));
    const { share = 0, own = 0, met = 0 } = sentences[place] ?? {};
    return { start: start + from, end: end + from, share, own, met };
  });
}

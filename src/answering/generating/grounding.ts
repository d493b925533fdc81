/**
 * Holds what a model has written against the passages it cites, sentence by sentence. A sentence stays when a passage it
 * cites has a stretch that says so: its words stand there, its numbers and names too, and neither of the two denies what
 * the other states. That stretch is what the answer quotes: it stands word for word in the revision.
 *
 * It is a check of words, which knows no meaning: it errs by taking out what was rightly put in other words. A passage
 * in another language shares no words with the sentence; there a reranker decides, and without one nothing stays.
 */
import { loopBudget } from '../../async/loop-budget.ts';
import type { Language } from '../../domain/events.ts';
import type { ModelUsage } from '../../ports/models.ts';
import { covers } from '../../retrieval/matching.ts';
import { titleOf } from '../../retrieval/passages.ts';
import type { Found } from '../../retrieval/pipeline.ts';
import { contradicts } from '../../retrieval/polarity.ts';
import { isNegated } from '../../retrieval/question.ts';
import { relatedStems } from '../../retrieval/related.ts';
import { detectLanguage } from '../../text/language.ts';
import { all, endingIn, type LanguagePack, packs, setOf } from '../../text/languages/index.ts';
import { speltNumbers } from '../../text/number-words.ts';
import { parseReferences } from '../../text/references/parse.ts';
import { type Span, splitSentences, withoutPointNumber } from '../../text/sentences.ts';
import { isStopWord, stem, words } from '../../text/words.ts';
import { isOrder } from '../orders.ts';

/** A stretch of the text that is said to rest on documents, by their ids. */
export interface Cited extends Span {
  documents: readonly string[];
}

/** A stretch of a passage. */
export interface Support extends Span {
  passage: Found;
}

/** A sentence of the text that stays, and what it rests on. */
export interface Claim extends Span {
  support: Support[];
}

/** How well each text says what a sentence says, 0 to 1. */
export type Relevance = (
  sentence: string,
  texts: readonly string[],
  signal: AbortSignal,
  onUsage: (usage: ModelUsage) => void,
) => Promise<number[]>;

/** Of a sentence's words so many stand in the one that says so with its title, and so many in it alone. */
const share = { withTitle: 0.7, alone: 0.35 };
/** Sentences of a passage that the clauses of one sentence may rest on together. */
const stretchMax = 3;
/** Content words of a clause that rests on a sentence of its own. */
const clauseWords = 2;
/** From here on a reranker takes a stretch of another language for what the sentence says. */
const relevant = 0.5;
const supportsMax = 2;
/** Maximum number of sentences in one answer that are checked against passages of another language. */
const foreignMax = 6;

/** The sentences of a text that stay. `isWhole` false: it broke off, and its last sentence may be half of one. */
export async function ground(
  text: string,
  cited: readonly Cited[],
  {
    passages,
    lang,
    isWhole,
    isOpinion = false,
    relevance,
  }: {
    /** By the ids that citations name. */
    passages: ReadonlyMap<string, Found>;
    lang: Language;
    isWhole: boolean;
    /** An opinion was asked for, and any word of its own may be one: all must stand in the passage. */
    isOpinion?: boolean;
    relevance: ((sentence: string, texts: readonly string[]) => Promise<number[]>) | null;
  },
): Promise<Claim[]> {
  let foreign = 0;
  const reads = new Map<Found, ReadPassage>();
  const readOnce = (passage: Found): ReadPassage => {
    const known = reads.get(passage) ?? readPassage(passage);
    reads.set(passage, known);
    return known;
  };
  const judged = sentencesOf(text, isWhole).map(async (span): Promise<Claim[]> => {
    // Answers that end together are not checked in one turn of the event loop, nor is a long one.
    await loopBudget(null);
    const sentence = text.slice(span.start, span.end);
    const ids = cited
      .filter(({ start, end }) => start < span.end && end > span.start)
      .flatMap(({ documents }) => documents);
    const spoken = detectLanguage(sentence, undefined, lang);
    const support: Support[] = [];
    let said = 0;
    for (const passage of new Set(ids.flatMap((id) => passages.get(id) ?? []))) {
      if (support.length >= supportsMax) break;
      const found =
        spoken === passage.chunk.lang
          ? supportIn(sentence, readOnce(passage), isOpinion ? 1 : share.withTitle)
          : relevance !== null && foreign++ < foreignMax
            ? await supportAcross(sentence, spoken, passage, relevance)
            : null;
      if (!found) continue;
      support.push({ start: found.start, end: found.end, passage });
      said = Math.max(said, 'share' in found ? Number(found.share) : 1);
    }
    if (support.length === 0) return [];
    // Some passage that was given says the opposite, in as many of its words.
    const sameLanguage = [...passages.values()].filter(({ chunk }) => chunk.lang === spoken);
    const denial = Math.max(0, ...sameLanguage.map((passage) => opposition(sentence, readOnce(passage))));
    return denial >= said ? [] : [{ ...span, support }];
  });
  return (await Promise.all(judged)).flat();
}

/** What ends a sentence. */
const ending = /[.!?…;][»”"')\]]*$/u;
const damaged = /\ufffd/;
const address = /\bhttps?:|\bwww\.|\S@[^\s@]{1,253}\.\S/i;

/** The sentences, a line that introduces others together with the first of them. */
function sentencesOf(text: string, isWhole: boolean): Span[] {
  const spans: Span[] = [];
  let from: number | null = null;
  for (const { start, end } of splitSentences(text)) {
    from ??= start;
    const sentence = text.slice(from, end);
    if (/:$/.test(sentence) || !/\p{L}{2}/u.test(sentence)) continue;
    spans.push({ start: from, end });
    from = null;
  }
  const last = spans.at(-1);
  if (!isWhole && last && !ending.test(text.slice(last.start, last.end))) spans.pop();
  return spans;
}

/** A passage, prepared for checking sentences against it. */
export interface ReadPassage {
  passage: Found;
  spans: Span[];
  sentences: Said[];
  title: Said;
}

export function readPassage(passage: Found): ReadPassage {
  const spans = splitSentences(passage.text);
  return {
    passage,
    spans,
    sentences: spans.map(({ start, end }) => {
      const sentence = passage.text.slice(start, end);
      // A sentence that gives orders says nothing.
      return wordsOf(isOrder(sentence) ? '' : sentence);
    }),
    title: wordsOf(titleOf(passage)),
  };
}

/**
 * The stretch of a passage in the sentence's language that says what it says: one sentence, else one for each of its
 * clauses, near each other. `share`: how much of its words; null where there is none.
 */
export function supportIn(
  sentence: string,
  read: ReadPassage,
  least: number = share.withTitle,
): (Span & { share: number }) | null {
  const { passage, spans, sentences, title } = read;
  if (damaged.test(sentence) || isOrder(sentence)) return null;
  if (!namesStand(sentence, wordsOf(sentence), [...sentences, title])) return null;
  if (address.test(sentence) && !passage.text.includes(address.exec(sentence)![0])) return null;
  const one = bestSupport(sentence, read, least);
  const clauses = one ? [] : clausesOf(sentence);
  const supports = one ? [one] : clauses.map((clause) => bestSupport(clause, read, least));
  if (supports.length === 0 || supports.some((support) => support === null)) return null;
  const at = supports.map((support) => support!.at);
  const [first, last] = [Math.min(...at), Math.max(...at)];
  if (last - first >= stretchMax) return null;
  const end = spans[last]!.end;
  // The number of a point is no part of what it says.
  const stretch = withoutPointNumber(passage.text.slice(spans[first]!.start, end));
  if (isOrder(stretch)) return null;
  return { start: end - stretch.length, end, share: Math.min(...supports.map((support) => support!.share)) };
}

/** The sentence of a passage that covers most of another one, with all its numbers and without contradicting it. */
function bestSupport(said: string, { passage, spans, sentences, title }: ReadPassage, least: number) {
  const { lang } = passage.chunk;
  const claimed = wordsOf(said);
  if (claimed.content.length === 0) return null;
  const inTitle = meets(claimed.content, title);
  const { referred, counted } = numbersSaid(said, lang);
  const known = numbersOf(titleOf(passage), lang);
  let best: { at: number; share: number } | null = null;
  for (const [at, there] of sentences.entries()) {
    const alone = meets(claimed.content, there);
    const part = partOf(alone.map((met, k) => met || inTitle[k]!));
    if (partOf(alone) < share.alone || part < least || (best && part <= best.share)) continue;
    if (packs[lang].grammar.verbLast && !alone.at(-1)) continue;
    const text = passage.text.slice(spans[at]!.start, spans[at]!.end);
    const numbers = numbersOf(text, lang);
    if (!counted.every((one) => numbers.includes(one))) continue;
    if (!referred.every((one) => numbers.includes(one) || known.includes(one))) continue;
    const isVerbatim = withoutPointNumber(text) === said.trim();
    if (!isVerbatim && (contradictsSentence(claimed, there.words, lang) || widens(claimed, text, lang)))
      continue;
    best = { at, share: part };
  }
  return best;
}

/** How much of a sentence's words stand in one of a passage that says the opposite. */
function opposition(sentence: string, { passage, spans, sentences }: ReadPassage): number {
  const claimed = wordsOf(sentence);
  const said = sentence.trim();
  const verbatim = spans.some(
    ({ start, end }) => withoutPointNumber(passage.text.slice(start, end)) === said,
  );
  if (verbatim || claimed.content.length === 0) return 0;
  return Math.max(
    0,
    ...sentences.map((there, at) => {
      const part = partOf(meets(claimed.content, there));
      if (part < share.withTitle) return 0;
      const { lang } = passage.chunk;
      const text = passage.text.slice(spans[at]!.start, spans[at]!.end);
      return contradictsSentence(claimed, there.words, lang) || widens(claimed, text, lang) ? part : 0;
    }),
  );
}

/** The clauses of a sentence that say something of their own; none where it is but one. */
function clausesOf(sentence: string): string[] {
  const clauses = sentence.split(/[,;:—–]\s/u);
  const isWhole = clauses.length > 1 && clauses.every((one) => wordsOf(one).content.length >= clauseWords);
  return isWhole ? clauses : [];
}

/** The numbers a sentence counts with, and those of the provisions it refers to. */
function numbersSaid(sentence: string, lang: Language): { counted: string[]; referred: string[] } {
  let rest = sentence;
  const referred: string[] = [];
  for (const { start, end } of parseReferences(sentence).toReversed()) {
    referred.push(...numbersOf(sentence.slice(start, end), lang));
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return { counted: numbersOf(rest, lang), referred };
}

/** The same for a passage in another language: a reranker finds the sentence. */
async function supportAcross(
  sentence: string,
  spoken: Language,
  passage: Found,
  relevance: (sentence: string, texts: readonly string[]) => Promise<number[]>,
): Promise<Span | null> {
  if (damaged.test(sentence) || address.test(sentence) || isOrder(sentence)) return null;
  const spans = splitSentences(passage.text)
    .filter(({ start, end }) => !isOrder(passage.text.slice(start, end)))
    .slice(0, 40);
  const texts = spans.map(({ start, end }) => passage.text.slice(start, end));
  const scores = await relevance(sentence, texts).catch((): number[] => []);
  const best = scores.indexOf(Math.max(...scores, relevant));
  if (best < 0) return null;
  const there = numbersOf(`${titleOf(passage)}. ${texts[best]}`, passage.chunk.lang);
  if (numbersOf(sentence, spoken).some((one) => !there.includes(one))) return null;
  const denies = (text: string, lang: Language) => denied(words(text), lang).length > 0;
  if (denies(sentence, spoken) !== denies(texts[best]!, passage.chunk.lang)) return null;
  return spans[best]!;
}

interface Said {
  words: string[];
  /** Stems of its words, and of those that say something. */
  stems: string[];
  content: string[];
}

function wordsOf(text: string): Said {
  const list = words(text);
  const content = list.filter((word) => !isStopWord(word) && !/^\d+$/.test(word));
  return { words: list, stems: list.map(stem), content: [...new Set(content.map(stem))] };
}

/** Which of the words that say something stand in a text. */
const meets = (content: readonly string[], { stems }: Said): boolean[] =>
  content.map((one) => {
    const related = relatedStems(one);
    return stems.some((other) => alike(one, other) || related.includes(other));
  });

const partOf = (met: readonly boolean[]): number => met.filter(Boolean).length / met.length;

const alike = (one: string, other: string) => covers(one, other) || covers(other, one);

/** Names, of which a sentence begins with none for sure, stand in what it rests on. */
function namesStand(sentence: string, { words: list }: Said, there: readonly Said[]): boolean {
  const named = [...sentence.matchAll(/(?<=[\p{L}\p{N},;:»”)]\s+["«“(]?)\p{Lu}(?:\p{L}|\u0301|-)+/gu)];
  return named
    .flatMap(([name]) => words(name))
    .filter((name) => list.includes(name) && !isStopWord(name))
    .every((name) => there.some(({ stems }) => stems.some((one) => alike(stem(name), one))));
}

/** One of the two denies or reverses what the other states. */
function contradictsSentence(said: Said, there: readonly string[], lang: Language): boolean {
  const own = denied(said.words, lang);
  const theirs = denied(there, lang);
  if (own.length > 0) return !own.some((one) => theirs.some((other) => alike(one, other)));
  const states = (one: string) => {
    const related = relatedStems(one);
    return said.stems.some((other) => alike(one, other) || related.includes(other));
  };
  return theirs.some(states) || contradicts(said.words, there, false);
}

const restricting = perLanguage(({ grammar: { restricting: words } }) => ({
  next: setOf(words.next),
  last: setOf(words.last),
}));
const conjunctions = perLanguage(({ grammar }) => setOf(grammar.conjunctions));
/** So much of what stands beside a restriction is said again where a sentence speaks of the same. */
const sameShare = 0.5;

/** It says of something what a text restricts to a case that it leaves out: "can be elected", for "only once". */
function widens(said: Said, text: string, lang: Language): boolean {
  const only = restricting[lang];
  return text
    .split(/[,;:—–]\s/u)
    .flatMap((clause) => apart(words(clause), conjunctions[lang]))
    .some((list) =>
      list.some((word, n) => {
        const focus = only.next.has(word) ? list[n + 1] : only.last.has(word) ? list[n - 1] : undefined;
        if (focus === undefined || said.stems.some((one) => alike(stem(focus), one))) return false;
        const beside = list.filter((one) => one !== word && one !== focus && !isStopWord(one)).map(stem);
        return beside.length > 0 && partOf(meets(beside, said)) >= sameShare;
      }),
    );
}

/** The words between others. */
function apart(list: readonly string[], by: ReadonlySet<string>): string[][] {
  const parts: string[][] = [[]];
  for (const word of list)
    if (by.has(word)) parts.push([]);
    else parts.at(-1)!.push(word);
  return parts;
}

/** How far behind a negation what it denies may stand, in words; a word in between may say something itself. */
const deniedWithin = 4;

/** Endings by which a word denies what it says itself, or what the word before it says. */
const denyingEndings = perLanguage(({ grammar }) =>
  grammar.negatedEndings === '' ? null : endingIn(grammar.negatedEndings),
);

function perLanguage<Fact>(make: (pack: LanguagePack) => Fact): Readonly<Record<Language, Fact>> {
  return Object.fromEntries(all.map(({ language, pack }) => [language, make(pack)])) as Record<
    Language,
    Fact
  >;
}

/** Stems of what a text denies: what says something behind a negation, else before it ("құқығы жоқ"). */
function denied(list: readonly string[], lang: Language): string[] {
  const isContentWord = (word: string | undefined): word is string => word !== undefined && !isStopWord(word);
  return list
    .flatMap((word, n) => {
      const [before, next] = [list[n - 1], list.slice(n + 1, n + 1 + deniedWithin).find(isContentWord)];
      if (denyingEndings[lang]?.test(word)) return [word, before];
      const isDenial = isNegated(list.slice(Math.max(0, n - 1), n + 1), lang);
      if (!isDenial || isNegated(list.slice(Math.max(0, n - 1), n), lang)) return [];
      return [next ?? before];
    })
    .filter(isContentWord)
    .map(stem);
}

/** The numbers of a text, in figures and words, without those that may be an article ("one"). */
function numbersOf(text: string, lang: Language): string[] {
  const list = words(text.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/gu, ''));
  const figures = list.filter((word) => /^\d+$/.test(word)).map((word) => word.replace(/^0+(?=\d)/, ''));
  const spelt = speltNumbers(list, lang).map(({ value }) => value.replace('.', ''));
  return [...figures, ...spelt.filter((value) => Number(value) > 1)];
}

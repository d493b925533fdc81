/**
 * Holds what a model has written against the passages it cites, sentence by sentence. A sentence stays when a passage it
 * cites has a stretch that says so: its words stand there, its numbers and names too, and neither of the two denies what
 * the other states. That stretch is what the answer quotes: it stands word for word in the revision.
 *
 * It is a check of words, which knows no meaning: it errs by taking out what was rightly put in other words. A passage
 * in another language shares no words with the sentence; there a reranker decides, and without one nothing stays.
 */
import type { Language } from '../../domain/events.ts';
import type { ModelUsage } from '../../ports/models.ts';
import { covers } from '../../retrieval/matching.ts';
import { titleOf } from '../../retrieval/passages.ts';
import type { Found } from '../../retrieval/pipeline.ts';
import { opposed } from '../../retrieval/polarity.ts';
import { isNegated } from '../../retrieval/question.ts';
import { relatedStems } from '../../retrieval/related.ts';
import { detectLanguage } from '../../text/language.ts';
import { speltNumbers } from '../../text/number-words.ts';
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

/** Of a sentence's words so many stand in the stretch with its title, in the stretch alone, and more in a longer one. */
const share = { withTitle: 0.7, alone: 0.35, more: 0.15 };
/** Sentences of a passage that one sentence may sum up. */
const stretchMax = 3;
/** From here on a reranker takes a stretch of another language for what the sentence says. */
const relevant = 0.5;
const supportsMax = 2;
/** Sentences that are held against passages of another language, in one answer. */
const foreignMax = 6;

/** The sentences of a text that stay. `isWhole` false: it broke off, and its last sentence may be half of one. */
export async function ground(
  text: string,
  cited: readonly Cited[],
  {
    passages,
    lang,
    isWhole,
    relevance,
  }: {
    /** By the ids that citations name. */
    passages: ReadonlyMap<string, Found>;
    lang: Language;
    isWhole: boolean;
    relevance: ((sentence: string, texts: readonly string[]) => Promise<number[]>) | null;
  },
): Promise<Claim[]> {
  let foreign = 0;
  const judged = sentencesOf(text, isWhole).map(async (span): Promise<Claim[]> => {
    const sentence = text.slice(span.start, span.end);
    const ids = cited
      .filter(({ start, end }) => start < span.end && end > span.start)
      .flatMap(({ documents }) => documents);
    const support: Support[] = [];
    for (const passage of new Set(ids.flatMap((id) => passages.get(id) ?? []))) {
      if (support.length >= supportsMax) break;
      const spoken = detectLanguage(sentence, undefined, lang);
      const found =
        spoken === passage.chunk.lang
          ? supportIn(sentence, passage)
          : relevance !== null && foreign++ < foreignMax
            ? await supportAcross(sentence, spoken, passage, relevance)
            : null;
      if (found) support.push({ ...found, passage });
    }
    return support.length > 0 ? [{ ...span, support }] : [];
  });
  return (await Promise.all(judged)).flat();
}

/** What ends a sentence. */
const ending = /[.!?…;][»”"')\]]*$/u;
const damaged = /\ufffd/;
const address = /\bhttps?:|\bwww\.|\S@\S+\.\S/i;

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

/** The stretch of a passage in the sentence's language that says what it says; null where there is none. */
export function supportIn(sentence: string, passage: Found): Span | null {
  if (damaged.test(sentence) || isOrder(sentence)) return null;
  const { text, chunk } = passage;
  const { lang } = chunk;
  const title = titleOf(passage);
  const said = wordsOf(sentence);
  const above = wordsOf(title);
  const spans = splitSentences(text);
  const parts = spans.map(({ start, end }) => wordsOf(text.slice(start, end)));
  const { content } = said;
  if (content.length === 0 || !namesStand(sentence, said, [...parts, above])) return null;
  if (address.test(sentence) && !text.includes(address.exec(sentence)![0])) return null;
  const inTitle = meets(content, above);
  const inParts = parts.map((part) => meets(content, part));
  const numbers = numbersOf(sentence, lang);
  // Two sentences that each say half of it do not hide that one of them says the opposite.
  const opposes = parts.map(
    (part, n) =>
      partOf(inParts[n]!) >= share.alone &&
      withoutPointNumber(text.slice(spans[n]!.start, spans[n]!.end)) !== sentence.trim() &&
      contradicts(said, part.words, lang),
  );
  let best: { span: Span; share: number; size: number } | null = null;
  for (let size = 1; size <= stretchMax; size++) {
    for (let n = 0; n + size <= spans.length; n++) {
      const alone = content.map((_, k) => inParts.slice(n, n + size).some((met) => met[k]));
      const both = alone.map((met, k) => met || inTitle[k]!);
      const part = partOf(both);
      if (partOf(alone) < share.alone || part < share.withTitle) continue;
      // One sentence that says nearly all of it is the better quotation.
      if (best && part < best.share + (size > best.size ? share.more : Number.EPSILON)) continue;
      if (opposes.slice(n, n + size).includes(true)) continue;
      const end = spans[n + size - 1]!.end;
      // The number of a point is no part of what it says.
      const stretch = withoutPointNumber(text.slice(spans[n]!.start, end));
      const there = numbers.length === 0 ? [] : numbersOf(`${title}. ${stretch}`, lang);
      if (numbers.some((one) => !there.includes(one))) continue;
      best = { span: { start: end - stretch.length, end }, share: part, size };
    }
  }
  return best?.span ?? null;
}

/** The same of a passage in another language: a reranker tells the sentence of it. */
async function supportAcross(
  sentence: string,
  spoken: Language,
  passage: Found,
  relevance: (sentence: string, texts: readonly string[]) => Promise<number[]>,
): Promise<Span | null> {
  if (damaged.test(sentence) || address.test(sentence) || isOrder(sentence)) return null;
  const spans = splitSentences(passage.text).slice(0, 40);
  const texts = spans.map(({ start, end }) => passage.text.slice(start, end));
  const scores = await relevance(sentence, texts).catch((): number[] => []);
  const best = scores.indexOf(Math.max(...scores, relevant));
  if (best < 0) return null;
  const there = numbersOf(`${titleOf(passage)}. ${texts[best]}`, passage.chunk.lang);
  if (numbersOf(sentence, spoken).some((one) => !there.includes(one))) return null;
  if (isNegated(words(sentence), spoken) !== isNegated(words(texts[best]!), passage.chunk.lang)) return null;
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

/** One of the two denies, or turns round, what the other states. */
function contradicts(said: Said, there: readonly string[], lang: Language): boolean {
  if (isNegated(said.words, lang)) return !isNegated(there, lang);
  return (
    denied(there, lang).some((one) => said.content.some((other) => alike(one, other))) ||
    opposed(said.words, there, false)
  );
}

/** How far before what it denies a negation may stand, in words; a word in between may say something itself. */
const deniedWithin = 4;

/** Stems of what a text denies: the first word that says something after a negation, and one right before it ("құқығы жоқ"). */
function denied(list: readonly string[], lang: Language): string[] {
  const says = (word: string | undefined): word is string => word !== undefined && !isStopWord(word);
  return list.flatMap((_, n) => {
    if (
      !isNegated(list.slice(Math.max(0, n - 1), n + 1), lang) ||
      isNegated(list.slice(Math.max(0, n - 1), n), lang)
    )
      return [];
    const after = list.slice(n + 1, n + 1 + deniedWithin).find(says);
    return [after, says(list[n - 1]) ? list[n - 1] : undefined].filter(says).map(stem);
  });
}

/** The numbers of a text, in figures and words, without those that may be an article ("one"). */
function numbersOf(text: string, lang: Language): string[] {
  const list = words(text.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/gu, ''));
  const figures = list.filter((word) => /^\d+$/.test(word)).map((word) => word.replace(/^0+(?=\d)/, ''));
  const spelt = speltNumbers(list, lang).map(({ value }) => value.replace('.', ''));
  return [...figures, ...spelt.filter((value) => Number(value) > 1)];
}

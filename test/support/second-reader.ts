/**
 * A second reader that compares words: it accepts a sentence if most of its words are in one sentence of a passage, and
 * quotes that sentence.
 */
import { splitSentences } from '../../src/text/sentences.ts';
import { isStopWord, stem, words } from '../../src/text/words.ts';
import { type CohereDouble, completes } from './cohere-double.ts';

export interface ReadSentence {
  sentence: number;
  text: string;
  passages: string[];
}

/** The input of a second reader, in the format of src/generating/second-reading.ts. */
export interface ToRead {
  question: string;
  passages: { id: string; title: string; text: string }[];
  sentences: ReadSentence[];
}

interface Judged {
  verdict: string;
  reason?: string;
  quotes?: { passage: string; text: string }[];
  answers?: boolean;
  leans?: boolean;
}

export type Judge = (text: string, all: ToRead) => Judged | null;

/** The reply of the second reader. `judge`: gives the verdict on a sentence; if null, the shared words decide. */
export function read(content: string, judge: Judge = () => null) {
  const all = JSON.parse(content) as ToRead;
  return {
    sentences: all.sentences.map((one) => {
      const passages = all.passages.filter(({ id }) => one.passages.includes(id));
      const judged = judge(one.text, all) ?? byWords(one.text, passages);
      return { sentence: one.sentence, reason: '', quotes: [], answers: true, leans: false, ...judged };
    }),
  };
}

/** The minimum share of a sentence's words that one sentence of the passages, or their titles, must contain. */
const share = 0.5;

function byWords(text: string, passages: ToRead['passages']): Judged {
  const quote = nearest(text, passages);
  const there = new Set(words(`${quote.text} ${passages.map(({ title }) => title).join(' ')}`).map(stem));
  const own = words(text)
    .filter((word) => !isStopWord(word))
    .map(stem);
  const met = own.filter((one) => there.has(one)).length / (own.length || 1);
  return met >= share
    ? { verdict: 'supported', quotes: [quote] }
    : { verdict: 'not', reason: 'The passages do not say so.' };
}

/** Makes a Cohere double check answers this way, without search queries. */
export function readsAnswers(double: CohereDouble, judge?: Judge): void {
  double.structured = ({ messages }) => {
    const content = messages.at(-1)!.content;
    return completes('sentences' in JSON.parse(content) ? read(content, judge) : { queries: [] });
  };
}

/** The sentence in the passages that shares the most words with a text. */
export function nearest(text: string, passages: ToRead['passages']): { passage: string; text: string } {
  const wanted = new Set(words(text).map(stem));
  let best = { passage: passages[0]?.id ?? '1', text: '', shared: -1 };
  for (const { id, text: there } of passages)
    for (const { start, end } of splitSentences(there)) {
      const sentence = there.slice(start, end);
      const own = words(sentence).map(stem);
      const shared = own.filter((one) => wanted.has(one)).length / Math.sqrt(own.length || 1);
      if (shared > best.shared) best = { passage: id, text: sentence, shared };
    }
  return { passage: best.passage, text: best.text };
}

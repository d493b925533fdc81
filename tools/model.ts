/**
 * Measures how answers by a strong model are processed. A recorded set (`answers.jsonl`, `false-sentences.jsonl` and
 * their documents) is replayed through a double of the chat API, once with a perfect second reading and once with an
 * unavailable one. False sentences are also checked against their passages without the second reading.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import type { Language } from '../src/domain/events.ts';
import { faultOf, Ground } from '../src/generating/checks.ts';
import type { Found } from '../src/reading/passages.ts';
import { detectLanguage } from '../src/text/language.ts';
import { splitSentences } from '../src/text/sentences.ts';
import { type ChatRequest, CohereDouble, says } from '../test/support/cohere-double.ts';
import { nearest, readsAnswers } from '../test/support/second-reader.ts';
import { configFor, takeIn, withFolder } from './speed.ts';

interface Passage {
  title: string;
  text: string;
}

interface Written {
  corpus: string;
  lang: Language;
  query: string;
  expect: 'answer' | 'refusal';
  written: string;
  citations: { start: number; end: number; passages: Passage[] }[];
}

interface False {
  sentence: string;
  passages: Passage[];
}

const linesOf = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);

export async function model(folder: string): Promise<Record<string, unknown>[]> {
  const answers = linesOf<Written>(join(folder, 'answers.jsonl'));
  const lies = linesOf<False>(join(folder, 'false-sentences.jsonl'));
  const missed = lies.filter(({ sentence, passages }) => !isCaught(sentence, passages));
  const replays = await withFolder(async (data) => {
    const app = await openApp(configFor(data));
    for (const lang of new Set(answers.map((one) => one.lang)))
      await takeIn(app, join(folder, 'docs', lang), `fresh-${lang}`);
    await app.close();
    return [await replayed(data, answers, 'perfect'), await replayed(data, answers, 'away')];
  });
  const caught = lies.length - missed.length;
  return [...replays, { reading: 'by code alone', false_sentences: lies.length, caught }];
}

function isCaught(sentence: string, passages: readonly Passage[]): boolean {
  const grounds = passages.map(({ title, text }) =>
    Ground.of({
      text,
      facts: { title, event_date: null, metadata: {} },
      chunk: { path: [], heading: '', question: null, number: null, lang: detectLanguage(text) },
    } as unknown as Found),
  );
  return faultOf(sentence, { lang: detectLanguage(sentence), grounds }) !== null;
}

/** Answers a request with the recorded text, citing the request's documents that begin like the cited passages. */
function writing(item: Written, { documents, messages }: ChatRequest) {
  const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
  const idOf = ({ title, text }: Passage) =>
    documents.find(({ data }) => flat(data.text).startsWith(flat(text).slice(0, 100)))?.id ??
    documents.find(({ data }) => data.title === title)?.id;
  const citations = item.citations.map(({ start, end, passages }) => ({
    of: item.written.slice(start, end),
    documents: passages.flatMap((one) => idOf(one) ?? []),
  }));
  // A stubborn model repeats a sentence that it is asked to rewrite.
  const again = /^One sentence[^\n]*\n(.*)/u.exec(messages.at(-1)!.content)?.[1];
  const text: string = again === undefined ? item.written : JSON.parse(again);
  return says({
    pieces: text.match(/\s*\S+/gu)!,
    citations: citations.filter((one) => one.documents.length > 0 && text.includes(one.of)),
  });
}

/** Sentences of the recorded text with citations. */
const citedSentences = ({ written, citations }: Written): string[] =>
  splitSentences(written)
    .filter(({ start, end }) => citations.some((one) => one.start < end && one.end > start))
    .map(({ start, end }) => written.slice(start, end));

async function replayed(data: string, answers: readonly Written[], reading: 'perfect' | 'away') {
  const double = await CohereDouble.start();
  let current = answers[0]!;
  double.chat = (request) => writing(current, request);
  readsAnswers(double, (text, { passages, sentences }) => {
    if (!citedSentences(current).some((one) => text.includes(one)))
      return { verdict: 'silent', answers: false };
    const { passages: ids } = sentences.find((one) => one.text === text)!;
    const named = passages.filter(({ id }) => ids.includes(id));
    return { verdict: 'supported', quotes: [nearest(text, named)], answers: current.expect === 'answer' };
  });
  const perfect = double.structured;
  if (reading === 'away')
    double.structured = (request) =>
      request.messages.at(-1)!.content.includes('"sentences"')
        ? { status: 503, headers: { 'retry-after': '60' }, body: {} }
        : perfect(request);
  const app = await openApp({
    ...configFor(data),
    COHERE_API_KEY: 'key',
    COHERE_BASE_URL: double.url,
    MODEL_VERIFY_MS: 2_000,
    COHERE_EMBED_MODEL: null,
    COHERE_RERANK_MODEL: null,
  });
  const served: (Served & { item: Written; lost: string[] })[] = [];
  try {
    for (current of answers) {
      const one = await ask(app, current);
      const lost = citedSentences(current).filter((sentence) => !one.answer.includes(sentence));
      served.push({ ...one, item: current, lost });
    }
  } finally {
    await app.close();
    await double.stop();
  }
  const written = served.filter(({ item }) => item.expect === 'answer' && item.citations.length > 0);
  const whole = written.filter(({ mode, lost }) => mode !== 'no_answer' && lost.length === 0);
  const refusals = served.filter(({ item }) => item.expect === 'refusal');
  return {
    reading,
    right_as_written: written.length,
    right_as_served: whole.length,
    share: whole.length / written.length,
    true_sentences: written.flatMap(({ item }) => citedSentences(item)).length,
    removed: written.flatMap(({ lost }) => lost).length,
    declined: `${refusals.filter(({ mode }) => mode === 'no_answer').length} of ${refusals.length}`,
    taken_back: served.filter(({ isReplaced }) => isReplaced).length,
  };
}

interface Served {
  answer: string;
  mode: string;
  /** Whether text that was already shown was replaced. */
  isReplaced: boolean;
}

async function ask(app: App, { query, corpus }: Written): Promise<Served> {
  const caller = { actor: 'public', key_id: null, subject: null };
  const input = { query, corpus_id: corpus, channel: 'http' as const, caller };
  let isReplaced = false;
  for await (const part of app.ask(input, new AbortController().signal)) {
    if (part.type === 'replace') isReplaced = true;
    if (part.type === 'error') throw new Error(part.detail);
    if (part.type === 'done') return { answer: part.answer, mode: part.mode, isReplaced };
  }
  throw new Error('The answer ended unexpectedly.');
}

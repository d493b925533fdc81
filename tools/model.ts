/**
 * What becomes of answers that a strong model wrote: a recorded set of them (`answers.jsonl`, `false-sentences.jsonl` and
 * the documents beside them) is replayed over HTTP through a double of the chat API, once with a second reading that is
 * perfect and once with one that is away. A false sentence is held against its passage by code alone, too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from '../src/answering/reading/read.ts';
import { faultOf, Ground } from '../src/answering/writing/generating/checks.ts';
import { openApp } from '../src/app.ts';
import type { Language } from '../src/domain/events.ts';
import { detectLanguage } from '../src/text/language.ts';
import { splitSentences } from '../src/text/sentences.ts';
import { type ChatRequest, CohereDouble, says } from '../test/support/cohere-double.ts';
import { nearest, read } from '../test/support/second-reader.ts';
import { configFor } from './asks.ts';
import { percentile, startServer, withFolder } from './speed.ts';

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
  kind: string;
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
  return withFolder(async (temporary) => {
    const data = join(temporary, 'data');
    const app = await openApp(configFor(data));
    for (const lang of new Set(answers.map((one) => one.lang)))
      await app.ingest({
        ...{ path: join(folder, 'docs', lang), corpus_id: `fresh-${lang}`, layer: null },
        ...{ prune: false, yes: false, actor: 'system' },
      });
    await app.close();
    const caught = lies.filter(({ sentence, passages }) => isCaught(sentence, passages));
    return [
      ...(await replayed(data, answers, 'perfect')),
      ...(await replayed(data, answers, 'away')),
      {
        reading: 'by code alone',
        false_sentences: lies.length,
        caught: caught.length,
        caught_kinds: count(caught.map(({ kind }) => kind)),
        let_through: count(lies.filter((one) => !caught.includes(one)).map(({ kind }) => kind)),
      },
    ];
  });
}

const count = (kinds: readonly string[]): string =>
  [...new Set(kinds)].map((kind) => `${kind} ${kinds.filter((one) => one === kind).length}`).join(', ');

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

/** Answers a request with what was written, citing the documents of the request that begin as the passages cited. */
function writing(item: Written, { documents, messages }: ChatRequest) {
  const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
  const idOf = ({ title, text }: Passage) =>
    documents.find(({ data }) => flat(data.text).startsWith(flat(text).slice(0, 100)))?.id ??
    documents.find(({ data }) => data.title === title)?.id;
  const citations = item.citations.map(({ start, end, passages }) => ({
    of: item.written.slice(start, end),
    documents: passages.flatMap((one) => idOf(one) ?? []),
  }));
  // A stubborn model: what it is asked to say anew it says again.
  const again = /^One sentence[^\n]*\n(.*)/u.exec(messages.at(-1)!.content)?.[1];
  const text: string = again === undefined ? item.written : JSON.parse(again);
  return says({
    pieces: text.match(/\s*\S+/gu)!,
    citations: citations.filter((one) => one.documents.length > 0 && text.includes(one.of)),
  });
}

/** Sentences of what was written that cite something. */
const citedSentences = ({ written, citations }: Written): string[] =>
  splitSentences(written)
    .filter(({ start, end }) => citations.some((one) => one.start < end && one.end > start))
    .map(({ start, end }) => written.slice(start, end));

async function replayed(data: string, answers: readonly Written[], reading: 'perfect' | 'away') {
  const double = await CohereDouble.start();
  let current = answers[0]!;
  double.chat = (request) => writing(current, request);
  let begun = 0;
  double.structured = ({ messages }) => {
    const content = messages.at(-1)!.content;
    if (!('sentences' in JSON.parse(content))) return saysJson({ queries: [] });
    begun++;
    if (reading === 'away') return { status: 503, headers: { 'retry-after': '60' }, body: {} };
    return saysJson(
      read(content, (text, { passages, sentences }) => {
        const cited = citedSentences(current).some((one) => text.includes(one));
        if (!cited) return { verdict: 'silent', answers: false };
        const { passages: ids } = sentences.find((one) => one.text === text)!;
        const named = passages.filter(({ id }) => ids.includes(id));
        return { verdict: 'supported', quotes: [nearest(text, named)], answers: current.expect === 'answer' };
      }),
    );
  };
  const server = await startServer(data, {
    ...{ COHERE_API_KEY: 'key', COHERE_BASE_URL: double.url, MODEL_VERIFY_MS: '2000' },
    ...{
      COHERE_EMBED_MODEL: 'off',
      COHERE_RERANK_MODEL: 'off',
      DOCENT_PUBLIC_RPM: '0',
      DOCENT_PUBLIC_RPH: '0',
    },
  });
  const rows: {
    item: Written;
    answer: string;
    mode: string;
    lost: string[];
    isReplaced: boolean;
    ms: number;
  }[] = [];
  try {
    for (const item of answers) {
      current = item;
      const at = performance.now();
      const response = await fetch(`${server.url}/api/ask/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: item.query, corpus_id: item.corpus }),
      });
      const body = await response.text();
      const ms = performance.now() - at;
      const done = JSON.parse(/event: done\ndata: (.*)/u.exec(body)?.[1] ?? 'null');
      if (done === null) throw new Error(`No answer: ${body.slice(-300)}`);
      const lost = citedSentences(item).filter((one) => !done.answer.includes(one));
      rows.push({
        item,
        answer: done.answer,
        mode: done.mode,
        lost,
        isReplaced: body.includes('event: replace'),
        ms,
      });
    }
  } finally {
    await server.stop();
    await double.stop();
  }
  if (process.env.DOCENT_BENCH_SHOW)
    for (const { item, answer, mode, lost } of rows)
      process.stderr.write(
        `\n[${item.expect}] ${item.query}\n  written: ${item.written}\n  served (${mode}): ${answer}\n${lost.map((one) => `  LOST: ${one}\n`).join('')}`,
      );
  const answered = rows.filter(({ item }) => item.expect === 'answer');
  const asWritten = answered.filter(({ item }) => item.citations.length > 0);
  const asServed = asWritten.filter(({ mode, lost }) => mode !== 'no_answer' && lost.length === 0);
  const declinedRows = rows.filter(({ item }) => item.expect === 'refusal');
  const sentences = asWritten.flatMap(({ item }) => citedSentences(item)).length;
  return [
    {
      reading,
      answerable: answered.length,
      right_as_written: asWritten.length,
      right_as_served: asServed.length,
      share: asServed.length / asWritten.length,
      true_sentences: sentences,
      removed: asWritten.flatMap(({ lost }) => lost).length,
      declined: `${declinedRows.filter(({ mode }) => mode === 'no_answer').length} of ${declinedRows.length}`,
      taken_back: rows.filter(({ isReplaced }) => isReplaced).length,
      readings: begun,
      ms_p50: percentile(
        rows.map(({ ms }) => ms),
        0.5,
      ),
    },
  ];
}

const saysJson = (value: unknown) => ({
  body: {
    id: 'c',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: JSON.stringify(value) }] },
    usage: { billed_units: { input_tokens: 50, output_tokens: 20 } },
  },
});

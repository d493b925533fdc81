/**
 * Synthetic histories for benchmarks: recorded asks with varied Russian, Kazakh and English text, the same in every
 * run.
 */
import { type EventTypes, eventSchemas, languages } from '../src/domain/events.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import { EventCodec } from '../src/log/encoding.ts';
import { type AppendRequest, LogStore } from '../src/log/sqlite/log-store.ts';
import { storedSamples } from '../test/domain/stored-samples.ts';
import { random } from './evaluation/statistics.ts';

/** Sixty syllables, so that words share prefixes about as often as Russian words do. */
const syllables = [...'бвгдзклмнпрст'].flatMap((c) => [...'аеиоу'].map((v) => c + v)).slice(0, 60);
const endings = ['', 'а', 'ы', 'ов', 'ами', 'ого', 'ать', 'ение', 'ский', 'ости'];

/** A vocabulary of `size` word forms. */
export function vocabulary(size: number, seed = 7): string[] {
  const next = random(seed);
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)]!;
  return Array.from({ length: size }, () => {
    let word = '';
    for (let i = 0; i < 2 + Math.floor(next() * 2); i++) word += pick(syllables);
    return word + pick(endings);
  });
}

/** Samples words with natural frequencies: a few are common, many are rare (Zipf). */
export function sampler(list: readonly string[], seed: number): (count: number) => string {
  const next = random(seed);
  return (count) => {
    let text = '';
    for (let i = 0; i < count; i++)
      text += `${i === 0 ? '' : ' '}${list[Math.floor(list.length ** next()) - 1]!}`;
    return text;
  };
}

/** Number of sources in a typical answer. */
const sourcesPerAnswer = 5;

/**
 * Writes `asks` recorded asks (two events each) into a new history; returns the mean size of an event's data in bytes.
 */
export async function writeAsks(path: string, asks: number): Promise<number> {
  const store = new LogStore(path);
  const say = sampler(vocabulary(30_000), 11);
  const next = random(3);
  let bytes = 0;
  const codec = new EventCodec();
  const encode = async <T extends 'QuestionAsked' | 'AnswerGiven'>(type: T, data: EventTypes[T]) => {
    const { request_id, asked_at } = data;
    const of = { actor: 'public', correlation_id: request_id, causation_id: null, time: asked_at };
    const [encoded] = await codec.encode([
      { id: uuidv7(), type, version: eventSchemas[type].version, ...of, data },
    ]);
    bytes += Buffer.byteLength(encoded!.data);
    return encoded!;
  };
  const [question, given] = [storedSamples.QuestionAsked.at(-1)!, storedSamples.AnswerGiven.at(-1)!] as [
    EventTypes['QuestionAsked'],
    EventTypes['AnswerGiven'],
  ];
  const start = Date.UTC(2026, 0, 1);
  let batch: AppendRequest[] = [];
  for (let i = 0; i < asks; i++) {
    const request_id = uuidv7();
    const asked_at = new Date(start + i * 60_000).toISOString();
    const facts = { request_id, corpus_id: 'krk_2026', asked_at, subject: request_id, key_id: null };
    const content_hash = request_id.replaceAll('-', '').repeat(2);
    const sources = Array.from({ length: sourcesPerAnswer }, () => {
      const doc_id = 1 + Math.floor(next() * 200);
      const of = { doc_id, doc_key: `norm/doc-${doc_id}`, ref: `norm/doc-${doc_id}#3` };
      return { ...given.sources[0]!, ...of, content_hash, heading: say(4), title: say(3), score: next() };
    });
    const answer = `${say(24)}. ${say(20)}.`;
    const citations = sources.slice(0, 2).map(({ ref }, n) => {
      const [from, to] = [n * 20, n * 20 + 18];
      return { start: from, end: to, ref, quote: answer.slice(from, to), revision: 2, content_hash };
    });
    const passages = sources.map(({ ref, doc_id, revision, chunk_index, score }) => ({
      ref,
      doc_id,
      revision,
      content_hash,
      chunk_index,
      score,
    }));
    const lang = languages[i % languages.length]!;
    // Like most answers, it does not enter the FAQ cache.
    const unrepeated = { repeatable: undefined, faq: undefined, question_key: undefined, writing: undefined };
    const answered = { ...given, ...facts, ...unrepeated, lang, answer, sources, citations, passages };
    batch.push({
      stream: `ask-${request_id}`,
      expectedRevision: -1,
      events: [
        await encode('QuestionAsked', { ...question, ...facts, query: say(7), history: [] }),
        await encode('AnswerGiven', { ...answered, labels: [] }),
      ],
    });
    if (batch.length === 1000 || i === asks - 1) {
      for (const outcome of store.append(batch)) if (!outcome.ok) throw outcome.failure;
      batch = [];
    }
  }
  store.close();
  return bytes / (asks * 2);
}

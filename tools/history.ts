/** Made histories for the benchmark: recorded asks with varied Russian, Kazakh and English text, the same in every run. */
import { type EventType, type EventTypes, eventSchemas, languages } from '../src/domain/events.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import type { AppendRequest } from '../src/stores/embedded/log-store.ts';
import { LogStore } from '../src/stores/embedded/log-store.ts';
import { EventCodec } from '../src/stores/encoding.ts';

/** A small deterministic generator (mulberry32). */
export function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Sixty syllables: enough that words share beginnings about as often as Russian ones do. */
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

/** Words as language has them: few often, many seldom (Zipf). */
export function sampler(list: readonly string[], seed: number): (count: number) => string {
  const next = random(seed);
  return (count) => {
    let text = '';
    for (let i = 0; i < count; i++)
      text += `${i === 0 ? '' : ' '}${list[Math.floor(list.length ** next()) - 1]!}`;
    return text;
  };
}

/** Writes `asks` recorded asks (two events each) into a new history; returns the mean size of an event's data in bytes. */
export async function writeAsks(path: string, asks: number): Promise<number> {
  const store = new LogStore(path);
  const say = sampler(vocabulary(30_000), 11);
  const next = random(3);
  let bytes = 0;
  const codec = new EventCodec();
  const row = async <T extends EventType>(type: T, data: EventTypes[T], time: string) => {
    const [encoded] = await codec.encode([
      {
        id: uuidv7(),
        type,
        version: eventSchemas[type].version,
        time,
        actor: 'public',
        correlation_id: data && 'request_id' in data ? data.request_id : '',
        causation_id: null,
        data,
      },
    ]);
    bytes += Buffer.byteLength(encoded!.data);
    return encoded!;
  };
  const start = Date.UTC(2026, 0, 1);
  let batch: AppendRequest[] = [];
  for (let i = 0; i < asks; i++) {
    const request_id = uuidv7();
    const asked_at = new Date(start + i * 60_000).toISOString();
    const facts = {
      request_id,
      corpus_id: 'krk_2026',
      channel: 'http' as const,
      style: null,
      key_id: null,
      subject: request_id,
      asked_at,
    };
    const lang = languages[i % languages.length]!;
    const sources = Array.from({ length: 5 }, () => {
      const doc = 1 + Math.floor(next() * 200);
      return {
        ref: `norm/doc-${doc}#${doc}`,
        doc_id: doc,
        doc_key: `norm/doc-${doc}`,
        revision: 1,
        content_hash: request_id.replaceAll('-', '').repeat(2),
        chunk_index: String(doc),
        heading: say(4),
        title: say(3),
        url: null,
        source_url: null,
        event_date: null,
        layer: 'norm',
        lang,
        score: next(),
      };
    });
    const answer = `${say(24)}. ${say(20)}.`;
    const question = { ...facts, query: say(7), history: [], deadline: asked_at, body_hash: null };
    const given = {
      ...facts,
      lang,
      latency_ms: 1 + Math.floor(next() * 40),
      mode: 'ordinary' as const,
      answer,
      sources,
      finish_reason: 'stop' as const,
      cached: false,
      citations: sources.slice(0, 2).map((s, n) => ({
        start: n * 20,
        end: n * 20 + 18,
        ref: s.ref,
        quote: answer.slice(n * 20, n * 20 + 18),
        revision: 1,
        content_hash: s.content_hash,
      })),
      rewritten: null,
      passages: sources.map(({ ref, doc_id, revision, content_hash, chunk_index, score }) => ({
        ref,
        doc_id,
        revision,
        content_hash,
        chunk_index,
        score,
      })),
      model: null,
      prompt_version: null,
      evidence: { score: 4, threshold: 3.5, reason: null },
      timings: { retrieve: 4, compose: 1 },
      usage: null,
    };
    batch.push({
      stream: `ask-${request_id}`,
      expectedRevision: -1,
      events: [await row('QuestionAsked', question, asked_at), await row('AnswerGiven', given, asked_at)],
    });
    if (batch.length === 1000 || i === asks - 1) {
      for (const outcome of store.append(batch)) if (!outcome.ok) throw outcome.failure;
      batch = [];
    }
  }
  store.close();
  return bytes / (asks * 2);
}

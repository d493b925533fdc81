/**
 * What the service adds to a model that writes: `docent serve` in a process of its own, between a double of Cohere's API
 * and the readers of its streams over HTTP, who are both in this one.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openApp } from '../src/app.ts';
import {
  type ChatReply,
  CohereDouble,
  completes,
  eventsOf,
  type Step,
} from '../test/support/cohere-double.ts';
import { configFor } from './asks.ts';
import { get, percentile, type RunningServer, startServer, withFolder } from './speed.ts';

const query = 'How is the President elected?';
/** What comes after another question is not given again. */
const history = [{ role: 'user', content: 'Hello!' }];
const asked = JSON.stringify({ query, history, corpus_id: 'krk_2026' });
const samples = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
const sentence = 'The President is elected by universal, equal and direct suffrage in a secret ballot.';
/** The pieces it comes in: tokens of many languages are no longer than that. */
const pieces = sentence.match(/.{1,3}/gsu)!;
/** Times that each reader asks. */
const rounds = 5;

/** Spaces of two kinds behind the first word tell the streams apart: what was sent is held against what came of it. */
const spaces = [' ', '\u00a0'] as const;
const marked = (n: number) => n.toString(2).replace(/./g, (bit) => spaces[Number(bit) as 0 | 1]);
const markOf = (text: string) =>
  Number.parseInt(
    (/^The([ \u00a0]+)/u.exec(text)?.[1] ?? '').replace(/./gsu, (one) => (one === spaces[1] ? '1' : '0')),
    2,
  );

/** Of each stream, by its mark: when its first sentence had ended, was asked to be read, and had been read. */
interface Moments {
  ended: number;
  asked: number;
  read: number;
}
type Sent = Map<number, Moments>;

/** A stream of so many pieces in cited sentences, `everyMs` between two. */
function stream(count: number, everyMs: number, sent: Sent = new Map()): ChatReply {
  const mark = sent.size + 1;
  const moments = { ended: Number.NaN, asked: Number.NaN, read: Number.NaN };
  sent.set(mark, moments);
  const steps: Step[] = [];
  const [start, open] = eventsOf({ pieces: [] });
  steps.push(start!, open!);
  let written = '';
  for (let n = 0; n < count; n++) {
    const at = n % pieces.length;
    const text =
      n === 0
        ? `The${marked(mark)}`
        : n === 1
          ? pieces[1]!.trimStart()
          : (n > 0 && at === 0 ? ' ' : '') + pieces[at]!;
    if (everyMs > 0)
      steps.push({
        get until() {
          return delay(everyMs);
        },
      });
    // A sentence has ended for sure when the next one begins.
    if (n === pieces.length)
      steps.push({
        get until() {
          moments.ended = performance.now();
          return Promise.resolve();
        },
      });
    steps.push({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } });
    written += text;
    if (at === pieces.length - 1) steps.push(citationOf(written, n < pieces.length ? marked(mark) : ' '));
  }
  steps.push(...eventsOf({ pieces: [] }).slice(-2));
  return { steps };
}

/** Of the last sentence of what was written. */
function citationOf(written: string, space: string): object {
  const text = sentence.replace(' ', space);
  const sources = ['1', '2', '3'].map((id) => ({ id, type: 'document', document: { id } }));
  const [start, end] = [written.length - text.length, written.length];
  const citations = { start, end, text, sources, type: 'TEXT_CONTENT', content_index: 0 };
  return { type: 'citation-start', index: 0, delta: { message: { citations } } };
}

/** What every sentence rests on; to look for it would hold up the double. */
const quotes = [{ passage: 'whichever', text: sentence.slice(0, -1) }];
const supported = (_: unknown, n: number) => ({
  ...{ sentence: n + 1, verdict: 'supported', reason: '', quotes, answers: true, leans: false },
});

/** Reads every sentence well, and notes when. */
function reading(double: CohereDouble, sent: Sent): void {
  double.structured = ({ messages }) => {
    const content = messages.at(-1)!.content;
    const { sentences } = JSON.parse(content) as { sentences?: { text: string }[] };
    const moments = sent.get(markOf(sentences?.[0]?.text ?? ''));
    if (moments) moments.asked = performance.now();
    const reply = completes(sentences ? { sentences: sentences.map(supported) } : { queries: [] });
    if (moments) moments.read = performance.now();
    return reply;
  };
}

async function ingested(data: string): Promise<void> {
  const app = await openApp(configFor(data));
  const all = { corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' };
  await app.ingest({ path: samples, ...all });
  await app.close();
}

const agent = new Agent({ keepAlive: true });

/** When the first event and the first text came, and the mark of the stream, until the reader leaves after so many texts. */
async function texts({ url }: RunningServer, { leaveAfter = Number.POSITIVE_INFINITY } = {}) {
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(`${url}/api/ask/stream`, { method: 'POST', agent, headers });
  outgoing.end(asked);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const seen = { event: Number.NaN, text: Number.NaN, texts: 0, mark: Number.NaN };
  let last = '';
  let name = '';
  for await (const text of reply.setEncoding('utf8')) {
    const now = performance.now();
    const lines = (last + text).split('\n');
    last = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('event: ')) {
        name = line;
        if (Number.isNaN(seen.event)) seen.event = now;
      } else if (name === 'event: error') throw new Error(`An answer failed: ${line}`);
      else if (name === 'event: text' && line.startsWith('data: ')) {
        if (seen.texts++ > 0) continue;
        seen.text = now;
        seen.mark = markOf(JSON.parse(line.slice('data: '.length)).text);
      }
    }
    if (seen.texts >= leaveAfter) break;
  }
  return seen;
}

const round = (ms: number) => Math.round(ms * 100) / 100;

/**
 * What the service adds to a first sentence beside the calls themselves: from its end to the second reading, and from
 * there to the reader. Each of so many readers asks so many times, begun `apartMs` after the one before it.
 */
async function passing(
  server: RunningServer,
  double: CohereDouble,
  {
    streams,
    apartMs,
    ...of
  }: { streams: number; apartMs: number; count: number; everyMs: number; times: number },
) {
  const added: number[] = [];
  const sent: Sent = new Map();
  double.chat = () => stream(of.count, of.everyMs, sent);
  reading(double, sent);
  await server.loop();
  await Promise.all(
    Array.from({ length: streams }, async (_, n) => {
      await delay(n * apartMs);
      for (let time = 0; time < of.times; time++) {
        const { text, mark } = await texts(server);
        const { ended, asked, read: answered } = sent.get(mark)!;
        added.push(asked - ended + text - answered);
      }
    }),
  );
  return {
    streams,
    pieces: of.count,
    added_p50_ms: round(percentile(added, 0.5)),
    added_p99_ms: round(percentile(added, 0.99)),
    held_cpu_ms: round((await server.loop()).heldCpuMs),
  };
}

/** So many questions at once, each asked for the first time, while the model writes so many pieces. */
async function crowd(
  server: RunningServer,
  double: CohereDouble,
  questions: number,
  count: number,
  everyMs: number,
) {
  const sent: Sent = new Map();
  double.chat = () => stream(count, everyMs, sent);
  reading(double, sent);
  const before = server.cpuMs();
  const at = performance.now();
  const health: number[] = [];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(250)) {
      const asked = performance.now();
      await get(`${server.url}/health`);
      health.push(performance.now() - asked);
    }
  })();
  const all = await Promise.all(Array.from({ length: questions }, () => texts(server)));
  isOver = true;
  await watching;
  return {
    streams: questions,
    pieces: count,
    event_p50_ms: round(
      percentile(
        all.map(({ event }) => event - at),
        0.5,
      ),
    ),
    event_p99_ms: round(
      percentile(
        all.map(({ event }) => event - at),
        0.99,
      ),
    ),
    health_p99_ms: round(percentile(health, 0.99)),
    cpu_ms_an_ask: round((server.cpuMs() - before) / questions),
  };
}

async function memory(server: RunningServer, double: CohereDouble) {
  const sent: Sent = new Map();
  double.chat = () => stream(20, 0, sent);
  reading(double, sent);
  const heaps: number[] = [];
  for (let n = 0; n < 5_000; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, k) => texts(server, k % 3 === 0 ? { leaveAfter: 1 } : {})),
    );
    for (const calls of [double.chats, double.structuredCalls, double.embeds, double.reranks])
      calls.length = 0;
    if (![500, 2_500, 4_950].includes(n)) continue;
    await delay(200);
    heaps.push(round((await server.collected()).threads[0]!.usedMb));
  }
  return { asks: 5_000, heap_mb_at_500: heaps[0], heap_mb_at_2500: heaps[1], heap_mb_at_5000: heaps[2] };
}

export async function cohere(): Promise<Record<string, unknown>[]> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    await ingested(data);
    const double = await CohereDouble.start();
    const server = await startServer(
      data,
      {
        ...{ COHERE_API_KEY: 'key', COHERE_BASE_URL: double.url },
        ...{ COHERE_EMBED_MODEL: 'off', COHERE_RERANK_MODEL: 'off' },
      },
      { probed: true },
    );
    try {
      const paced = { count: 200, everyMs: 20 };
      const few = { ...paced, streams: 50 };
      await passing(server, double, { ...few, count: 20, apartMs: 0, times: 2 });
      return [
        {
          measure: 'first sentence, 50 streams all the time',
          // Begun over the time that one takes, so that they end and begin one after the other.
          ...(await passing(server, double, { ...few, apartMs: 80, times: rounds })),
        },
        {
          measure: 'first sentence, 50 streams begun at once',
          ...(await passing(server, double, { ...few, apartMs: 0, times: 1 })),
        },
        {
          measure: '200 new questions at once, a model that writes for a minute',
          ...(await crowd(server, double, 200, 1_000, 60)),
        },
        { measure: 'memory, a third cancelled', ...(await memory(server, double)) },
      ];
    } finally {
      await server.stop();
      await double.stop();
      agent.destroy();
    }
  });
}

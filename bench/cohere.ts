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
import { type ChatReply, CohereDouble, eventsOf } from '../test/support/cohere-double.ts';
import { configFor } from './asks.ts';
import { percentile, type RunningServer, startServer, withFolder } from './speed.ts';

const query = 'How is the President elected?';
/** What comes after another question is not given again. */
const history = [{ role: 'user', content: 'Hello!' }];
const asked = JSON.stringify({ query, history, corpus_id: 'krk_2026' });
const samples = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
const sentence = 'The President is elected by universal, equal and direct suffrage in a secret ballot.';
/** Times that each reader asks. */
const rounds = 5;

/** Spaces of two kinds behind the first word tell the streams apart: what was sent is held against what came of it. */
const spaces = [' ', '\u00a0'] as const;
const marked = (n: number) => n.toString(2).replace(/./g, (bit) => spaces[Number(bit) as 0 | 1]);
const markOf = (text: string) =>
  Number.parseInt(
    text.replace(/./gsu, (one) => (one === spaces[1] ? '1' : '0')),
    2,
  );

/** When the first word of each stream was sent, by its mark. */
type Sent = Map<number, number>;

/** A stream of so many words, `everyMs` between two. */
function stream(count: number, everyMs: number, sent: Sent = new Map()): ChatReply {
  const mark = sent.size + 1;
  sent.set(mark, Number.NaN);
  const words = Array.from({ length: count }, (_, n) => sentence.split(/(?= )/)[n % 13]!);
  const first = words[0]!;
  const pieces = [first + marked(mark), ...words.slice(1)];
  const wait = async () => {
    if (everyMs > 0) await delay(everyMs);
    if (Number.isNaN(sent.get(mark))) sent.set(mark, performance.now());
  };
  const steps = eventsOf({ pieces, citations: [{ of: first, documents: ['1', '2', '3'] }] }).flatMap(
    (event) =>
      'type' in event && event.type === 'content-delta'
        ? [
            {
              get until() {
                return wait();
              },
            },
            event,
          ]
        : [event],
  );
  return { steps };
}

async function ingested(data: string): Promise<void> {
  const app = await openApp(configFor(data));
  const all = { corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' };
  await app.ingest({ path: samples, ...all });
  await app.close();
}

const agent = new Agent({ keepAlive: true });

/** When each text came and the mark of its stream, until the reader leaves after so many; null: it never does. */
async function texts({ url }: RunningServer, leaveAfter: number | null = null) {
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(`${url}/api/ask/stream`, { method: 'POST', agent, headers });
  outgoing.end(asked);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const at: number[] = [];
  let mark = Number.NaN;
  let last = '';
  let name = '';
  for await (const text of reply.setEncoding('utf8')) {
    const now = performance.now();
    const lines = (last + text).split('\n');
    last = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line;
      else if (name === 'event: error') throw new Error(`An answer failed: ${line}`);
      else if (name === 'event: text' && line.startsWith('data: ')) {
        if (at.push(now) > 1) continue;
        const { text } = JSON.parse(line.slice('data: '.length));
        mark = markOf(/[ \u00a0]+/.exec(text)![0]);
      }
    }
    if (leaveAfter !== null && at.length >= leaveAfter) break;
  }
  return { at, mark };
}

const round = (ms: number) => Math.round(ms * 100) / 100;

/**
 * From a word that the double sends to the reader, first words and the gaps between all. Each of so many readers asks so
 * many times, begun `apartMs` after the one before it.
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
  const first: number[] = [];
  let gapMs = 0;
  const sent: Sent = new Map();
  double.chat = () => stream(of.count, of.everyMs, sent);
  await server.loop();
  await Promise.all(
    Array.from({ length: streams }, async (_, n) => {
      await delay(n * apartMs);
      for (let time = 0; time < of.times; time++) {
        const { at, mark } = await texts(server);
        first.push(at[0]! - sent.get(mark)!);
        for (const [k, one] of at.slice(1, of.count).entries()) gapMs = Math.max(gapMs, one - at[k]!);
      }
    }),
  );
  return {
    streams,
    words: of.count,
    first_p50_ms: round(percentile(first, 0.5)),
    first_p99_ms: round(percentile(first, 0.99)),
    gap_max_beyond_pace_ms: round(gapMs - of.everyMs),
    held_cpu_ms: round((await server.loop()).heldCpuMs),
  };
}

async function memory(server: RunningServer, double: CohereDouble) {
  double.chat = () => stream(20, 0);
  const heaps: number[] = [];
  for (let n = 0; n < 5_000; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, k) => texts(server, k % 3 === 0 ? 2 : null)));
    for (const calls of [double.chats, double.embeds, double.reranks]) calls.length = 0;
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
          measure: 'first word, 50 streams all the time',
          // Begun over the time that one takes, so that they end and begin one after the other.
          ...(await passing(server, double, { ...few, apartMs: 80, times: rounds })),
        },
        {
          measure: 'first word, 50 streams begun at once',
          ...(await passing(server, double, { ...few, apartMs: 0, times: 1 })),
        },
        {
          measure: '200 streams at 50 words a second',
          ...(await passing(server, double, { ...paced, streams: 200, apartMs: 0, times: 1 })),
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

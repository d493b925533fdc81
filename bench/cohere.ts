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
/** Times that so many streams are begun at once: of the first words of one time, p99 is the slowest. */
const rounds = 10;

/** A stream of so many words, the time of each noted; `everyMs`: between two. */
function stream(count: number, everyMs: number): { reply: ChatReply; sentAt: number[] } {
  const sentAt: number[] = [];
  const pieces = Array.from({ length: count }, (_, n) => sentence.split(/(?= )/)[n % 13]!);
  const steps = eventsOf({ pieces, citations: [{ of: pieces[0]!, documents: ['1', '2', '3'] }] }).flatMap(
    (event) =>
      'type' in event && event.type === 'content-delta'
        ? [
            {
              get until() {
                return (everyMs > 0 ? delay(everyMs) : Promise.resolve()).then(() =>
                  sentAt.push(performance.now()),
                );
              },
            },
            event,
          ]
        : [event],
  );
  return { reply: { steps }, sentAt };
}

async function ingested(data: string): Promise<void> {
  const app = await openApp(configFor(data));
  const all = { corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' };
  await app.ingest({ path: samples, ...all });
  await app.close();
}

const agent = new Agent({ keepAlive: true });

/** When each text came, until the reader leaves after so many; null: it never does. */
async function texts({ url }: RunningServer, leaveAfter: number | null = null): Promise<number[]> {
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(`${url}/api/ask/stream`, { method: 'POST', agent, headers });
  outgoing.end(asked);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const at: number[] = [];
  let last = '';
  for await (const bytes of reply) {
    const now = performance.now();
    // An event begins with its name, in one piece with the rest or not.
    const lines = (last + (bytes as Buffer).toString('latin1')).split('\n');
    last = lines.pop()!;
    for (const line of lines) {
      if (line === 'event: error') throw new Error(`An answer failed: ${lines.join(' ')}`);
      if (line === 'event: text') at.push(now);
    }
    if (leaveAfter !== null && at.length >= leaveAfter) break;
  }
  return at;
}

const round = (ms: number) => Math.round(ms * 100) / 100;

/** From a word that the double sends to the reader, first words and the gaps between all. */
async function passing(
  server: RunningServer,
  double: CohereDouble,
  { streams, count, everyMs, times }: { streams: number; count: number; everyMs: number; times: number },
) {
  const first: number[] = [];
  let gapMs = 0;
  await server.loop();
  for (let n = 0; n < times; n++) {
    const sent: number[][] = [];
    double.chat = () => {
      const { reply, sentAt } = stream(count, everyMs);
      sent.push(sentAt);
      return reply;
    };
    const came = await Promise.all(Array.from({ length: streams }, () => texts(server)));
    // Streams are begun in the order they were asked in, but for some: matched by when their first word was sent.
    const bySend = sent.toSorted((a, b) => a[0]! - b[0]!);
    const byCome = came.toSorted((a, b) => a[0]! - b[0]!);
    first.push(...byCome.map((all, k) => all[0]! - bySend[k]![0]!));
    for (const all of came)
      for (const [k, at] of all.slice(1, count).entries()) gapMs = Math.max(gapMs, at - all[k]!);
  }
  return {
    streams,
    words: count,
    first_p50_ms: round(percentile(first, 0.5)),
    first_p99_ms: round(percentile(first, 0.99)),
    gap_max_beyond_pace_ms: round(gapMs - everyMs),
    held_cpu_ms: round((await server.loop()).heldCpuMs),
  };
}

async function memory(server: RunningServer, double: CohereDouble) {
  double.chat = () => stream(20, 0).reply;
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
      await passing(server, double, { streams: 20, count: 20, everyMs: 0, times: 1 });
      const few = { streams: 50, count: 40, everyMs: 20, times: rounds };
      const many = { streams: 200, count: 200, everyMs: 20, times: 1 };
      return [
        { measure: 'first word, 50 streams', ...(await passing(server, double, few)) },
        { measure: '200 streams at 50 words a second', ...(await passing(server, double, many)) },
        { measure: 'memory, a third cancelled', ...(await memory(server, double)) },
      ];
    } finally {
      await server.stop();
      await double.stop();
      agent.destroy();
    }
  });
}

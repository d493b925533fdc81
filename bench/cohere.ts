/**
 * What the service adds to a model that writes: over a double of Cohere's API in the same process, which takes its share
 * of the same core. Asked through the use case, without a door.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type App, openApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type ChatReply, CohereDouble, eventsOf } from '../test/support/cohere-double.ts';
import { percentile, withFolder } from './speed.ts';

const caller = { actor: 'public', key_id: null, subject: null };
const query = 'How is the President elected?';
/** What comes after another question is not given again. */
const history = [{ role: 'user' as const, content: 'Hello!' }];
const samples = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
const sentence = 'The President is elected by universal, equal and direct suffrage in a secret ballot.';

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

async function open(folder: string, double: CohereDouble): Promise<App> {
  const app = await openApp(
    readConfig(
      {
        ...{ DOCENT_DATA: folder, COHERE_API_KEY: 'key', COHERE_BASE_URL: double.url },
        ...{ COHERE_EMBED_MODEL: 'off', COHERE_RERANK_MODEL: 'off' },
      },
      '/dev/null',
    ),
  );
  await app.ingest({
    path: samples,
    corpus_id: null,
    layer: null,
    prune: false,
    yes: false,
    actor: 'system',
  });
  await app.caughtUp();
  return app;
}

/** When each text came, until the reader leaves after so many; null: it never does. */
async function texts(app: App, leaveAfter: number | null = null): Promise<number[]> {
  const at: number[] = [];
  const input = { query, history, corpus_id: 'krk_2026', channel: 'stream' as const, caller };
  for await (const part of app.ask(input, new AbortController().signal)) {
    if (part.type === 'error') throw new Error(part.detail);
    if (part.type === 'text') at.push(performance.now());
    if (leaveAfter !== null && at.length >= leaveAfter) break;
  }
  return at;
}

const round = (ms: number) => Math.round(ms * 100) / 100;

/** From a word that the double sends to the reader, first words and the gaps between all. */
async function passing(app: App, double: CohereDouble, streams: number, count: number, everyMs: number) {
  const sent: number[][] = [];
  double.chat = () => {
    const { reply, sentAt } = stream(count, everyMs);
    sent.push(sentAt);
    return reply;
  };
  const came = await Promise.all(Array.from({ length: streams }, () => texts(app)));
  // Streams are begun in the order they were asked in, but for some: matched by when their first word was sent.
  const bySend = sent.toSorted((a, b) => a[0]! - b[0]!);
  const byCome = came.toSorted((a, b) => a[0]! - b[0]!);
  const first = byCome.map((times, n) => times[0]! - bySend[n]![0]!);
  const gaps = byCome.flatMap((times) => times.slice(1, count).map((time, n) => time - times[n]!));
  return {
    streams,
    words: count,
    first_p50_ms: round(percentile(first, 0.5)),
    first_p99_ms: round(percentile(first, 0.99)),
    ...(everyMs > 0 && { gap_max_beyond_pace_ms: round(Math.max(...gaps) - everyMs) }),
  };
}

async function memory(app: App, double: CohereDouble) {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heapMb = async () => {
    await delay(200);
    gc();
    return round(process.memoryUsage().heapUsed / 1e6);
  };
  double.chat = () => stream(20, 0).reply;
  const heaps: number[] = [];
  for (let n = 0; n < 5_000; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, k) => texts(app, k % 3 === 0 ? 2 : null)));
    for (const calls of [double.chats, double.embeds, double.reranks]) calls.length = 0;
    if ([500, 2_500, 4_950].includes(n)) heaps.push(await heapMb());
  }
  return { asks: 5_000, heap_mb_at_500: heaps[0], heap_mb_at_2500: heaps[1], heap_mb_at_5000: heaps[2] };
}

export async function cohere(): Promise<Record<string, unknown>[]> {
  return withFolder(async (folder) => {
    const double = await CohereDouble.start();
    const app = await open(folder, double);
    try {
      await passing(app, double, 20, 20, 0);
      return [
        { measure: 'first word, 50 streams', ...(await passing(app, double, 50, 40, 20)) },
        { measure: '200 streams at 50 words a second', ...(await passing(app, double, 200, 200, 20)) },
        { measure: 'memory, a third cancelled', ...(await memory(app, double)) },
      ];
    } finally {
      await app.close();
      await double.stop();
    }
  });
}

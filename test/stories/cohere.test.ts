/**
 * The service with Cohere, over every wiring of the stores: passages found by vectors and ordered by a reranker, answers
 * written, checked and recorded, a model that goes away and comes back, vectors of another dimension that take over when
 * they have caught up. Each wiring sees what the embedded one sees.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../../src/answering/parts.ts';
import { openApp, type Service } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { CohereDouble, eventsOf, says } from '../support/cohere-double.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';
import type { ChatReply } from '../support/model-double.ts';
import { readsAnswers } from '../support/second-reader.ts';
import { withEventStore, withRedis } from '../support/servers.ts';
import { discrepancies, type Servers, storyConfig, writeLibrary } from './story.ts';
import { sameOver, shared, startDouble } from './wirings.ts';

const acting = { name: 'olga', request_id: 'story' };
const bridge = 'Когда закрывают мост на ремонт?';
const answer = 'Мост через реку Быструю закрывают на ремонт каждую осень в октябре.';
const well: ChatReply = says({
  pieces: answer.match(/\s*\S+/gu)!,
  citations: [{ of: answer, documents: ['1'] }],
  usage: { input_tokens: 400, output_tokens: 21 },
});

async function partsOf(app: Service, query: string, signal = new AbortController().signal): Promise<Part[]> {
  const caller = { actor: 'public', key_id: null, subject: 'reader' };
  const input = { query, corpus_id: null, style: null, history: [], channel: 'cli' as const, caller };
  const parts: Part[] = [];
  for await (const part of app.ask(input, signal)) parts.push(part);
  return parts;
}

async function asked(app: Service, query: string) {
  const parts = await partsOf(app, query);
  const done = parts.at(-1);
  if (done?.type !== 'done') return done;
  const { mode, answer: text, cached, degraded } = done;
  const replaced = parts.flatMap((part) => (part.type === 'replace' ? [part.reason] : []));
  const quotes = parts.flatMap((part) => (part.type === 'citation' ? [part.quote] : []));
  return { mode, text, cached, degraded: degraded ?? false, replaced, quotes };
}

/** What was embedded and by whom. */
async function generations(app: Service) {
  await app.caughtUp();
  const { generations: all } = await app.admin.embeddingStatus();
  return all.map(({ embedder, embedded_chunks, total_chunks, serves }) => [
    embedder,
    embedded_chunks === total_chunks,
    serves,
  ]);
}

async function story(servers: Partial<Servers>): Promise<Record<string, unknown>> {
  const double = await CohereDouble.start();
  readsAnswers(double);
  const folder = newFolder('cohere');
  const library = join(folder, 'library');
  writeLibrary(library);
  const config: Config = {
    ...storyConfig(folder, servers),
    COHERE_API_KEY: 'key',
    COHERE_BASE_URL: double.url,
    COHERE_EMBED_DIMENSION: 256,
    MODEL_SILENCE_MS: 2000,
  };
  const seen: Record<string, unknown> = {};
  let app = await openApp(config);
  try {
    const take = () => app.ingest({ path: library, prune: true, actor: 'system' });
    seen.added = (await take()).added;
    seen.generations = await generations(app);

    double.next(well);
    seen.answered = await asked(app, bridge);
    seen.again = await asked(app, bridge);
    const questions = [double.embeds.at(-1)!.body, double.reranks[0]!.body];
    seen.modelsAsked = questions.map((body) =>
      'query' in body ? body.query : [body.input_type, body.texts],
    );
    seen.calls = [double.chats.length, double.reranks.length];
    double.next(says({ pieces: ['NO_ANSWER'] }));
    seen.declined = await asked(app, 'Сколько стоит проезд на метро?');
    seen.exact = await asked(app, 'Что сказано в статье 3?');
    seen.chats = double.chats.length;

    const [start, ...rest] = eventsOf({ pieces: ['Мост', ' закрывают', ' в мае', ' навсегда.'] });
    double.next({ steps: [start!, ...rest.slice(0, 4), 'cut'] });
    seen.broken = await asked(app, 'На ремонт мост когда закрывают?');
    double.next(
      says({ pieces: ['Мост закрыт навсегда.'], citations: [{ of: 'навсегда', documents: ['9'] }] }),
      says({ pieces: ['NO_ANSWER'] }),
    );
    seen.unsupported = await asked(app, 'Закрывают ли мост на ремонт?');

    const whole = eventsOf({
      pieces: [...answer.match(/\s*\S+/gu)!, ' И'],
      citations: [{ of: answer, documents: ['1'] }],
    });
    double.next({ steps: [...whole.slice(0, -2), 'stall'] });
    const leaving = new AbortController();
    const gone = double.aborted();
    const caller = { actor: 'public', key_id: null, subject: 'reader' };
    const input = { query: 'Мост через реку Быструю закрывают?', channel: 'cli' as const, caller };
    for await (const part of app.ask({ ...input, style: null, history: [] }, leaving.signal))
      if (part.type === 'text') leaving.abort();
    await gone;

    double.chat = double.rerank = double.embed = () => ({ status: 500, body: 'away' });
    seen.away = await asked(app, 'В какое время закрывают мост на ремонт?');
    double.chat = () => well;
    await app.close();

    app = await openApp({ ...config, COHERE_EMBED_DIMENSION: 512, COHERE_RERANK_MODEL: null });
    const fresh = await CohereDouble.start();
    double.embed = fresh.embed;
    await fresh.stop();
    seen.before = await generations(app);
    double.embeds.length = 0;
    seen.withOld = await asked(app, 'Когда же закрывают мост на ремонт?');
    seen.dimensions = double.embeds.map(({ body }) => body.output_dimension);
    const { job } = await app.admin.backfill({ doc_key: null, batch_size: 50 }, acting);
    for (let status = ''; status !== 'completed'; ) {
      await app.caughtUp();
      ({ status } = await app.admin.backfillJob(job.job_id));
      if (status === 'failed') throw new Error('The backfill has failed.');
    }
    seen.after = await generations(app);
    writeFileSync(join(library, 'ferry.md'), '# Паром\n\nПаром ходит зимой по льду пешком.\n');
    seen.revised = (await take()).revised;
    seen.afterRevision = await generations(app);

    await app.caughtUp();
    const log = await app.admin.queries({ limit: 50, offset: 0 }, acting);
    seen.log = log.items
      .map(({ query, mode, model, cached, error }) => ({ query, mode, model, cached, error }))
      .sort((a, b) => (a.query < b.query ? -1 : 1));
    seen.discrepancies = await discrepancies(app);
    await app.close();

    app = await openApp({ ...config, DOCENT_BUDGET_DAY: 0.0001 });
    await app.caughtUp();
    const calls = double.chats.length;
    seen.overBudget = await asked(app, 'Мост на ремонт закрывают, но когда?');
    seen.callsOverBudget = double.chats.length - calls;
    seen.health = await eventually(() => {
      const { status, reasons, components } = app.health();
      // On a busy machine a thread may not have answered since the start.
      expect(status).not.toBe('down');
      return { status, reasons, models: components.models };
    });
    await app.caughtUp();
    seen.models = (await app.admin.stats(null, acting)).models;
    return seen;
  } finally {
    await app.close();
    await double.stop();
  }
}

let reference: Record<string, unknown>;
beforeAll(async () => {
  reference = await story({});
});

it('tells of what happened', () => {
  const written = { mode: 'ordinary', text: answer, degraded: false, replaced: [], quotes: [answer] };
  const extract = { mode: 'ordinary', text: expect.stringContaining('октябре'), degraded: true };
  expect(reference).toMatchObject({
    added: 3,
    generations: [['cohere:embed-v4.0:256', true, true]],
    answered: { ...written, cached: false },
    again: { ...written, cached: true },
    modelsAsked: [['search_query', [bridge]], bridge],
    calls: [1, 1],
    exact: { mode: 'exact', degraded: false },
    declined: { mode: 'no_answer', degraded: false },
    chats: 2,
    broken: { ...extract, replaced: [] },
    unsupported: { mode: 'no_answer', degraded: false, replaced: [] },
    away: { ...extract, replaced: [] },
    before: [
      ['cohere:embed-v4.0:512', false, false],
      ['cohere:embed-v4.0:256', true, true],
    ],
    withOld: written,
    dimensions: [256],
    after: [
      ['cohere:embed-v4.0:512', true, true],
      ['cohere:embed-v4.0:256', true, false],
    ],
    revised: 1,
    afterRevision: [
      ['cohere:embed-v4.0:512', true, true],
      ['cohere:embed-v4.0:256', false, false],
    ],
    discrepancies: {},
    overBudget: { ...extract, replaced: [] },
    callsOverBudget: 0,
    health: {
      status: 'degraded',
      reasons: ['The budget of the day for language models is spent.'],
      models: 'degraded',
    },
    models: { chats: 12, reranks: 5, cost_usd: expect.any(Number) },
  });
  expect((reference.models as { cost_usd: number }).cost_usd).toBeGreaterThan(0.005);
  const log = reference.log as { query: string; model: string | null; error: string | null }[];
  const of = (query: string) => log.filter((one) => one.query === query);
  expect(of(bridge)).toMatchObject([
    { model: 'cohere:command-a-03-2025' },
    { model: 'cohere:command-a-03-2025' },
  ]);
  expect(of('Мост через реку Быструю закрывают?')).toMatchObject([{ error: 'cancelled' }]);
});

const same = sameOver(story, () => reference);

describe('with a double of EventStoreDB', () => {
  const eventStore = shared(startDouble);
  same('EventStoreDB and the data folder', () => ({ EVENTSTOREDB_URL: eventStore() }));
});

withRedis('with a real Redis', (start) => {
  const redis = shared(start);
  same('the data folder and Redis', () => ({ REDIS_URL: redis() }));
});

withEventStore('with a real EventStoreDB', (start) => {
  const eventStore = shared(start);
  withRedis('and a real Redis', (startRedis) => {
    const redis = shared(startRedis);
    same('EventStoreDB and Redis', () => ({ EVENTSTOREDB_URL: eventStore(), REDIS_URL: redis() }));
  });
});

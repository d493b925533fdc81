/** Entities that a language model finds in documents: in the history, in the graph, and later without the model. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { CohereDouble, completes } from '../support/cohere-double.ts';
import { newFolder } from '../support/folder.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { discrepancies } from './story.ts';

let double: CohereDouble;
let folder: string;
beforeEach(async () => {
  double = await CohereDouble.start();
  folder = newFolder('graph-model', {
    'note.md': 'the mill stands where blackwater meets the sea, and so it was told.\n',
  });
});
afterEach(() => double.stop());

const open = (env: NodeJS.ProcessEnv) =>
  openApp(readConfig({ DOCENT_DATA: join(folder, 'data'), ...env }, join(folder, 'none')), {
    asksSoon: false,
  });
const withModel = (env: NodeJS.ProcessEnv = {}) => ({
  COHERE_API_KEY: 'key',
  COHERE_BASE_URL: double.url,
  COHERE_EMBED_MODEL: 'off',
  COHERE_RERANK_MODEL: 'off',
  DOCENT_GRAPH_MODEL: 'on',
  ...env,
});
const naming = (words: string) =>
  completes({ passages: [{ passage: 1, names: [{ kind: 'place', words }] }] });

async function placesIn(app: App) {
  await app.caughtUp();
  const question = { entity: null, to: null, query: null, relation: null, depth: 1, limit: 50 } as const;
  const { nodes } = await app.graph.query('town', question);
  return nodes.filter(({ kind }) => kind === 'place').map(({ name, places }) => [name, places[0]?.start]);
}
const take = (app: App) => app.ingest({ path: join(folder, 'note.md'), corpus_id: 'town', actor: 'system' });

async function story(env: NodeJS.ProcessEnv = {}) {
  double.structured = () => naming('blackwater');
  let app = await open(withModel(env));
  try {
    await take(app);
    expect(await placesIn(app)).toEqual([['blackwater', 22]]);
    expect(double.structuredCalls[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(double.structuredCalls[0]?.body).not.toHaveProperty('documents');
  } finally {
    await app.close();
  }
  // Without a key, the output of the model comes only from the history.
  app = await open(env);
  try {
    await app.rebuild();
    expect(await placesIn(app)).toEqual([['blackwater', 22]]);
    expect(double.structuredCalls).toHaveLength(1);
    expect(await discrepancies(app)).toEqual({});
  } finally {
    await app.close();
  }
}

test('entities are in the graph, even after a rebuild without the model', () => story());

test.each([
  ['refused', { status: 500, body: {} }],
  ['lost', 'cut' as const],
])('documents are ingested without entities if the model is %s', async (_, fault) => {
  double.fail(fault, fault, fault);
  const app = await open(withModel());
  try {
    expect(await take(app)).toMatchObject({ added: 1, skipped: [] });
    expect(await placesIn(app)).toEqual([]);
  } finally {
    await app.close();
  }
});

test('the model is called only if enabled and within the budget', async () => {
  for (const env of [{ DOCENT_GRAPH_MODEL: 'off' }, { DOCENT_BUDGET_DAY: '0' }]) {
    const app = await open({ ...withModel(env), DOCENT_DATA: join(folder, `data-${Object.keys(env)[0]}`) });
    try {
      expect(await take(app)).toMatchObject({ added: 1 });
    } finally {
      await app.close();
    }
  }
  expect(double.structuredCalls).toHaveLength(0);
});

withRedis('over Redis', (start) => {
  test('entities are the same', async () => {
    const server = await start();
    try {
      await story({ REDIS_URL: server.url, DOCENT_NAMESPACE: testNamespace() });
    } finally {
      await server.stop();
    }
  });
});

/** Which provider is used for which capability. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelsOf, readConfig } from '../../src/config.ts';
import { openModels } from '../../src/workers/open-models.ts';
import { CohereDouble } from '../support/cohere-double.ts';
import { OpenAiDouble } from '../support/openai-double.ts';

let cohere: CohereDouble;
let openai: OpenAiDouble;
beforeAll(async () => {
  [cohere, openai] = await Promise.all([CohereDouble.start(), OpenAiDouble.start()]);
});
afterAll(() => Promise.all([cohere.stop(), openai.stop()]));

const opened = (env: NodeJS.ProcessEnv) =>
  openModels(
    modelsOf(
      readConfig(
        { COHERE_BASE_URL: cohere.url, OPENAI_BASE_URL: openai.url, MODEL_RERANK_MS: '50', ...env },
        '/nonexistent/.env',
      ),
    ),
    { onTrouble: () => {} },
  );
const named = async (env: NodeJS.ProcessEnv) => {
  const { generator, structured, verifier, embedder, reranker } = await opened(env);
  return [generator, structured, verifier, embedder, reranker].map((one) => one?.name ?? null);
};

test('uses the built-in embedder if nothing is configured', async () => {
  expect(await named({})).toEqual([null, null, null, 'offline-grams-1', null]);
});

test('uses the built-in embedder with a separate chat model', async () => {
  const [chat, structured, verifier, embedder, reranker] = await named({ OPENAI_CHAT_MODEL: 'q' });
  expect([chat, structured, verifier, reranker]).toEqual(['openai:q', 'openai:q', 'openai:q', null]);
  expect(embedder).toBe((await named({}))[3]);
});

test('uses for each capability the provider configured for it', async () => {
  expect(await named({ COHERE_API_KEY: 'k', OPENAI_CHAT_MODEL: 'q', COHERE_EMBED_MODEL: 'off' })).toEqual([
    'openai:q',
    'openai:q',
    'openai:q',
    null,
    'cohere:rerank-v4.0-pro',
  ]);
  const env = { COHERE_API_KEY: 'k', OPENAI_EMBED_MODEL: 'bge', OPENAI_VERIFY_MODEL: 'v' };
  expect(await named(env)).toEqual([
    ...['cohere:command-a-03-2025', 'cohere:command-a-03-2025', 'openai:v'],
    ...['openai:bge:1024', 'cohere:rerank-v4.0-pro'],
  ]);
});

test('uses earlier vectors with the provider that created them, and both providers report failures', async () => {
  const models = await opened({
    COHERE_API_KEY: 'k',
    OPENAI_CHAT_MODEL: 'q',
    OPENAI_RERANK_MODEL: 'r',
    OPENAI_EMBED_MODEL: 'bge',
    OPENAI_EMBED_DIMENSION: '64',
    COHERE_EMBED_MODEL: 'off',
  });
  expect(models.embedderNamed('cohere:embed-v4.0:256')?.name).toBe('cohere:embed-v4.0:256');
  expect(models.embedderNamed('openai:e5:384')?.name).toBe('openai:e5:384');
  expect(models.embedderNamed('offline-grams-1')).toBeNull();
  await models.embedderNamed('cohere:embed-v4.0:256')!.embed(['a'], 'query');
  await models.embedder!.embed(['a'], 'query');
  expect([cohere.embeds.length, openai.embeds.length]).toEqual([1, 1]);
  openai.rerank = () => ({ status: 500, body: '' });
  for (let n = 0; n < 5; n++) await models.reranker!.rerank('a', ['b']).catch(() => {});
  expect(models.down()).toEqual(["The model server's rerank"]);
});

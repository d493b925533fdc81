/** The service with a self-hosted model server, used for everything or only for answers. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder } from '../support/folder.ts';
import { completes, OpenAiDouble, passagesIn, says } from '../support/openai-double.ts';
import { read } from '../support/second-reader.ts';
import { writeLibrary } from './story.ts';

let double: OpenAiDouble;
let folder: string;
beforeEach(async () => {
  double = await OpenAiDouble.start();
  folder = newFolder('openai');
  writeLibrary(join(folder, 'library'));
  double.structured = ({ messages }) => {
    const content = messages.at(-1)!.content;
    return completes('sentences' in JSON.parse(content) ? read(content) : { queries: [] });
  };
  // The passage may have any number.
  double.chat = (request) => {
    const [number] = [...passagesIn(request)].find(([, { text }]) => text?.includes('Быструю')) ?? [];
    return says({
      pieces: ['Мост через реку Быструю закрывают', ' на ремонт каждую осень в октябре [', `${number}].`],
    });
  };
});
afterEach(() => double.stop());

async function withApp(env: NodeJS.ProcessEnv, use: (app: Service) => Promise<void>): Promise<void> {
  const config = readConfig(
    { DOCENT_DATA: join(folder, 'data'), OPENAI_BASE_URL: double.url, OPENAI_CHAT_MODEL: 'qwen', ...env },
    join(folder, 'none'),
  );
  const app = await openApp(config, { asksSoon: false });
  try {
    await app.ingest({ path: join(folder, 'library'), prune: true, actor: 'system' });
    await app.caughtUp();
    await use(app);
  } finally {
    await app.close();
  }
}

const bridge = 'Когда закрывают мост на ремонт?';
const answered = {
  answer: 'Мост через реку Быструю закрывают на ремонт каждую осень в октябре.',
  degraded: false,
  quotes: [expect.stringContaining('октябре')],
};

test('one model server provides answers, second readings, vectors and reranking', () =>
  withApp(
    { OPENAI_EMBED_MODEL: 'bge', OPENAI_EMBED_DIMENSION: '64', OPENAI_RERANK_MODEL: 'reranker' },
    async (app) => {
      const { generations } = await app.admin.embeddingStatus();
      expect(generations.map(({ embedder, serves }) => [embedder, serves])).toEqual([
        ['openai:bge:64', true],
      ]);
      expect(await answerOf(app, bridge)).toMatchObject(answered);
      expect(double.embeds.at(-1)!.body.input).toEqual([bridge]);
      expect(double.reranks).toHaveLength(1);
      expect(double.chats).toHaveLength(1);
      expect(double.structuredCalls.length).toBeGreaterThan(0);
    },
  ));

test('a model server provides the answers, and the built-in embedder the vectors', () =>
  withApp({}, async (app) => {
    const { generations } = await app.admin.embeddingStatus();
    expect(generations.map(({ embedder }) => embedder)).toEqual(['offline-grams-1']);
    expect(await answerOf(app, bridge)).toMatchObject(answered);
    expect([double.embeds, double.reranks]).toEqual([[], []]);
  }));

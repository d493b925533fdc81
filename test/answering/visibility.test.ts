/** What is visible depends on the current settings of the corpus, not on those at publication. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Layer } from '../../src/domain/events.ts';
import { answerOf, callerOf } from '../support/asking.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

const norm: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const notes: Layer = { name: 'notes', title: null, kind: 'text', visibility: 'public' };
const question = 'Where does the grand piano stand?';

let folder: string;
let app: Service;
beforeAll(async () => {
  folder = newFolder('visibility');
  const files = {
    'corpus.yaml': `id: hall
title: Hall
languages: [en]
layers:
  - {name: norm}
  - {name: notes}
files:
  - {path: "notes/**", layer: notes}
`,
    'norm.md': '# Charter\n\n## Article 1. Opening\n\nThe hall opens at nine.\n',
    'notes/room.md':
      '# Notes\n\n## Article 2. The piano\n\nThe grand piano stands in the small hall by the window.\n',
  };
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')));
  await app.ingest({ path: writeFiles(join(folder, 'hall'), files), actor: 'system' });
  await app.caughtUp();
});
afterAll(() => app.close());

const ask = (query: string) => answerOf(app, query, { corpus_id: 'hall' });

const settings = (layers: Layer[]) =>
  app.admin.changeCorpus('hall', { layers }, { name: 'test', request_id: 'c' });

test('a restricted layer is neither quoted nor listed until it is public again', async () => {
  const before = await ask(question);
  expect(before.answer).toContain('by the window');

  await settings([norm, { ...notes, visibility: 'restricted' }]);
  for (const query of [question, 'Article 2', 'article 3', 'What stands by the window?', 'piano']) {
    const { answer, refs } = await ask(query);
    expect(answer).not.toMatch(/window|piano|room/);
    expect(refs.filter((ref) => ref.startsWith('notes/'))).toEqual([]);
    const looked = await app.sourceRefs(
      { query, corpus_id: 'hall', caller: callerOf(null) },
      new AbortController().signal,
    );
    expect(looked.sources.filter(({ ref }) => ref.startsWith('notes/'))).toEqual([]);
  }

  await settings([norm, { ...notes, kind: 'superseded' }]);
  expect((await ask('Article 2')).refs.filter((ref) => ref.startsWith('notes/'))).toEqual([]);
  expect((await ask('What did Article 2 say before?')).mode).toBe('historical');

  await settings([norm, notes]);
  expect((await ask(question)).answer).toBe(before.answer);
});

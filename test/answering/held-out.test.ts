/** Answers over documents that no rule was tuned on, with one corpus for each language. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { cases, documents } from './held-out/documents.ts';

const languages = ['ru', 'kk', 'en'] as const;

let folder: string;
let app: App;
beforeAll(async () => {
  folder = newFolder('held-out');
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')));
  for (const lang of languages) {
    const { file, text } = documents[lang];
    const path = writeFiles(join(folder, lang), { [file]: text });
    await app.ingest({ path, corpus_id: `held_out_${lang}`, actor: 'system' });
  }
});
afterAll(() => app.close());

describe.each(languages)('%s', (lang) => {
  test.each(cases[lang].map(({ q, has }) => [q, has] as const))('%s', async (q, has) => {
    const { mode, answer, quotes } = await answerOf(app, q, { corpus_id: `held_out_${lang}` });
    for (const quote of quotes) expect(documents[lang].text).toContain(quote);
    if (has === null) expect(mode).toBe('no_answer');
    else {
      expect([mode, answer]).toEqual(['ordinary', expect.stringContaining(has)]);
      expect(quotes.some((quote) => quote.includes(has))).toBe(true);
    }
  });
});

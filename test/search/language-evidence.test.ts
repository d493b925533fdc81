import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CorpusSettings, Language, Layer } from '../../src/domain/events.ts';
import type { ChunkSearch } from '../../src/ports/chunk-search.ts';
import { understand } from '../../src/question/question.ts';
import { wording } from '../../src/search/language-evidence.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/search/sqlite/chunks.ts';
import { isLanguageCertain } from '../../src/text/language.ts';
import { putDocument } from '../reading/documents.ts';

const norm: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const settings: CorpusSettings = {
  title: 'Город',
  description: null,
  languages: ['ru', 'kk', 'en'],
  styles: ['brief'],
  layers: [norm],
};
const texts: Record<'ru' | 'kk' | 'en', string> = {
  ru: 'Столица стоит на реке. Зарплату учителей повысят. Мост построил мэр Асан Иманов.',
  kk: 'Астана өзен жағасында. Мұғалімдердің жалақысы өседі. Көпірді қала әкімі салды. Әркімнің білім алу құқығы бар.',
  en: 'The capital stands on a river. Teachers will be paid more. Mayor Asan Imanov built the bridge near Kensai harbour.',
};

let db: DatabaseSync;
let search: ChunkSearch;
beforeAll(() => {
  db = new DatabaseSync(':memory:');
  createChunkTables(db, 'c_');
  const writer = new ChunkWriter(db, 'c_');
  for (const [n, lang] of (['ru', 'kk', 'en'] as const).entries()) {
    const chunk = { number: null, unit: null, heading: '', text: texts[lang] };
    putDocument(writer, { doc_id: n + 1, title: '', layer: norm, lang }, [chunk]);
  }
  search = openChunkSearch(db, 'c_');
});
afterAll(() => db.close());

const worded = async (question: string) =>
  (await wording(search, { corpus_id: 'town', layers: ['norm'] }, question)) ?? undefined;
const languageOf = async (question: string): Promise<Language> =>
  understand(question, [], settings, isLanguageCertain(question) ? undefined : await worded(question)).lang;

describe('the language of a question that its words do not identify', () => {
  it.each([
    ['астана', 'kk', 'Kazakh without its specific letters'],
    ['сталица', 'ru', 'a misspelt word'],
    ['capitel', 'en', 'a misspelt word'],
    ['мугалимдердин жалакысы', 'kk', 'Kazakh typed without its specific letters'],
    ['astana qala', 'kk', 'Kazakh in Latin letters'],
    ['столица', 'ru', 'a Russian word'],
    ['Kensai harbour', 'en', 'two names in Latin letters'],
    ['сфзшефд', 'en', 'another keyboard layout'],
  ])('%s: %s (%s)', async (question, lang) => {
    expect(isLanguageCertain(question)).toBe(false);
    expect(await languageOf(question)).toBe(lang);
  });

  it('is the default of the script if the documents do not identify it either', async () => {
    expect(await worded('абракадабра')).toEqual({ typed: 'абракадабра', evidence: {} });
    expect(await languageOf('абракадабра')).toBe('ru');
  });
});

describe('the language of a question that its words identify', () => {
  it.each([
    ['Who is Imanov?', 'en'],
    ['Кто такой Imanov?', 'ru'],
    ['Астана қай жерде?', 'kk'],
  ])('%s: %s, regardless of the documents', async (question, lang) => {
    expect(isLanguageCertain(question)).toBe(true);
    expect(await languageOf(question)).toBe(lang);
  });
});

import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import { passagesHolding } from '../../src/search/passages-holding.ts';
import { openChunkSearch } from '../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../src/search/sqlite/chunks.ts';
import { chunk, revision } from './chunks.contract.ts';

const texts = [
  'Конституционный Суд состоит из одиннадцати судей.',
  'Решения Конституционного Суда обязательны.',
  'Верховный Суд рассматривает дела.',
  'Конституционные законы принимает Курултай.',
  'The Constitutional Court reviews laws.',
  'Депутаттар сайланады.',
];

/** The languages of the texts that are not Russian. */
const langs: Record<number, Language> = { 4: 'en', 5: 'kk' };

describe('passages that contain all the given words', () => {
  let db: DatabaseSync;
  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    createChunkTables(db, 'c_');
    const writer = new ChunkWriter(db, 'c_');
    for (const [n, text] of texts.entries())
      for (const write of revision(n + 1, 1, [chunk(text, { lang: langs[n] ?? 'ru' })])) writer.write(write);
  });
  afterEach(() => db.close());

  const holding = async (words: string, limit = 10, layers = ['norm']) => {
    const search = openChunkSearch(db, 'c_');
    const { passages } = await passagesHolding(search, { corpus_id: 'laws', layers }, words, limit);
    return passages.map(({ text }) => text).sort();
  };

  it('include every form of the words, but no passage with only some of them', async () => {
    expect(await holding('Конституционный Суд')).toEqual([texts[1], texts[0]].sort());
    expect(await holding('конституционным судом')).toEqual([texts[1], texts[0]].sort());
  });

  it('are found in each language by the words of that language', async () => {
    expect(await holding('constitutional courts')).toEqual([texts[4]]);
    expect(await holding('депутат')).toEqual([texts[5]]);
  });

  it('are found without stop words, and not at all if no other word remains', async () => {
    expect(await holding('в Верховном Суде')).toEqual([texts[2]]);
    expect(await holding('и в на')).toEqual([]);
  });

  it('are searched for in the given layers, up to the given number', async () => {
    expect(await holding('суд', 10, ['draft'])).toEqual([]);
    expect(await holding('суд', 2)).toHaveLength(2);
  });

  it('may be more, unless all candidates were read', async () => {
    const search = openChunkSearch(db, 'c_');
    const more = async (limit: number) =>
      (await passagesHolding(search, { corpus_id: 'laws', layers: ['norm'] }, 'суд', limit)).more;
    expect([await more(1), await more(2), await more(10)]).toEqual([true, true, false]);
  });
});

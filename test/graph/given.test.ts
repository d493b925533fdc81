import { describe, expect, test } from 'vitest';
import type { NamedKind } from '../../src/domain/events.ts';
import { extractEntities } from '../../src/graph/extract.ts';
import { givenMentions, withGiven } from '../../src/graph/given.ts';

const chunk = (text: string) => ({ text, lang: 'ru' as const, unit: null, number: null, heading: '' });
const merged = (text: string, ...given: [NamedKind, string][]) => {
  const places = given.map(([kind, words]) => {
    const start = text.indexOf(words);
    return { kind, text: words, start, end: start + words.length };
  });
  return withGiven(extractEntities(chunk(text)), givenMentions(places, 'ru'));
};
const shown = ({ mentions }: ReturnType<typeof merged>) =>
  mentions.filter(({ kind }) => kind !== 'topic').map(({ kind, surface }) => `${kind} ${surface}`);

describe('what a model names', () => {
  const text = 'По статье 5 Ольга Сейтова живёт в тихой вязовке с 2020 года.';

  test('is added to what the rules find', () => {
    const { mentions } = merged(text, ['place', 'вязовке']);
    expect(mentions.find(({ surface }) => surface === 'вязовке')).toMatchObject({
      ...{ kind: 'place', sure: true, kindKnown: true, start: text.indexOf('вязовке') },
    });
    expect(shown(merged(text, ['place', 'вязовке']))).toEqual([
      'provision статье 5',
      'person Ольга Сейтова',
      'place вязовке',
      'date 2020 года',
    ]);
  });

  test('has the key that its inflected forms have by rules', () => {
    const rules = extractEntities(chunk('Город Вязовка стоит у реки.')).mentions[0]!;
    const given = merged(text, ['place', 'вязовке']).mentions.find(({ kind }) => kind === 'place')!;
    expect(given.key).toBe(rules.key);
  });

  test('tells the kind of what both name', () => {
    expect(shown(merged(text, ['organisation', 'Ольга Сейтова']))).toContain('organisation Ольга Сейтова');
  });

  test('takes the place of a name it overlaps with, and never of a number', () => {
    const longer = merged(
      text,
      ['document', 'Ольга Сейтова живёт'],
      ['term', 'статье 5 Ольга'],
      ['term', '2020'],
    );
    expect(shown(longer)).toEqual(['provision статье 5', 'document Ольга Сейтова живёт', 'date 2020 года']);
  });

  test('leaves what is said of mentions with them', () => {
    const said = 'Центральная комиссия (далее — ЦК) собралась в вязовке по статье 3 Закона «О воде».';
    const before = extractEntities(chunk(said));
    const after = merged(said, ['organisation', 'Центральная комиссия'], ['place', 'вязовке']);
    const named = ({ mentions, statements }: typeof before) =>
      statements.map(({ from, to }) => [mentions[from]?.surface, to === null ? null : mentions[to]?.surface]);
    expect(named(after)).toEqual(named(before));
    const act = ({ mentions }: typeof before) => {
      const at = mentions.find(({ provision }) => provision !== null)?.provision?.act ?? null;
      return at === null ? null : mentions[at]?.surface;
    };
    expect(act(after)).toBe(act(before));
    expect(act(after)).toBe('Закона «О воде»');
  });

  test('is nothing where it holds no word', () => {
    expect(givenMentions([{ kind: 'term', text: '«»', start: 0, end: 2 }], 'ru')).toEqual([]);
  });
});

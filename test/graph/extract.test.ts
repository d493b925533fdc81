import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractEntities, mentionsMax } from '../../src/graph/extract.ts';
import type { ChunkToRead, EntityKind } from '../../src/graph/mentions.ts';
import { languages } from '../../src/text/languages/index.ts';
import { fragments } from '../hostile/corpus.ts';
import { blind } from './blind.ts';
import { drawn } from './drawn.ts';
import { read, score } from './labels.ts';
import { samples } from './samples.ts';
import { unread } from './unread.ts';
import { written } from './written.ts';

const chunk = (text: string, more: Partial<ChunkToRead> = {}): ChunkToRead => ({
  text,
  lang: 'ru',
  unit: null,
  number: null,
  heading: '',
  ...more,
});
const found = (of: ChunkToRead, kind: EntityKind) =>
  extractEntities(of)
    .mentions.filter((one) => one.kind === kind && one.sure)
    .map(({ surface, name }) => (name === surface ? surface : `${surface} = ${name}`));

describe('extraction', () => {
  test.each([
    ['the sample corpora', samples, 0.98],
    ['texts it was made with', written, 0.98],
    ['texts it was not made with', blind, 0.94],
    ['passages labelled before it read them', unread, 0.94],
    ['passages drawn by lot and labelled before it read them', drawn, 0.94],
  ])('finds what is named in %s', (_, texts, least) => {
    const { wrong, missed, f1 } = score(texts);
    expect(f1, [...missed, ...wrong].join('\n')).toBeGreaterThan(least);
  });

  test('finds every provision that labelled texts refer to, and nothing else', () => {
    for (const texts of [samples, written, blind, unread, drawn]) {
      const { wrong, missed } = score(texts, 'provision');
      expect({ wrong, missed }).toEqual({ wrong: [], missed: [] });
    }
  });

  test('is tried on 200 mentions and more that it had not read, in every language', () => {
    const counts = new Map<string, number>();
    for (const one of [...unread, ...drawn])
      counts.set(one.lang, (counts.get(one.lang) ?? 0) + read(one).labels.length);
    for (const lang of languages) expect(counts.get(lang), lang).toBeGreaterThan(35);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(200);
  });

  test('a part of a provision is one of the article it stands in, or that its heading names', () => {
    const text = 'Право ограничивают пункт 2 настоящей статьи и статья 5.';
    const expected = ['пункт 2 настоящей статьи = article 27, point 2', 'статья 5 = article 5'];
    expect(found(chunk(text, { unit: 'article', number: '27' }), 'provision')).toEqual(expected);
    expect(found(chunk(text, { heading: 'Комментарий к статье 27' }), 'provision')).toEqual(expected);
    expect(
      found(chunk('Осы баптың 2-тармағы.', { lang: 'kk', unit: 'article', number: '27' }), 'provision'),
    ).toEqual(['Осы баптың 2-тармағы = article 27, point 2']);
  });

  test("a chunk's own heading refers to nothing", () => {
    const heading = 'Article 29. Term of Office of the President';
    const text = `${heading}\n\nThe President serves under Article 31.`;
    const own = chunk(text, { lang: 'en', unit: 'article', number: '29', heading });
    expect(found(own, 'provision')).toEqual(['Article 31 = article 31']);
    expect(found(own, 'organisation')).toEqual(['President']);
  });

  test('a word that opens a sentence is no name for what follows it', () => {
    const of = (text: string) => found(chunk(text, { lang: 'en' }), 'organisation');
    expect(of('Citizenship of the Republic is acquired.')).toEqual([]);
    expect(of('We thank Friends of the Earth.')).toEqual(['Friends of the Earth']);
    expect(of('House of Representatives rules apply.')).toEqual(['House of Representatives']);
  });

  test('a provision knows the law that is named beside it', () => {
    const { mentions } = extractEntities(chunk('По статье 15 Закона РК «О воде» и по статье 3.'));
    const acts = mentions.flatMap(({ provision }) =>
      provision ? [provision.act === null ? null : mentions[provision.act]!.surface] : [],
    );
    expect(acts).toEqual(['Закона РК «О воде»', null]);
  });

  test('tells what a chunk says of its mentions', () => {
    const { mentions, statements } = extractEntities(
      chunk(
        'Центральная комиссия (далее — ЦК), министр экологии Данияр Сагымбай и ТОО «Мост» (далее — Поставщик).',
      ),
    );
    expect(
      statements.map(({ kind, from, to }) => [
        kind,
        mentions[from]!.surface,
        to === null ? null : mentions[to]!.surface,
      ]),
    ).toEqual([
      ['abbreviates', 'ЦК', 'Центральная комиссия'],
      ['defines', 'Поставщик', 'Мост'],
      ['holds', 'Данияр Сагымбай', 'министр экологии'],
    ]);
    const defined = extractEntities(chunk('Под личной тайной понимаются сведения о жизни.'));
    expect(defined.statements).toMatchObject([{ kind: 'defines', to: null, start: 0 }]);
  });

  test('shows names with their noun as a dictionary has it, and no verb in them', () => {
    const names = (text: string, lang: 'ru' | 'kk' = 'ru') =>
      extractEntities(chunk(text, { lang }))
        .mentions.filter(({ kind }) => kind === 'organisation')
        .map(({ name, rank }) => [name, rank]);
    expect(names('Решение Палаты представителей и Премьер-Министра.')).toEqual([
      ['Палата представителей', 1],
      ['Премьер-Министр', 1],
    ]);
    expect(names('По закону Палаты представителей избираются всеми.')).toEqual([
      ['Палата представителей', 1],
    ]);
    expect(names('Суд и Уполномоченный избирается ими.')).toContainEqual(['Уполномоченный', 1]);
    expect(names('Бұл Үкіметтің ісі.', 'kk')).toEqual([['Үкімет', 1]]);
    // What stands before the noun agrees with it, and a noun that is somebody's has another form.
    expect(names('Об этом сказано в Конституционном суде.')).toEqual([['Конституционном суде', 0]]);
    const topics = extractEntities(chunk('Глава избирается жителями. Он избирается жителями.')).mentions;
    expect(topics.filter(({ kind }) => kind === 'topic')).toEqual([]);
  });

  test('values are the same in every language', () => {
    const keys = (['ru', 'kk', 'en'] as const).map((lang) => {
      const text = {
        ru: 'Двести пятьдесят тысяч литров до 1 июля 2024 года.',
        kk: 'Екі жүз елу мың литр 2024 жылғы 1 шілдеге дейін.',
        en: 'Two hundred and fifty thousand litres by 1 July 2024.',
      }[lang];
      return extractEntities(chunk(text, { lang }))
        .mentions.filter(({ kind }) => kind === 'amount' || kind === 'date')
        .map(({ key }) => key);
    });
    expect(keys).toEqual([
      ['amount:250000 litre', 'date:2024-07-01'],
      ['amount:250000 litre', 'date:2024-07-01'],
      ['amount:250000 litre', 'date:2024-07-01'],
    ]);
  });

  test('every mention stands in the text, in order, within the bound', () => {
    const units = [...fragments, 'А. Сейтов (далее — ЦИК) ', '«Закон № 5» ', '5 млн тенге ', 'Article 7(2) '];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...units), { maxLength: 40 }),
        fc.constantFrom('ru' as const, 'kk' as const, 'en' as const),
        (parts, lang) => {
          const text = parts.join('');
          const { mentions, statements } = extractEntities(chunk(text, { lang }));
          expect(mentions.length).toBeLessThanOrEqual(mentionsMax);
          let before = 0;
          for (const { start, end, surface, key } of mentions) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end).replace(/\s+/g, ' ')).toBe(surface);
            expect(key).toMatch(/^(?:name|date|amount|provision|topic):./);
            before = start;
          }
          for (const { from, to } of statements) {
            expect(mentions[from]).toBeDefined();
            if (to !== null) expect(mentions[to]).toBeDefined();
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

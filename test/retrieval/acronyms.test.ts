import { describe, expect, it } from 'vitest';
import { writtenOut } from '../../src/retrieval/acronyms.ts';
import { termPartition } from './term-partition.ts';

/** What the texts make of a question of which they know no word. */
function written(question: string, ...texts: string[]): string {
  const bodies = texts.map((text) => text.split(' '));
  const { partition } = termPartition(
    [...new Set(bodies.flat())],
    bodies.map((body) => ({ body })),
  );
  return writtenOut(question, 'ru', partition, () => false);
}

describe('writtenOut', () => {
  it('puts in the words that stand for an acronym most often', () => {
    const court = 'конституционный суд решил';
    expect(written('сколько судей в КС', court, court, court, 'красивый сад')).toBe(
      'сколько судей в конституционный суд',
    );
  });

  it('passes over one function word between them, and none before', () => {
    const office = 'министерство по делам молодёжи';
    expect(written('кто ведёт МДМ', office, office)).toBe('кто ведёт министерство делам молодёжи');
    expect(written('кто ведёт ПД', office, office, office)).toBe('кто ведёт ПД');
  });

  it('leaves what stands too seldom, or not clearly more often than others', () => {
    expect(written('что такое КС', 'конституционный суд', 'красивый сад')).toBe('что такое КС');
    const [one, two] = ['конституционный суд', 'красивый сад'];
    expect(written('что такое КС', one, one, one, two, two)).toBe('что такое КС');
  });

  it('looks for four different ones of a question, however many there are: each is a scan of all texts', () => {
    const pairs = ['абрикос бел', 'ваза гора', 'дом игра', 'жук зима', 'игла кот', 'луна мост'];
    const texts = pairs.flatMap((pair) => [pair, pair, pair]);
    const asked = 'хорошо АБ хорошо АБ хорошо ВГ хорошо ДИ хорошо ЖЗ хорошо ИК хорошо ЛМ';
    expect(written(asked, ...texts)).toBe(
      'хорошо абрикос бел хорошо абрикос бел хорошо ваза гора хорошо дом игра хорошо жук зима хорошо ИК хорошо ЛМ',
    );
  });
});

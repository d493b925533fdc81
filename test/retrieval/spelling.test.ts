import { describe, expect, it } from 'vitest';
import type { PartitionTerms } from '../../src/retrieval/forward-index.ts';
import { respell, Spelling } from '../../src/retrieval/spelling.ts';
import type { Language } from '../../src/text/languages/index.ts';
import { stem, words } from '../../src/text/words.ts';
import { termPartition } from './term-partition.ts';

/** A partition of one chunk for each text. */
function partitionOf(texts: readonly (readonly [Language, string])[]): {
  partition: PartitionTerms;
  spelling: Spelling;
} {
  const all = texts.map(([lang, text]) => ({ lang, body: words(text) }));
  const { partition, vocabulary } = termPartition([...new Set(all.flatMap(({ body }) => body))], all);
  return { partition, spelling: new Spelling(vocabulary) };
}

const { partition, spelling } = partitionOf([
  ['ru', 'Президент избирается гражданами на шесть лет тайным голосованием'],
  ['ru', 'Столицей республики является город на реке'],
  ['ru', 'Налоги устанавливаются законом, загон для стада налогом не облагается'],
  ['ru', 'Пароль восстанавливается по ссылке в письме'],
  ['ru', 'В офисе документы хранятся пять лет'],
  ['ru', 'Границы республики охраняются, гражданин защищает её границы'],
  ['kk', 'Әркімнің еңбек ету құқығы бар, мұғалімдердің жалақысы өседі'],
  ['en', 'Receipts are kept for five years'],
  ['en', 'After the dissolution of parliament the president calls an election'],
  ['en', 'Every backup of the database is encrypted'],
]);
const put = (text: string) => respell(text, spelling, partition, () => false);

describe('a misspelt question', () => {
  it.each([
    ['призедент избераеться', 'президент избирается', 'by ear'],
    ['скока лет президенту', 'сколько лет президенту', 'by ear, a word no document has'],
    ['сталица республики', 'столицей республики', 'by ear, in a form the documents do not have'],
    ['как восстановить пороль', 'как восстановить пароль', 'by ear'],
    ['президетн республики', 'президент республики', 'letters swapped'],
    ['гражланин республики', 'гражданин республики', 'a neighbouring key'],
    ['прзидент республики', 'президент республики', 'a letter left out'],
    ['голосованнием тайным', 'голосованием тайным', 'a letter twice'],
    ['голосо ванием', 'голосованием', 'a blank too many'],
    ['вофисе', 'в офисе', 'a blank left out'],
    ['Reciepts for years', 'Receipts for years', 'by ear, a capital letter kept'],
    ['dissolushun of parlament', 'dissolution of parliament', 'by ear'],
    ['every bakcup of the databse', 'every backup of the database', 'two words'],
    ['мугалимдердин жалакысы', 'мұғалімдердің жалақысы', 'Kazakh without its own letters'],
    ['мугалимдердын жалакысы', 'мұғалімдердің жалақысы', 'the same with a slip'],
  ])('%s → %s (%s)', (typed, right) => {
    const stems = (text: string) => words(text).map(stem);
    expect(stems(put(typed).text)).toEqual(stems(right));
    expect(put(typed).text[0]).toBe(
      typed[0] === typed[0]!.toLowerCase() ? right[0] : right[0]!.toUpperCase(),
    );
  });

  it('says what was put in place of what', () => {
    expect(put('призедент').replaced).toEqual([{ stem: stem('призедент'), known: [stem('президент')] }]);
    expect(put('президент').replaced).toEqual([]);
  });

  it('keeps everything but the words', () => {
    expect(put('  Призедент (избераеться)?! ').text).toBe('  Президент (избирается)?! ');
  });
});

describe('a word that is right', () => {
  it.each([
    ['загон', 'known to the documents, beside a more frequent word'],
    ['какая столица Австралии', 'a name, and what is asked elsewhere'],
    ['кто такой Гражданкин', 'a name like a word'],
    ['сколько стоит борщ', 'a word of another subject'],
    ['статья 5', 'a word the language packs know'],
    ['договор аренды', 'a word the language packs know'],
    ['1235 и а1б2', 'with digits'],
    ['дом', 'too short'],
    ['', 'nothing'],
  ])('%s stays (%s)', (text) => {
    expect(put(text).text).toBe(text);
  });

  it('is not parted where its parts never stand together', () => {
    expect(put('полет').text).toBe('полет');
    expect(put('налет').text).toBe('налет');
  });

  it('is not taken for another where it is a word of theirs in the other script', () => {
    const elsewhere = (text: string) => respell(text, spelling, partition, () => true).text;
    expect(elsewhere('гражланин')).toBe('гражланин');
    expect(elsewhere('пороль')).toBe('пароль');
  });
});

describe('a word that nobody is sure of', () => {
  it('is only looked for beside what was typed where that is not sure', () => {
    const { text, perhaps } = put('загран');
    expect(text).toBe('загран');
    expect([...perhaps.values()].length).toBeLessThanOrEqual(1);
  });
});

describe('a partition', () => {
  it('gives no word that has gone from it', () => {
    const other = partitionOf([
      ['ru', 'парламент'],
      ['ru', 'закон'],
    ]);
    const of = (text: string) => respell(text, other.spelling, other.partition, () => false).text;
    expect(of('парлмент')).toBe('парламент');
    other.partition.remove(1);
    expect(of('парлмент')).toBe('парлмент');
  });

  it('follows its vocabulary', () => {
    const other = partitionOf([['ru', 'закон']]);
    expect(respell('парлмент', other.spelling, other.partition, () => false).text).toBe('парлмент');
    const { vocabulary } = other.partition;
    vocabulary.add([{ word: 'парламент', stem: stem('парламент'), second: null }]);
    const tokens = Uint32Array.from([vocabulary.words.length - 1]);
    const facts = { corpus_id: 'c', layer: 'main', title: '', event_date: null, stated: {} };
    other.partition.put({ doc_id: 2, ...facts, chunks: [{ id: 2, lang: 'ru', titled: 0, tokens }] });
    expect(respell('парлмент', other.spelling, other.partition, () => false).text).toBe('парламент');
  });
});

describe('a text of many unknown words', () => {
  const lookedUp: string[] = [];
  const counting = {
    meant: (word: string) => {
      lookedUp.push(word);
      return null;
    },
  } as unknown as Spelling;

  it('has each looked up once, however often it stands there', () => {
    lookedUp.length = 0;
    respell('тарабарщина '.repeat(200), counting, partition, () => false);
    expect(lookedUp).toEqual(['тарабарщина']);
  });

  it('has eight looked up: each is a search through all words', () => {
    lookedUp.length = 0;
    const many = Array.from({ length: 30 }, (_, n) => `щщ${String.fromCharCode(0x430 + n)}ъъ`);
    respell(many.join(' '), counting, partition, () => false);
    expect(lookedUp).toHaveLength(8);
  });

  it('leaves what is longer than any word', () => {
    expect(put('ё'.repeat(64)).text).toBe('ё'.repeat(64));
  });
});

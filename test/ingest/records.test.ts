/** Files of many documents, read in pieces that may end anywhere: within lines, characters and quotation marks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRecord } from '../../src/formats/blocks.ts';
import { prepareRecord, recordHash } from '../../src/ingest/prepare.ts';
import { type Placed, readDocuments, readLines, readParts } from '../../src/ingest/records.ts';
import { asked, bytes } from './fixtures.ts';

async function* cut(content: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

async function all(entries: AsyncIterable<Placed>): Promise<Placed[]> {
  const found: Placed[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

const recordsIn = (entries: readonly Placed[]): FileRecord[] =>
  entries.flatMap((entry) => ('record' in entry ? [entry.record] : []));
const faultsIn = (entries: readonly Placed[]) =>
  entries.flatMap((entry) => ('fault' in entry ? [`line ${entry.line}: ${entry.fault}`] : []));

describe('JSON lines', () => {
  it('are read as Markdown without its marks, and text that only resembles Markdown is kept', async () => {
    const lines = [
      { id: 'a', text: 'Нужен **паспорт**, см. [правила](https://a/b).\n- раз\n- два' },
      { id: 'b', question: 'Сколько?', answer: 'Так:\n\n1. **три** дня;\n2. `ещё` день.' },
      { id: 'c', text: '5 ** 2, 3 ** 2 и a_b_c [1](см. ниже), `Abd и `Umar\n    - как есть' },
    ];
    const entries = await all(readLines(cut(bytes(lines.map((line) => JSON.stringify(line)).join('\n')))));
    const prepared = await Promise.all(
      recordsIn(entries).map((record) => prepareRecord(record, asked('x.jsonl', ''))),
    );
    expect(prepared.map(({ text, chunks }) => [chunks[0]!.question, text.slice(chunks[0]!.start)])).toEqual([
      [null, 'Нужен паспорт, см. правила.\n\n– раз\n– два'],
      ['Сколько?', 'Так:\n1. три дня;\n2. ещё день.'],
      [null, '5 ** 2, 3 ** 2 и a_b_c [1](см. ниже), `Abd и `Umar\n\n– как есть'],
    ]);
  });

  it('are one document each; errors are reported by line, and the others are ingested', async () => {
    const lines = [
      '{"id":"a","title":"A","text":"Первый текст.","lang":"kk","url":"https://a","event_date":"2024-05","layer":"main","speaker":"B"}',
      'not json',
      '',
      '{"id":7,"text":"# Заголовок\\n\\nТекст."}',
      '{"id":"b"}',
      '{"text":"c"}',
      '{"id":"d","text":"  "}',
      '{"id":"e","text":"x","event_date":"soon"}',
      '{"id":"f","question":"Где?","answer":"Здесь."}',
      '{"id":"g","text":"Не для всех.","skip":true}',
      '{"id":"h","text":"x","skip":"yes"}',
      '{"id":"\u00ad","text":"x"}',
      '[1]',
      '{"id":"i","text":"В строке\u2028её конец."}',
    ];
    const entries = await all(readLines(cut(bytes(lines.join('\r\n')))));
    expect(faultsIn(entries)).toEqual([
      'line 2: not valid JSON',
      'line 5: "text" is missing',
      'line 6: "id" is missing',
      'line 8: "event_date" must be a date written YYYY-MM-DD, YYYY-MM or YYYY',
      'line 11: "skip" must be true or false',
      'line 12: "doc_key" must not be blank',
      'line 13: not a JSON object',
    ]);
    const input = asked('x.jsonl', '', {
      hints: { title: 'File', doc_key: 'file', source_url: 'https://s' },
    });
    const prepared = await Promise.allSettled(
      recordsIn(entries).map((record) => prepareRecord(record, input)),
    );
    expect(
      prepared.map((one) => {
        if (one.status === 'rejected') return one.reason.message;
        const { key, line, title, lang, url, source_url, event_date, metadata, text } = one.value;
        return [key, line, title, lang, url, source_url, event_date, metadata, text];
      }),
    ).toEqual([
      ['a', 1, 'A', 'kk', 'https://a/', 'https://s', '2024-05', { speaker: 'B' }, 'Первый текст.'],
      ['7', 4, 'Заголовок', 'ru', null, 'https://s', null, {}, 'Заголовок\n\nТекст.'],
      'empty: it contains no text',
      ['f', 9, '', 'ru', null, 'https://s', null, {}, 'Где?\n\nЗдесь.'],
      'it says to skip it',
      ['i', 14, '', 'ru', null, 'https://s', null, {}, 'В строке\n\nеё конец.'],
    ]);
    const pair = prepared[3];
    expect(pair?.status === 'fulfilled' && pair.value.chunks[0]?.question).toBe('Где?');
  });

  it('are read in the encoding of the file', async () => {
    const line = JSON.stringify({ id: 'a', text: 'Текст о порядке.' });
    for (const file of [
      Buffer.from(`\ufeff${line}\n`),
      Buffer.from(`\ufeff${line}\n`, 'utf16le'),
      Buffer.from([...line].map((ch) => (ch > '\u0400' ? ch.charCodeAt(0) - 0x350 : ch.charCodeAt(0)))),
    ]) {
      const [record] = recordsIn(await all(readLines(cut(file))));
      expect(record).toMatchObject({ key: 'a', text: 'Текст о порядке.' });
    }
  });

  it('that are too long are reported, and not kept in memory', async () => {
    const file = ['{"id":1,"text":"x"}', `{"id":2,"text":"${'x'.repeat(500)}"}`, '{"id":3,"text":"x"}'].join(
      '\n',
    );
    const entries = await all(readLines(cut(bytes(file)), 0, 100));
    expect(recordsIn(entries).map(({ key }) => key)).toEqual(['1', '3']);
    expect(faultsIn(entries)).toEqual(['line 2: longer than 100 characters']);
  });

  it('yield the same documents in pieces of any size, and when resumed', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), fc.nat(12), async (list, size, skip) => {
        const file = bytes(list.map((text, n) => `${JSON.stringify({ id: n, text })}\n`).join(''));
        const whole = await all(readLines(cut(file, file.length + 1)));
        const pieces = await all(readLines(cut(file, size), skip));
        const comparable = (entries: readonly Placed[]) => entries.map(({ bytes: _, ...entry }) => entry);
        expect(comparable(pieces)).toEqual(comparable(whole).slice(skip));
        expect(whole.length).toBe(list.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('CSV', () => {
  it('yields a document for each row, using the column names', async () => {
    const file =
      'ID;Text;Title;lang;skip;Автор\n1;"Первая; строка\nи вторая";Т;ru;;Иванов\n2;;Нет текста;;;\n3;Третья.;;de;;\n4;Скрытая.;;;true;\n';
    const entries = await all(readDocuments(cut(bytes(file))));
    expect(faultsIn(entries)).toEqual([
      'line 4: "text" is missing',
      'line 5: "lang" must be one of ru, kk, en',
    ]);
    expect(recordsIn(entries)).toMatchObject([
      {
        key: '1',
        text: 'Первая; строка\nи вторая',
        parsed: { title: 'Т', hints: { lang: 'ru', metadata: { автор: 'Иванов' } } },
      },
      { key: '4', parsed: { hints: { skip: true } } },
    ]);
  });

  it('with a large table is divided into documents, each with the column names', async () => {
    const file = `name,price\n${Array.from({ length: 5 }, (_, n) => `thing ${n},${n}`).join('\n')}\n`;
    const records = recordsIn(await all(readParts(cut(bytes(file)), 0, 2)));
    const input = asked('list.csv', '');
    const documents = await Promise.all(records.map((record) => prepareRecord(record, input)));
    expect(documents.map(({ key, title, text }) => [key, title, text])).toEqual([
      ['list', 'list', 'name: thing 0; price: 0\n\nname: thing 1; price: 1'],
      ['list~2', 'list (2)', 'name: thing 2; price: 2\n\nname: thing 3; price: 3'],
      ['list~3', 'list (3)', 'name: thing 4; price: 4'],
    ]);
    expect(new Set(records.map((record) => recordHash(record, input))).size).toBe(3);
    expect(recordsIn(await all(readParts(cut(bytes(file)), 2, 2)))).toEqual(records.slice(2));
  });

  it('ends at an unclosed quotation mark, and includes the text before it', async () => {
    const found: Placed[] = [];
    const reading = (async () => {
      for await (const entry of readDocuments(cut(bytes('id,text\n1,one\n2,"two\n3,three\n'))))
        found.push(entry);
    })();
    await expect(reading).rejects.toThrow('broken: a quotation mark is never closed');
    expect(recordsIn(found).map(({ key }) => key)).toEqual(['1']);
  });
});

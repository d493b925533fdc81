import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import { PartitionTerms } from '../../src/retrieval/forward-index.ts';
import { InvertedIndex } from '../../src/retrieval/inverted-index.ts';
import { Vocabulary } from '../../src/retrieval/term-dictionary.ts';
import { hasSecondStems, prefix, secondStem, stem } from '../../src/text/words.ts';

const known = ['налог', 'налоги', 'налоговый', 'сенаттан', 'сенат', 'закон', 'tax', 'taxes', 'taxation', 'и'];

interface Text {
  title: string[];
  body: string[];
  lang: Language;
}

function emptyPartition(): PartitionTerms {
  const vocabulary = new Vocabulary();
  vocabulary.add(known.map((word) => ({ word, stem: stem(word), second: secondStem(word) })));
  return new PartitionTerms(vocabulary);
}

function put(partition: PartitionTerms, docId: number, texts: readonly Text[]): void {
  partition.put({
    doc_id: docId,
    corpus_id: 'c',
    layer: 'main',
    title: '',
    event_date: null,
    stated: {},
    chunks: texts.map(({ title, body, lang }, n) => ({
      id: docId * 1000 + n,
      lang,
      titled: title.length,
      tokens: Uint32Array.from([...title, ...body], (word) => known.indexOf(word) + 1),
    })),
  });
}

function ask(
  partition: PartitionTerms,
  index: InvertedIndex,
  asked: readonly string[],
  limit: number,
): number[] {
  const { stems, prefixes } = partition.vocabulary;
  const ids = (all: number[]) => [...new Set(all)].filter((id) => id !== 0).map((id) => ({ id }));
  return index
    .best(
      {
        stems: ids(asked.map((word) => stems.find(stem(word)))),
        prefixes: ids(asked.map((word) => prefixes.find(prefix(word)))),
      },
      limit,
    )
    .map((slot) => partition.ids[slot]!);
}

/** The formula of inverted-index.ts without lists: chunk by chunk, word by word. */
function naive(texts: ReadonlyMap<number, Text>, asked: readonly string[]): Map<number, number> {
  const stemsOf = (word: string, lang: Language): string[] => {
    const second = hasSecondStems(lang) ? secondStem(word) : null;
    return second === null ? [stem(word)] : [stem(word), second];
  };
  const all = [...texts.values()];
  const lengthOf = ({ title, body }: Text) => title.length + body.length;
  const average = all.reduce((sum, text) => sum + lengthOf(text), 0) / all.length;
  const idf = (df: number) => Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
  const scores = new Map<number, number>();
  const add = (tfOf: (text: Text) => number, weight: number) => {
    const df = all.filter((text) => tfOf(text) > 0).length;
    for (const [id, text] of texts) {
      const tf = tfOf(text);
      const norm = 1.2 * (0.25 + (0.75 * lengthOf(text)) / average);
      if (tf > 0) scores.set(id, (scores.get(id) ?? 0) + (weight * idf(df) * tf) / (tf + norm));
    }
  };
  for (const term of new Set(asked.map(stem))) {
    const count = (list: string[], lang: Language) =>
      list.flatMap((word) => stemsOf(word, lang)).filter((other) => other === term).length;
    add(({ title, body, lang }) => 3 * count(title, lang) + count(body, lang), 1);
  }
  for (const term of new Set(asked.map(prefix)))
    add(({ title, body }) => ([...title, ...body].some((word) => prefix(word) === term) ? 1 : 0), 0.6);
  return scores;
}

const word = fc.constantFrom(...known);
const text: fc.Arbitrary<Text> = fc.record({
  title: fc.array(word, { maxLength: 2 }),
  body: fc.array(word, { minLength: 1, maxLength: 6 }),
  lang: fc.constantFrom<Language>('ru', 'kk'),
});

describe('candidates by words held in memory', () => {
  it('are those of the plain formula, in lists or not, while documents come, change and go', () => {
    // Documents of 300 to 700 chunks, of which a few texts repeat: lists are made, and slots get other numbers.
    const change = fc.record({
      doc: fc.integer({ min: 1, max: 5 }),
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
      chunks: fc.constantFrom(0, 1, 300, 700),
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ change, asked: fc.array(word, { minLength: 1, maxLength: 3 }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        (steps) => {
          const partition = emptyPartition();
          const index = new InvertedIndex(partition);
          const visible = new Map<number, Text>();
          for (const { change, asked } of steps) {
            for (const id of visible.keys()) if (Math.floor(id / 1000) === change.doc) visible.delete(id);
            const texts = Array.from(
              { length: change.chunks },
              (_, n) => change.texts[n % change.texts.length]!,
            );
            if (texts.length === 0) partition.remove(change.doc);
            else put(partition, change.doc, texts);
            for (const [n, one] of texts.entries()) visible.set(change.doc * 1000 + n, one);
            const scores = naive(visible, asked);
            const found = ask(partition, index, asked, 50);
            expect(found).toHaveLength(Math.min(50, scores.size));
            const expected = [...scores.values()].sort((a, b) => b - a).slice(0, 50);
            for (const [n, id] of found.entries()) expect(scores.get(id)).toBeCloseTo(expected[n]!, 4);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('come in the order of the documents where they are equal', () => {
    const partition = emptyPartition();
    const same: Text = { title: [], body: ['налог'], lang: 'ru' };
    put(partition, 1, [same, same, same]);
    put(partition, 2, [same, { ...same, title: ['налог'] }]);
    expect(ask(partition, new InvertedIndex(partition), ['налоги'], 4)).toEqual([2001, 1000, 1001, 1002]);
    expect(ask(partition, new InvertedIndex(partition), ['закон'], 4)).toEqual([]);
  });
});

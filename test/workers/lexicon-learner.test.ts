import { beforeEach, describe, expect, it } from 'vitest';
import type { Passage } from '../../src/ports/chunk-search.ts';
import type { Doc, Write } from '../../src/ports/read-models.ts';
import { type LearnerOptions, LexiconLearner } from '../../src/workers/lexicon-learner.ts';
import { act, written } from '../retrieval/lexicon/documents.ts';

const meanings = act(3, 12);
const texts = [written(meanings, { lang: 'ru', doc_id: 1 }), written(meanings, { lang: 'en', doc_id: 2 })];

let now: number;
let collections: Record<string, Doc[]>;
/** The revision of each document that the index shows. */
let indexed: number;
let commits: { checkpoint: string; expected: string | null; writes: Write[] }[];
let wins: boolean;
let learner: LexiconLearner;

const passages = (docId: number): Passage[] =>
  texts[docId - 1]!.sections.map(({ heading, text, number }, ordinal) => ({
    id: docId * 100 + ordinal,
    ordinal,
    facts: { revision: indexed } as Passage['facts'],
    chunk: {
      heading,
      path: [],
      question: null,
      unit: 'article',
      number: number!.split(' ')[1]!,
    } as unknown as Passage['chunk'],
    text,
  }));

beforeEach(() => {
  now = 0;
  indexed = 1;
  commits = [];
  wins = true;
  collections = {
    corpora: [
      {
        corpus_id: 'town',
        is_active: true,
        changed_at: '07',
        layers: [{ name: 'main', visibility: 'public' }],
      },
    ],
    documents: texts.map(({ doc_id, doc_key, lang, layer, sections }) => ({
      corpus_id: 'town',
      status: 'published',
      revision: 1,
      chunk_count: sections.length,
      ...{ doc_id, doc_key, lang, layer },
    })),
    lexicon_learned: [],
  };
  const options: LearnerOptions = {
    reads: {
      find: async (collection) => ({
        items: collections[collection]!,
        total: collections[collection]!.length,
      }),
      liveIndex: async () => '1',
      openIndex: () => ({
        list: async (docId) => ({ items: passages(docId), total: passages(docId).length }),
      }),
    },
    models: {
      builds: async () => [{ name: 'lexicon', version: 1, build: 1, checkpoint: null, live: true }],
      commit: async ({ checkpoint: expected }, checkpoint, writes) => {
        commits.push({ checkpoint, expected, writes: [...writes] });
        return wins;
      },
      // A commit is full with four writes.
      commitBudget: () => {
        let count = 0;
        return (writes) => {
          count += writes.length;
          return count / 4;
        };
      },
    },
    passed: () => '09',
    // Every look at the clock takes a millisecond.
    now: () => now++,
    settleMs: 1_000,
  };
  learner = new LexiconLearner(options);
});

/** Steps until nothing is left to do for now. */
async function learn(): Promise<void> {
  while (await learner.step());
}
const keys = () => commits.flatMap(({ writes }) => writes.map((write) => ('key' in write ? write.key : '')));

describe('the lexicon learner', () => {
  it('learns when documents have been left alone, and what it has learned it leaves', async () => {
    await learn();
    expect(commits).toEqual([]);
    now = 600;
    learner.changed();
    now = 1_200;
    expect(await learner.step()).toBe(false);
    now = 2_000;
    await learn();
    expect(keys()).toEqual(['2', '1', 'town en-ru 0', 'town']);
    expect(learner.due).toBe(false);
    collections.lexicon_learned = [
      { corpus_id: 'town', at: '07', words: ['town en-ru 0'], twins: ['1', '2'] },
    ];
    learner.changed();
    learner.hurry();
    await learn();
    expect(commits).toHaveLength(1);
  });

  it('commits up to where its build has passed the log, in portions, what says that it is done last', async () => {
    collections.lexicon_learned = [
      { corpus_id: 'town', at: '05', words: ['town en-ru 0', 'town en-ru 1'], twins: ['9'] },
    ];
    learner.hurry();
    await learn();
    expect(commits.map(({ expected, checkpoint }) => [expected, checkpoint])).toEqual([
      [null, '09'],
      ['09', '09'],
    ]);
    expect(keys()).toEqual(['2', '1', 'town en-ru 0', 'town en-ru 1', '9', 'town']);
    const deleted = commits.flatMap(({ writes }) => writes).filter(({ op }) => op === 'delete');
    expect(deleted).toHaveLength(2);
  });

  it('waits where the index shows another revision than the records', async () => {
    indexed = 2;
    learner.hurry();
    await learn();
    expect(commits).toEqual([]);
    expect(learner.due).toBe(true);
    indexed = 1;
    learner.hurry();
    await learn();
    expect(commits).toHaveLength(1);
  });

  it('learns again where another process was faster', async () => {
    wins = false;
    learner.hurry();
    await learn();
    expect(learner.due).toBe(true);
    wins = true;
    learner.hurry();
    await learn();
    expect(commits).toHaveLength(2);
    expect(learner.due).toBe(false);
  });

  it('learns nothing from what is restricted, or from a corpus that is not active', async () => {
    for (const change of [{ layers: [{ name: 'main', visibility: 'restricted' }] }, { is_active: false }]) {
      commits = [];
      collections.corpora = [{ ...collections.corpora![0]!, ...change }];
      learner.changed();
      learner.hurry();
      await learn();
      expect(keys()).toEqual(['town']);
    }
  });
});

/**
 * Running a set against a service: the record of each question, over HTTP and in the process, and the comparison of two
 * runs.
 */
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failures.ts';
import { compare, figuresOf } from '../../../tools/evaluation/figures.ts';
import { readJudgements, readQuestions } from '../../../tools/evaluation/questions.ts';
import { remoteService } from '../../../tools/evaluation/remote.ts';
import { type EvaluatedService, run, type StreamedPart } from '../../../tools/evaluation/running.ts';

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const set = lines(
  { id: 'q1', text: 'When was the bridge built?', lang: 'en', answers: ['1932'] },
  { id: 'q2', text: 'Who built the moon?', lang: 'en', answers: [] },
  {
    id: 'q3',
    query: 'Is the bridge red?',
    lang: 'en',
    category: 'yes/no',
    expect: 'answer',
    must_contain: ['red'],
  },
);
const judgements = 'query-id\tdoc-id\trelevance\nq1\tbridge\t1\nq1\triver\t0\n';

const answered = (id: string, text: string): StreamedPart[] => [
  { type: 'meta', request_id: id, mode: 'ordinary', lang: 'en' },
  { type: 'sources', sources: [{ ref: 'bridge#1', title: 'The bridge', heading: '' }] },
  { type: 'text', text },
  { type: 'citation', start: 0, end: text.length, ref: 'bridge#1', quote: text },
  { type: 'done', answer: text, mode: 'ordinary', cached: false },
];
const refused = (id: string): StreamedPart[] => [
  { type: 'meta', request_id: id, mode: 'no_answer', lang: 'en' },
  { type: 'text', text: 'Nothing was found.' },
  { type: 'done', answer: 'Nothing was found.', mode: 'no_answer', cached: false },
];

const script: Record<string, StreamedPart[]> = {
  q1: answered('r1', 'It was built in 1932.'),
  q2: refused('r2'),
  q3: answered('r3', 'It is red.'),
};

const service = (parts: Record<string, StreamedPart[]> = script): EvaluatedService => ({
  async *ask({ id }) {
    yield* parts[id]!;
  },
  documents: async () => ['river', 'bridge', 'bridge'],
  record: async (id) => ({ evidence: id === 'r2' ? -1 : 2, cost_micro_usd: id === 'r1' ? 500 : 1500 }),
});

const runOf = (of: EvaluatedService, questions = readQuestions(set, judgements)) => {
  let now = 0;
  const asked: number[] = [];
  const rows = run(of, questions, {
    corpusOf: ({ corpus }) => corpus,
    atOnce: 1,
    now: () => (now += 10),
    signal: new AbortController().signal,
    onProgress: (done) => asked.push(done),
  });
  return rows.then((list) => ({ rows: list, asked }));
};

describe('a run', () => {
  it("records the set's expectations for each question", async () => {
    const { rows, asked } = await runOf(service());
    expect(asked).toEqual([1, 2, 3]);
    expect(rows[0]).toMatchObject({
      documents: ['river', 'bridge'],
      answerable: true,
      scores: {
        'MRR@10': 1 / 2,
        'Recall@5': 1,
        'nDCG@10': 1 / Math.log2(3),
        contains: 1,
        F1: (2 * 1) / (5 + 1),
        'citation recall': 1,
        'citation precision': 1,
      },
    });
    expect(rows[1]).toMatchObject({ answerable: false, documents: null, scores: { EM: 1 } });
    expect(rows[1]!.scores).not.toHaveProperty('citation recall');
    expect(rows[2]).toMatchObject({ verdict: 'right', scores: { right: 1 } });
    expect(figuresOf(rows)).toMatchObject({
      'MRR@10': 1 / 2,
      contains: 1,
      EM: 1 / 2,
      right: 1,
      AUC: 1,
      'abstention recall': 1,
      'abstention precision': 1,
      'false abstention': 0,
      'p50 ms': 20,
      'first words p50 ms': 10,
      'USD in all': 0.0035,
      'USD a question': 0.0035 / 3,
      failed: 0,
    });
  });

  it('classifies an answer by its ending', async () => {
    const replaced: StreamedPart[] = [
      ...answered('r1', 'It was built in 1832.').slice(0, -1),
      { type: 'replace', answer: 'It was built in 1932.' },
      { type: 'citation', start: 0, end: 21, ref: 'bridge#1', quote: 'It was built in 1932.' },
      { type: 'done', answer: 'It was built in 1932.', mode: 'ordinary', cached: false, degraded: true },
    ];
    const { rows } = await runOf(service({ ...script, q1: replaced }));
    expect(rows[0]).toMatchObject({ degraded: true, scores: { contains: 1, 'citation precision': 1 } });
    expect(rows[0]!.citations).toHaveLength(1);
  });

  it('counts failures, and continues', async () => {
    const broken = {
      ...script,
      q1: script.q1!.slice(0, 3),
      q3: [{ type: 'error', detail: 'Away.' } as const],
    };
    const { rows } = await runOf(service(broken));
    expect(rows.map(({ failed }) => failed)).toEqual(['The answer ended unexpectedly.', undefined, 'Away.']);
    expect(rows[2]).toMatchObject({ verdict: 'wrong', why: 'Away.' });
    expect(figuresOf(rows)).toMatchObject({ failed: 2 / 3, right: 0, contains: 0 });
  });
});

describe('two runs', () => {
  it('differ in the questions with different outcomes', async () => {
    const [before, after] = await Promise.all([
      runOf(service()),
      runOf(service({ ...script, q3: refused('r3') })),
    ]);
    const { changed, figures, questions, left_out, reworded } = compare(before.rows, after.rows);
    expect([questions, left_out, reworded]).toEqual([3, 0, 0]);
    expect(changed).toEqual([
      {
        id: 'q3',
        query: 'Is the bridge red?',
        before: 'right (ordinary) citation recall 1 citation precision 1',
        after: 'wrongly refused (no_answer)',
      },
    ]);
    expect(figures.find(({ name }) => name === 'right')).toMatchObject({ before: 1, after: 0 });
    expect(figures.find(({ name }) => name === 'contains')).toMatchObject({
      interval: null,
      significant: false,
    });
  });

  it('differ significantly if many questions do', async () => {
    const many = readQuestions(
      lines(...Array.from({ length: 40 }, (_, n) => ({ id: `q${n}`, text: 'When?', answers: ['1932'] }))),
      null,
    );
    const figures = (good: (n: number) => boolean) =>
      service(
        Object.fromEntries(
          many.map(({ id }, n) => [id, good(n) ? answered(id, 'In 1932.') : answered(id, 'In spring.')]),
        ),
      );
    const [none, half] = await Promise.all([
      runOf(
        figures(() => false),
        many,
      ),
      runOf(
        figures((n) => n % 2 === 0),
        many,
      ),
    ]);
    const contains = compare(none.rows, half.rows).figures.find(({ name }) => name === 'contains')!;
    expect(contains).toMatchObject({ before: 0, after: 0.5, significant: true });
    expect(contains.interval!.low).toBeGreaterThan(0.3);
  });

  it('are compared over the questions they share', async () => {
    const { rows } = await runOf(service());
    expect(compare(rows.slice(0, 2), rows.slice(1))).toMatchObject({ questions: 1, left_out: 2 });
  });
});

describe('a set', () => {
  it.each([
    ['invalid JSON', '{"id": 1'],
    ['a list', '[1]'],
    ['no question', '{"id": 1, "a": "x", "b": "y"}'],
    ['a duplicate id', '{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}'],
  ])('with %s is rejected', (_, text) => {
    expect(() => readQuestions(text, null)).toThrow(Failure);
  });

  it('may have judgements in three columns, or in the four of TREC', () => {
    const wanted = new Map([['q', new Map([['d', 2]])]]);
    expect(readJudgements('q\td\t2\n')).toEqual(wanted);
    expect(readJudgements('query-id\tdoc-id\trelevance\nq\td\t2')).toEqual(wanted);
    expect(readJudgements('q 0 d 2\n')).toEqual(wanted);
  });

  it('may give the documents that answer a question on its line', () => {
    const [question] = readQuestions('{"text": "a", "documents": ["bridge"]}', null);
    expect(question).toMatchObject({ id: '1', documents: new Map([['bridge', 1]]) });
  });
});

describe('a running server', () => {
  const frames = script
    .q1!.map(({ type, ...data }, n) => `id: r1:${n}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    .join(': ping\n\n');

  it('is called like any server, and waited for if it rate-limits questions', async () => {
    const sent: [string, unknown, unknown][] = [];
    const replies = [
      new Response('{"detail": "Too many."}', { status: 429, headers: { 'retry-after': '0.001' } }),
      // Cut inside a frame.
      new Response(new Blob([frames.slice(0, 57), frames.slice(57)])),
      Response.json({ sources: [{ doc_key: 'bridge' }] }),
      Response.json({ answer: { evidence: { score: 1.5 }, usage: { cost_micro_usd: 7 } } }),
    ];
    const limited: number[] = [];
    const remote = remoteService({
      base: 'http://docent/',
      key: 'dk_1',
      admin: 'olga:secret',
      onLimited: (seconds) => limited.push(seconds),
      fetch: async (url, init) => {
        sent.push([String(url), init?.body && JSON.parse(String(init.body)), init?.headers]);
        return replies.shift()!;
      },
    });
    const questions = readQuestions(set, judgements).slice(0, 1);
    const { rows } = await runOf(remote, questions);
    expect(limited).toEqual([0.001]);
    expect(rows[0]).toMatchObject({
      answer: 'It was built in 1932.',
      documents: ['bridge'],
      evidence: 1.5,
      cost_micro_usd: 7,
    });
    expect(sent.map(([url]) => url)).toEqual([
      'http://docent/api/ask/stream',
      'http://docent/api/ask/stream',
      'http://docent/api/source-refs',
      'http://docent/admin/api/asks/r1',
    ]);
    expect(sent[1]![1]).toEqual({ query: 'When was the bridge built?', history: [] });
    expect(sent[1]![2]).toMatchObject({ 'x-api-key': 'dk_1' });
    expect(sent[3]![2]).toEqual({ authorization: `Basic ${btoa('olga:secret')}` });
  });

  it('that rejects a question counts as failing to answer it', async () => {
    const remote = remoteService({
      base: 'http://docent',
      key: null,
      admin: null,
      onLimited: () => {},
      fetch: async () => new Response('{"detail": "There is no such corpus."}', { status: 404 }),
    });
    const { rows } = await runOf(remote, readQuestions(set, null).slice(0, 1));
    expect(rows[0]!.failed).toBe('http://docent responded with status 404: There is no such corpus.');
  });
});

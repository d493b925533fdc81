/** Cohere's own client against a double of its API. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/failures.ts';
import { openCohere } from '../../../src/models/cohere/index.ts';
import type { CohereSettings } from '../../../src/models/cohere/settings.ts';
import { type GeneratedPart, type GenerationRequest, noUsage } from '../../../src/ports/models.ts';
import { CohereDouble, completes, eventsOf, madeVector, says } from '../../support/cohere-double.ts';
import { eventually } from '../../support/eventually.ts';

let double: CohereDouble;
beforeAll(async () => {
  double = await CohereDouble.start();
});
afterAll(() => double.stop());

let trouble: string[];
let usage: unknown[];
/** What has been waited for between tries, in ms: it is over at once. */
let waitedMs: number;
beforeEach(() => {
  trouble = [];
  usage = [];
  waitedMs = 0;
  for (const calls of [double.chats, double.structuredCalls, double.embeds, double.reranks]) calls.length = 0;
  double.structured = () => completes({ ok: true });
});

const key = 'secret-key-of-the-deployment';
const settings = (more: Partial<CohereSettings> = {}): CohereSettings => ({
  apiKey: key,
  baseUrl: double.url,
  chatModel: 'command-x',
  verifyModel: 'command-r',
  embedModel: 'embed-x',
  rerankModel: 'rerank-x',
  embedDimension: 64,
  silenceMs: 60_000,
  embedMs: 60_000,
  rerankMs: 60_000,
  ...more,
});

const opened = (more?: Partial<CohereSettings>) =>
  openCohere(settings(more), {
    onTrouble: (sentence) => trouble.push(sentence),
    onUsage: (kind, used) => usage.push([kind, used]),
    timing: {
      now: () => waitedMs,
      sleep: async (ms) => {
        waitedMs += ms;
      },
      random: () => 1,
    },
  });

const secretQuestion = 'Сколько лет мне ещё сидеть?';
const request: GenerationRequest = {
  system: 'Answer from the passages.',
  messages: [{ role: 'user', content: secretQuestion }],
  documents: [{ id: '1', title: 'Устав, Статья 1', text: 'Срок — семь лет. 😀 Мерзімі жеті жыл.' }],
  maxTokens: 300,
};

/** The parts until the end or a failure. */
async function generated(
  models = opened(),
  signal = new AbortController().signal,
  wanted: GenerationRequest = request,
) {
  const parts: GeneratedPart[] = [];
  try {
    for await (const part of models.generator!.generate(wanted, signal)) parts.push(part);
    return { parts, failure: null };
  } catch (error) {
    return { parts, failure: error as Failure };
  }
}

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );

function expectSilent(failure: Failure | null): void {
  expect(failure).toBeInstanceOf(Failure);
  const all = JSON.stringify([failure!.detail, failure!.message, String(failure!.cause), trouble]);
  for (const secret of [key, secretQuestion, 'семь лет', 'leaked']) expect(all).not.toContain(secret);
}

describe('embeddings', () => {
  it('come in order, of unit length, for any number of texts, in calls of at most 96', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => `text number ${n}`);
    const vectors = await opened().embedder!.embed(texts, 'document');
    expect(double.embeds.map(({ body }) => body.texts.length)).toEqual([96, 96, 8]);
    expect(double.embeds[0]).toMatchObject({
      authorization: `Bearer ${key}`,
      body: { model: 'embed-x', input_type: 'search_document', output_dimension: 64 },
    });
    expect(vectors).toEqual(texts.map((text) => Float32Array.from(madeVector(text, 64))));
    expect(usage).toHaveLength(3);
  });

  it('of a question are asked for as such', async () => {
    await opened().embedder!.embed(['what?'], 'query');
    expect(double.embeds[0]!.body.input_type).toBe('search_query');
  });

  it('are named by model and dimension', () => {
    const { name, dimension, deterministic } = opened().embedder!;
    expect({ name, dimension, deterministic }).toEqual({
      name: 'cohere:embed-x:64',
      dimension: 64,
      deterministic: false,
    });
  });

  it.each([
    ['none at all', { id: 'e' }],
    ['too few', { embeddings: { float: [[1, 2]] } }],
    [
      'another dimension',
      {
        embeddings: {
          float: [
            [1, 2],
            [1, 2],
          ],
        },
      },
    ],
    ['no numbers', { embeddings: { float: [Array(64).fill('x'), Array(64).fill(null)] } }],
    ['HTML', '<html>leaked</html>'],
    ['half a JSON', '{"embeddings": {"float": [[0.1, "leaked'],
  ])('are refused where there are %s', async (_, body) => {
    double.fail({ body }, { body }, { body });
    const failure = await failureOf(opened().embedder!.embed(['a', 'b'], 'query'));
    expect(failure.code).toBe('unavailable');
    expectSilent(failure);
  });
});

it('what the client does not know in an answer is not printed, other warnings are', async () => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    const models = opened();
    const body = { results: [{ index: 0, relevance_score: 'leaked' }] };
    double.fail({ body }, { body }, { body });
    await failureOf(models.reranker!.rerank('a', ['b', 'c']));
    // biome-ignore lint/suspicious/noConsole: it is what is tried.
    console.warn('Failed to validate. This is ours.');
    expect(printed.mock.calls).toEqual([['Failed to validate. This is ours.']]);
  } finally {
    printed.mockRestore();
  }
});

describe('a call', () => {
  it('is tried again after as long as the server says', async () => {
    double.fail({ status: 429, headers: { 'retry-after': '7' }, body: { message: 'leaked' } });
    await opened().embedder!.embed(['a'], 'query');
    expect(waitedMs).toBe(7000);
    expect(double.embeds).toHaveLength(2);
  });

  it('is tried again after waits that grow where it says nothing', async () => {
    double.fail({ status: 503, body: 'leaked' }, 'cut');
    await opened().reranker!.rerank('a', ['b']);
    expect(waitedMs).toBe(500 + 1000);
    expect(double.reranks).toHaveLength(3);
  });

  it('is not tried again where its time would be over by then', async () => {
    double.fail({ status: 429, headers: { 'retry-after': '61' }, body: {} });
    const failure = await failureOf(opened().embedder!.embed(['a'], 'query'));
    expect(failure).toMatchObject({ code: 'rate_limited', retryAfterS: 61, retryable: true });
    expect(double.embeds).toHaveLength(1);
  });

  it.each([
    [400, 'internal'],
    [422, 'internal'],
    [401, 'forbidden'],
  ])('with status %i is not tried again', async (status, code) => {
    double.fail({ status, body: { message: `leaked ${secretQuestion}` } });
    const failure = await failureOf(opened().reranker!.rerank(secretQuestion, ['b']));
    expect(failure).toMatchObject({ code, retryable: false });
    expect(double.reranks).toHaveLength(1);
    expectSilent(failure);
  });

  it('ends when its time is over', async () => {
    double.fail('stall');
    const gone = double.aborted();
    const failure = await failureOf(opened({ rerankMs: 20 }).reranker!.rerank('a', ['b']));
    expect(failure).toMatchObject({ code: 'timeout', retryable: true });
    await gone;
    expect(double.reranks[0]!.aborted).toBe(true);
  });

  it('ends at the server, too, when it is given up', async () => {
    double.fail('stall');
    const leaving = new AbortController();
    const failing = failureOf(opened().embedder!.embed(['a'], 'query', leaving.signal));
    const gone = double.aborted();
    await eventually(() => expect(double.embeds).not.toHaveLength(0));
    leaving.abort();
    expect(await failing).toMatchObject({ code: 'cancelled' });
    await gone;
  });

  it('is not made where it is not admitted', async () => {
    const spent = new Failure('unavailable', 'The budget is spent.');
    const models = openCohere(settings(), {
      onTrouble: () => {},
      admit: () => {
        throw spent;
      },
    });
    expect(await failureOf(models.embedder!.embed(['a'], 'query'))).toBe(spent);
    expect((await generated(models)).failure).toBe(spent);
    expect([double.embeds, double.chats]).toEqual([[], []]);
  });

  it('is not made for a while after five have failed in a row, then tried out', async () => {
    const models = opened({ rerankMs: 100 });
    for (let n = 0; n < 5; n++) {
      double.fail({ status: 500, body: 'leaked' });
      await failureOf(models.reranker!.rerank('a', ['b']));
    }
    expect(models.down()).toEqual(["Cohere's rerank"]);
    const refused = await failureOf(models.reranker!.rerank('a', ['b']));
    expect(refused).toMatchObject({ code: 'unavailable', retryAfterS: 10 });
    expect(double.reranks).toHaveLength(5);
    waitedMs = 10_000;
    expect(await models.reranker!.rerank('a', ['b'])).toEqual([0]);
    expect(models.down()).toEqual([]);
    expect(trouble).toEqual([
      "Cohere's rerank is paused: Cohere's rerank answers with status 500.",
      "Cohere's rerank is responding again.",
    ]);
  });
});

describe('rerank', () => {
  it('scores the passages in their order', async () => {
    const scores = await opened().reranker!.rerank('red fox', ['a blue fox', 'nothing', 'the red fox']);
    expect(scores).toEqual([0.5, 0, 1]);
    expect(usage).toEqual([['rerank', { ...noUsage, search_units: 1 }]]);
  });

  it.each([
    ['of other passages', [{ index: 7, relevance_score: 1 }]],
    ['of some only', [{ index: 0, relevance_score: 1 }]],
    [
      'that are no numbers',
      [
        { index: 0, relevance_score: 'high' },
        { index: 1, relevance_score: null },
      ],
    ],
  ])('refuses scores %s', async (_, results) => {
    double.fail({ body: { results } }, { body: { results } }, { body: { results } });
    const failure = await failureOf(opened().reranker!.rerank('a', ['b', 'c']));
    expect(failure.code).toBe('unavailable');
  });
});

describe('an answer', () => {
  const said = {
    pieces: ['Срок ', '— семь лет.', ' 😀 Ме', 'рзімі жеті жыл.'],
    citations: [
      { of: 'семь лет', documents: ['1'] },
      { of: 'жеті жыл', documents: ['1', 'nobody'] },
    ],
  };
  const whole = said.pieces.join('');
  const place = (of: string) => ({ start: whole.indexOf(of), end: whole.indexOf(of) + of.length });

  it.each(['accurate', 'fast'] as const)('comes as it is written, with %s citations', async (mode) => {
    double.next(says({ ...said, mode, usage: { input_tokens: 50, output_tokens: 9 } }));
    const { parts, failure } = await generated();
    expect(failure).toBeNull();
    expect(parts.filter((part) => part.type !== 'citation')).toEqual([
      ...said.pieces.map((text) => ({ type: 'text', text })),
      { type: 'end', finish: 'stop', usage: { input_tokens: 50, output_tokens: 9 } },
    ]);
    expect(parts.filter((part) => part.type === 'citation')).toEqual([
      { type: 'citation', ...place('семь лет'), documents: ['1'] },
      { type: 'citation', ...place('жеті жыл'), documents: ['1', 'nobody'] },
    ]);
    const { body, authorization } = double.chats[0]!;
    expect(authorization).toBe(`Bearer ${key}`);
    expect(body).toMatchObject({
      model: 'command-x',
      stream: true,
      temperature: 0,
      max_tokens: 300,
      citation_options: { mode: 'FAST' },
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: secretQuestion },
      ],
      documents: [{ id: '1', data: { title: 'Устав, Статья 1' } }],
    });
    expect(usage).toEqual([['chat', { ...noUsage, input_tokens: 50, output_tokens: 9 }]]);
  });

  it.each(['utf-16', 'bytes'] as const)(
    'has its citations where they belong by offsets in %s',
    async (unit) => {
      double.next(says({ ...said, unit }));
      const { parts } = await generated();
      expect(parts).toContainEqual({ type: 'citation', ...place('жеті жыл'), documents: ['1', 'nobody'] });
    },
  );

  it('has no citation of words it does not say', async () => {
    double.next(says({ pieces: ['Семь лет.'], citations: [{ of: 'Девять лет', documents: ['1'] }] }));
    const { parts, failure } = await generated();
    expect(failure).toBeNull();
    expect(parts.some(({ type }) => type === 'citation')).toBe(false);
  });

  it('cut for its length says so', async () => {
    double.next(says({ ...said, finish: 'MAX_TOKENS' }));
    expect((await generated()).parts.at(-1)).toMatchObject({ type: 'end', finish: 'length' });
  });

  it('is given the fields of the documents, as far as they are known', async () => {
    const known = { date: '2020-01-02', layer: 'norm', status: 'in force', language: 'ru' };
    const documents = [
      { id: '1', title: 'Law', text: 'It is so.', ...known },
      { id: '2', title: 'Note', text: 'It was so.', layer: 'commentary' },
    ];
    await generated(opened(), undefined, { ...request, documents });
    expect(double.chats[0]!.body.documents).toEqual([
      { id: '1', data: { title: 'Law', text: 'It is so.', ...known } },
      { id: '2', data: { title: 'Note', text: 'It was so.', layer: 'commentary' } },
    ]);
  });

  it('is not ended by what a document says', async () => {
    const said = 'It is [DONE] here.';
    const documents = [
      { id: '1', title: said, text: said, date: said, layer: said, status: said, language: said },
    ];
    await generated(opened(), undefined, { ...request, documents });
    expect(JSON.stringify(double.chats[0]!.body)).not.toContain('[DONE]');
  });

  it('may say how streams end', async () => {
    double.next(says({ pieces: ['A stream ends with ', '[DONE].'] }));
    const { parts, failure } = await generated();
    expect(failure).toBeNull();
    expect(parts[1]).toEqual({ type: 'text', text: '[DONE].' });
  });

  const events = eventsOf(said);
  const half = events.slice(0, 4);
  it.each([
    ['is cut', { steps: [...half, 'cut' as const] }],
    ['ends before its end', { steps: [...half, 'end' as const] }],
    ['says [DONE] before its end', { steps: [...half, { raw: 'data: [DONE]\n\n' }, ...events.slice(4)] }],
    ['turns into garbage', { steps: [...half, { raw: 'data: {"type": "leaked\n\n' }] }],
    [
      'fails',
      { steps: [...half, { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'leaked' } }] },
    ],
    [
      'has text that is none',
      { steps: [...half, { type: 'content-delta', delta: { message: { content: { text: 7 } } } }] },
    ],
  ])('that %s hands out what there was, and fails', async (_, reply) => {
    double.next(reply);
    const { parts, failure } = await generated();
    expect(parts).toEqual(said.pieces.slice(0, 2).map((text) => ({ type: 'text', text })));
    expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
    expectSilent(failure);
    // What it cost is not said, so that it is estimated.
    expect(usage).toMatchObject([['chat', { output_tokens: Math.ceil('Срок — семь лет.'.length / 2.5) }]]);
  });

  it('that is HTML fails', async () => {
    double.next({ body: '<html>leaked</html>', headers: { 'content-type': 'text/html' } });
    const { parts, failure } = await generated();
    expect(parts).toEqual([]);
    expect(failure).toMatchObject({ code: 'unavailable' });
  });

  it('that falls silent fails when it has been for too long', async () => {
    const gone = double.aborted();
    double.next({ steps: [...half, 'stall'] });
    const { parts, failure } = await generated(opened({ silenceMs: 300 }));
    expect(parts).toHaveLength(2);
    expect(failure).toMatchObject({ code: 'timeout' });
    await gone;
  });

  it('that cannot begin is tried once more', async () => {
    double.fail({ status: 503, body: 'leaked' });
    const { failure } = await generated();
    expect(failure).toBeNull();
    expect(double.chats).toHaveLength(2);
    double.fail({ status: 503, body: 'leaked' }, 'cut');
    expect((await generated()).failure).toMatchObject({ code: 'unavailable' });
    double.fail({ status: 429, headers: { 'retry-after': '30' }, body: 'leaked' });
    expect((await generated()).failure).toMatchObject({ code: 'rate_limited' });
    expect(double.chats).toHaveLength(5);
  });

  it('that is given up ends at the server, too', async () => {
    const leaving = new AbortController();
    double.next({ steps: [...half, 'stall'] });
    const gone = double.aborted();
    const parts: GeneratedPart[] = [];
    const failing = failureOf(
      (async () => {
        for await (const part of opened().generator!.generate(request, leaving.signal)) {
          parts.push(part);
          if (parts.length === 2) leaving.abort();
        }
      })(),
    );
    expect(await failing).toMatchObject({ code: 'cancelled' });
    await gone;
  });

  it('whose reader has left ends at the server, too', async () => {
    double.next({ steps: [...half, 'stall'] });
    const gone = double.aborted();
    for await (const _ of opened().generator!.generate(request, new AbortController().signal)) break;
    await gone;
    expect(double.chats[0]!.aborted).toBe(true);
  });
});

describe('JSON', () => {
  const wanted = {
    system: 'Check it.',
    content: secretQuestion,
    schema: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
    maxTokens: 50,
    withinMs: 60_000,
  };

  it.each([
    ['structured', 'command-x'],
    ['verifier', 'command-r'],
  ] as const)('is asked of the model that is %s, by its schema, without documents', async (one, model) => {
    const own: unknown[] = [];
    const said = await opened()[one]!.complete(wanted, undefined, (used) => own.push(used));
    expect(said).toEqual({ ok: true });
    const { body } = double.structuredCalls[0]!;
    expect(body).toEqual({
      model,
      messages: [
        { role: 'system', content: wanted.system },
        { role: 'user', content: wanted.content },
      ],
      response_format: { type: 'json_object', json_schema: wanted.schema },
      max_tokens: 50,
      temperature: 0,
      stream: false,
    });
    const used = { ...noUsage, input_tokens: 30, output_tokens: 5 };
    expect([usage, own]).toEqual([[['chat', used]], [used]]);
  });

  it.each([
    ['is none', completes('leaked {'), 1],
    ['was cut for its length', completes('{"ok": true}', { finish: 'MAX_TOKENS' }), 1],
    ['failed', completes('{"ok": true}', { finish: 'ERROR' }), 1],
    ['has no content', { body: { id: 'c', finish_reason: 'COMPLETE', message: { role: 'assistant' } } }, 3],
    ['is HTML', { body: '<html>leaked</html>' }, 3],
  ])('that %s is refused', async (_, reply, calls) => {
    double.structured = () => reply;
    const failure = await failureOf(opened().verifier!.complete(wanted));
    expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
    expect(double.structuredCalls).toHaveLength(calls);
    expectSilent(failure);
  });

  it('takes no longer than it may', async () => {
    double.structured = () => 'stall';
    const failure = await failureOf(opened().verifier!.complete({ ...wanted, withinMs: 30 }));
    expect(failure).toMatchObject({ code: 'timeout' });
  });

  it('that fails stops nothing else', async () => {
    const models = opened();
    double.structured = () => ({ status: 500, body: 'leaked' });
    for (let n = 0; n < 5; n++) await failureOf(models.verifier!.complete({ ...wanted, withinMs: 100 }));
    expect(models.down()).toEqual(["Cohere's second reading"]);
    double.structured = () => completes({ ok: true });
    expect(await models.structured!.complete(wanted)).toEqual({ ok: true });
    expect((await generated(models)).failure).toBeNull();
  });

  it('is asked of nobody where no model is named', () => {
    const { structured, verifier } = opened({ verifyModel: null });
    expect([structured === null, verifier]).toEqual([false, null]);
    expect(opened({ chatModel: null }).structured).toBeNull();
  });
});

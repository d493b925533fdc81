/** Cohere's client library against a double of its API. */
import { describe, expect, it, vi } from 'vitest';
import { openCohere } from '../../../src/models/cohere/index.ts';
import { type GenerationRequest, noUsage } from '../../../src/ports/models.ts';
import { CohereDouble, completes, eventsOf, says } from '../../support/cohere-double.ts';
import { madeVector } from '../../support/model-double.ts';
import { failureOf, key, providerContract, secretQuestion, wantedJson } from '../provider.contract.ts';

const request: GenerationRequest = {
  system: 'Answer from the passages.',
  messages: [{ role: 'user', content: secretQuestion }],
  documents: [{ id: '1', title: 'Устав, Статья 1', text: 'Срок — семь лет. 😀 Мерзімі жеті жыл.' }],
  maxTokens: 300,
};
const said = {
  pieces: ['Срок ', '— семь лет.', ' 😀 Ме', 'рзімі жеті жыл.'],
  citations: [
    { of: 'семь лет', documents: ['1'] },
    { of: 'жеті жыл', documents: ['1', 'nobody'] },
  ],
};
const events = eventsOf(said);

const { opened, generated, ...provider } = providerContract({
  start: () => CohereDouble.start(),
  open: openCohere,
  settings: (url) => ({
    apiKey: key,
    baseUrl: url,
    chatModel: 'command-x' as string | null,
    verifyModel: 'command-r' as string | null,
    embedModel: 'embed-x',
    rerankModel: 'rerank-x',
    embedDimension: 64,
    silenceMs: 60_000,
    embedMs: 60_000,
    rerankMs: 60_000,
  }),
  request,
  whose: "Cohere's",
  half: events.slice(0, 4),
  cut: says({ ...said, finish: 'MAX_TOKENS' }),
  json: completes({ ok: true }),
  refusal: { message: `leaked ${secretQuestion}` },
  refusals: [
    [400, 'internal'],
    [422, 'internal'],
    [401, 'forbidden'],
  ],
  embeddings: [
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
    ['truncated JSON', '{"embeddings": {"float": [[0.1, "leaked'],
  ],
  scores: [],
  answers: [
    ['sends [DONE] before its end', [{ raw: 'data: [DONE]\n\n' }, ...events.slice(4)]],
    ['turns into invalid data', [{ raw: 'data: {"type": "leaked\n\n' }]],
    ['fails', [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'leaked' } }]],
    ['has text of the wrong type', [{ type: 'content-delta', delta: { message: { content: { text: 7 } } } }]],
  ],
  structured: [
    ['is not JSON', completes('leaked {'), 1],
    ['was truncated', completes('{"ok": true}', { finish: 'MAX_TOKENS' }), 1],
    ['failed', completes('{"ok": true}', { finish: 'ERROR' }), 1],
    ['has no content', { body: { id: 'c', finish_reason: 'COMPLETE', message: { role: 'assistant' } } }, 3],
  ],
});

describe('embeddings', () => {
  it('are returned in order, with unit length, for any number of texts, with at most 96 texts per call', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => `text number ${n}`);
    const vectors = await opened().embedder!.embed(texts, 'document');
    expect(provider.double().embeds.map(({ body }) => body.texts.length)).toEqual([96, 96, 8]);
    expect(provider.double().embeds[0]).toMatchObject({
      authorization: `Bearer ${key}`,
      body: { model: 'embed-x', input_type: 'search_document', output_dimension: 64 },
    });
    expect(vectors).toEqual(texts.map((text) => Float32Array.from(madeVector(text, 64))));
    expect(provider.usage()).toHaveLength(3);
  });

  it('use the query input type for a question', async () => {
    await opened().embedder!.embed(['what?'], 'query');
    expect(provider.double().embeds[0]!.body.input_type).toBe('search_query');
  });

  it('are named by model and dimension', () => {
    const { name, dimension, deterministic } = opened().embedder!;
    expect({ name, dimension, deterministic }).toEqual({
      name: 'cohere:embed-x:64',
      dimension: 64,
      deterministic: false,
    });
  });
});

it('parts of a reply that the client does not know are not printed, but other warnings are', async () => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    const models = opened();
    const body = { results: [{ index: 0, relevance_score: 'leaked' }] };
    provider.double().fail({ body }, { body }, { body });
    await failureOf(models.reranker!.rerank('a', ['b', 'c']));
    // biome-ignore lint/suspicious/noConsole: console.warn is under test.
    console.warn('Failed to validate. This is ours.');
    expect(printed.mock.calls).toEqual([['Failed to validate. This is ours.']]);
  } finally {
    printed.mockRestore();
  }
});

describe('a call', () => {
  it('is not retried if the delay would exceed its time limit', async () => {
    provider.double().fail({ status: 429, headers: { 'retry-after': '61' }, body: {} });
    const failure = await failureOf(opened().embedder!.embed(['a'], 'query'));
    expect(failure).toMatchObject({ code: 'rate_limited', retryAfterS: 61, retryable: true });
    expect(provider.double().embeds).toHaveLength(1);
  });

  it('is suspended for a while after five consecutive failures, then tried again', async () => {
    const models = opened({ rerankMs: 100 });
    for (let n = 0; n < 5; n++) {
      provider.double().fail({ status: 500, body: 'leaked' });
      await failureOf(models.reranker!.rerank('a', ['b']));
    }
    expect(models.down()).toEqual(["Cohere's rerank"]);
    const refused = await failureOf(models.reranker!.rerank('a', ['b']));
    expect(refused).toMatchObject({ code: 'unavailable', retryAfterS: 10 });
    expect(provider.double().reranks).toHaveLength(5);
    provider.wait(10_000);
    expect(await models.reranker!.rerank('a', ['b'])).toEqual([0]);
    expect(models.down()).toEqual([]);
    expect(provider.trouble()).toEqual([
      "Cohere's rerank is paused: Cohere's rerank responded with status 500.",
      "Cohere's rerank is responding again.",
    ]);
  });
});

describe('an answer', () => {
  const whole = said.pieces.join('');
  const place = (of: string) => ({ start: whole.indexOf(of), end: whole.indexOf(of) + of.length });

  it.each(['accurate', 'fast'] as const)('is streamed with %s citations', async (mode) => {
    provider.double().next(says({ ...said, mode, usage: { input_tokens: 50, output_tokens: 9 } }));
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
    const { body, authorization } = provider.double().chats[0]!;
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
    expect(provider.usage()).toEqual([['chat', { ...noUsage, input_tokens: 50, output_tokens: 9 }]]);
  });

  it.each(['utf-16', 'bytes'] as const)(
    'has its citations placed correctly with offsets in %s',
    async (unit) => {
      provider.double().next(says({ ...said, unit }));
      const { parts } = await generated();
      expect(parts).toContainEqual({ type: 'citation', ...place('жеті жыл'), documents: ['1', 'nobody'] });
    },
  );

  it('has no citation for words that it does not contain', async () => {
    provider
      .double()
      .next(says({ pieces: ['Семь лет.'], citations: [{ of: 'Девять лет', documents: ['1'] }] }));
    const { parts, failure } = await generated();
    expect(failure).toBeNull();
    expect(parts.some(({ type }) => type === 'citation')).toBe(false);
  });

  it('is requested with the known fields of the documents', async () => {
    const known = { date: '2020-01-02', layer: 'norm', status: 'in force', language: 'ru' };
    const documents = [
      { id: '1', title: 'Law', text: 'It is so.', ...known },
      { id: '2', title: 'Note', text: 'It was so.', layer: 'commentary' },
    ];
    await generated(opened(), undefined, { ...request, documents });
    expect(provider.double().chats[0]!.body.documents).toEqual([
      { id: '1', data: { title: 'Law', text: 'It is so.', ...known } },
      { id: '2', data: { title: 'Note', text: 'It was so.', layer: 'commentary' } },
    ]);
  });

  it('is not ended by text in a document', async () => {
    const said = 'It is [DONE] here.';
    const documents = [
      { id: '1', title: said, text: said, date: said, layer: said, status: said, language: said },
    ];
    await generated(opened(), undefined, { ...request, documents });
    expect(JSON.stringify(provider.double().chats[0]!.body)).not.toContain('[DONE]');
  });

  it('may contain the marker that ends a stream', async () => {
    provider.double().next(says({ pieces: ['A stream ends with ', '[DONE].'] }));
    const { parts, failure } = await generated();
    expect(failure).toBeNull();
    expect(parts[1]).toEqual({ type: 'text', text: '[DONE].' });
  });
});

describe('JSON', () => {
  it.each([
    ['structured', 'command-x'],
    ['verifier', 'command-r'],
  ] as const)('uses the %s model with its schema, without documents', async (one, model) => {
    await opened()[one]!.complete(wantedJson);
    const { body } = provider.double().structuredCalls[0]!;
    expect(body).toEqual({
      model,
      messages: [
        { role: 'system', content: wantedJson.system },
        { role: 'user', content: wantedJson.content },
      ],
      response_format: { type: 'json_object', json_schema: wantedJson.schema },
      max_tokens: 50,
      temperature: 0,
      stream: false,
    });
  });

  it('uses no model if none is configured', () => {
    const { structured, verifier } = opened({ verifyModel: null });
    expect([structured === null, verifier]).toEqual([false, null]);
    expect(opened({ chatModel: null }).structured).toBeNull();
  });
});

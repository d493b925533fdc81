/** Behaviour common to all model providers, through each provider's client and a double of its API. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failures.ts';
import type { ModelOptions, ModelSettings, ProviderModels } from '../../src/models/options.ts';
import { type GeneratedPart, type GenerationRequest, noUsage } from '../../src/ports/models.ts';
import { eventually } from '../support/eventually.ts';
import type { Bodies, ChatReply, ModelDouble, Plain, Step } from '../support/model-double.ts';

export const key = 'secret-key-of-the-deployment';
export const secretQuestion = 'Сколько лет мне ещё сидеть?';

/** The requested JSON. */
export const wantedJson = {
  system: 'Check it.',
  content: secretQuestion,
  schema: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
  maxTokens: 50,
  withinMs: 60_000,
};

export const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );

interface Provider<D, S> {
  start(): Promise<D>;
  settings(url: string): S;
  open(settings: S, options: ModelOptions): ProviderModels;
  request: GenerationRequest;
  /** The provider's name in messages for the operator. */
  whose: string;
  /** An unfinished answer in two pieces. */
  half: Step[];
  /** A truncated answer, and a verdict in JSON. */
  cut: ChatReply;
  json: Plain;
  /** An error response with words that must not be repeated. */
  refusal: unknown;
  refusals: [status: number, code: string][];
  embeddings: [what: string, body: unknown][];
  scores: [what: string, results: unknown[]][];
  answers: [what: string, steps: Step[]][];
  structured: [what: string, reply: Plain, calls: number][];
}

/** Registers the tests common to all providers, and returns the tools for provider-specific tests. */
export function providerContract<D extends ModelDouble<Bodies>, S extends ModelSettings>(
  provider: Provider<D, S>,
) {
  const { open, request, whose, half, json } = provider;
  let double: D;
  let trouble: string[];
  let usage: unknown[];
  /** The delays between attempts, in ms; each ends immediately. */
  let waitedMs: number;
  beforeAll(async () => {
    double = await provider.start();
  });
  afterAll(() => double.stop());
  beforeEach(() => {
    double.reset();
    double.structured = () => json;
    trouble = [];
    usage = [];
    waitedMs = 0;
  });

  const opened = (more: Partial<S> = {}, options: Partial<ModelOptions> = {}) =>
    open(
      { ...provider.settings(double.url), ...more },
      {
        onTrouble: (sentence) => trouble.push(sentence),
        onUsage: (kind, used) => usage.push([kind, used]),
        timing: {
          now: () => waitedMs,
          sleep: async (ms) => {
            waitedMs += ms;
          },
          random: () => 1,
        },
        ...options,
      },
    );
  const within = (more: Partial<ModelSettings>) => opened(more as Partial<S>);

  /** The parts up to the end or a failure. */
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

  function expectSilent(failure: Failure | null): void {
    expect(failure).toBeInstanceOf(Failure);
    const all = JSON.stringify([failure!.detail, failure!.message, String(failure!.cause), trouble]);
    for (const secret of [key, secretQuestion, 'семь лет', 'leaked']) expect(all).not.toContain(secret);
  }

  describe('embeddings', () => {
    it.each([...provider.embeddings, ['HTML', '<html>leaked</html>'], ['missing vectors', { id: 'e' }]])(
      'are rejected: %s',
      async (_, body) => {
        double.fail({ body }, { body }, { body });
        const failure = await failureOf(opened().embedder!.embed(['a', 'b'], 'query'));
        expect(failure.code).toBe('unavailable');
        expectSilent(failure);
      },
    );
  });

  describe('a call', () => {
    it('is retried after the delay that the server states', async () => {
      double.fail({ status: 429, headers: { 'retry-after': '7' }, body: provider.refusal });
      await opened().embedder!.embed(['a'], 'query');
      expect(waitedMs).toBe(7000);
      expect(double.embeds).toHaveLength(2);
    });

    it('is retried after increasing delays if the server states none', async () => {
      double.fail({ status: 503, body: 'leaked' }, 'cut');
      await opened().reranker!.rerank('a', ['b']);
      expect(waitedMs).toBe(500 + 1000);
      expect(double.reranks).toHaveLength(3);
    });

    it.each(provider.refusals)('with status %i is not retried', async (status, code) => {
      double.fail({ status, body: provider.refusal });
      const failure = await failureOf(opened().embedder!.embed([secretQuestion], 'query'));
      expect(failure).toMatchObject({ code, retryable: false });
      expect(double.embeds).toHaveLength(1);
      expectSilent(failure);
    });

    it('ends at its time limit', async () => {
      double.fail('stall');
      const gone = double.aborted();
      const failure = await failureOf(within({ rerankMs: 20 }).reranker!.rerank('a', ['b']));
      expect(failure).toMatchObject({ code: 'timeout', retryable: true });
      await gone;
      expect(double.reranks[0]!.aborted).toBe(true);
    });

    it('also ends at the server when it is cancelled', async () => {
      double.fail('stall');
      const leaving = new AbortController();
      const failing = failureOf(opened().embedder!.embed(['a'], 'query', leaving.signal));
      const gone = double.aborted();
      await eventually(() => expect(double.embeds).not.toHaveLength(0));
      leaving.abort();
      expect(await failing).toMatchObject({ code: 'cancelled' });
      await gone;
    });

    it('is not made if it is not allowed', async () => {
      const spent = new Failure('unavailable', 'The budget is spent.');
      const admit = () => {
        throw spent;
      };
      const models = opened({}, { admit });
      expect(await failureOf(models.embedder!.embed(['a'], 'query'))).toBe(spent);
      expect((await generated(models)).failure).toBe(spent);
      expect([double.embeds, double.chats]).toEqual([[], []]);
    });
  });

  describe('rerank', () => {
    it('scores the passages in their order', async () => {
      const scores = await opened().reranker!.rerank('red fox', ['a blue fox', 'nothing', 'the red fox']);
      expect(scores).toEqual([0.5, 0, 1]);
      expect(usage).toEqual([['rerank', { ...noUsage, search_units: 1 }]]);
    });

    it.each([
      ...provider.scores,
      ['for other passages', [{ index: 7, relevance_score: 1 }]],
      ['for only some', [{ index: 0, relevance_score: 1 }]],
      ['that are not numbers', [0, 1].map((index) => ({ index, relevance_score: 'high' }))],
    ])('rejects scores %s', async (_, results) => {
      double.rerank = () => ({ body: { results } });
      const failure = await failureOf(opened().reranker!.rerank('a', ['b', 'c']));
      expect(failure.code).toBe('unavailable');
    });
  });

  describe('an answer', () => {
    it('truncated at the length limit says so', async () => {
      double.next(provider.cut);
      expect((await generated()).parts.at(-1)).toMatchObject({ type: 'end', finish: 'length' });
    });

    it.each([
      ...provider.answers,
      ['is cut off', ['cut']] as [string, Step[]],
      ['ends prematurely', ['end']] as [string, Step[]],
    ])('that %s passes on what it received, and fails', async (_, steps) => {
      double.next({ steps: [...half, ...steps] });
      const { parts, failure } = await generated();
      expect(parts).toHaveLength(2);
      const said = parts.map((part) => (part.type === 'text' ? part.text : part)).join('');
      expect(said).toMatch(/^Срок — семь/);
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
      expectSilent(failure);
      // Its cost is not reported, so it is estimated.
      expect(usage).toMatchObject([['chat', { output_tokens: Math.ceil(said.length / 2.5) }]]);
    });

    it('that is HTML fails', async () => {
      double.next({ body: '<html>leaked</html>', headers: { 'content-type': 'text/html' } });
      const { parts, failure } = await generated();
      expect(parts).toEqual([]);
      expect(failure).toMatchObject({ code: 'unavailable' });
    });

    it('that is silent for too long fails', async () => {
      const gone = double.aborted();
      double.next({ steps: [...half, { raw: ': still here\n\n' }, 'stall'] });
      const { parts, failure } = await generated(within({ silenceMs: 300 }));
      expect(parts).toHaveLength(2);
      expect(failure).toMatchObject({ code: 'timeout' });
      await gone;
    });

    it('that cannot begin is retried once', async () => {
      double.fail({ status: 503, body: 'leaked' });
      expect((await generated()).failure).toBeNull();
      expect(double.chats).toHaveLength(2);
      double.fail({ status: 503, body: 'leaked' }, 'cut');
      expect((await generated()).failure).toMatchObject({ code: 'unavailable' });
      double.fail({ status: 429, headers: { 'retry-after': '30' }, body: 'leaked' });
      expect((await generated()).failure).toMatchObject({ code: 'rate_limited', retryAfterS: 30 });
      double.fail({ status: 401, body: 'leaked' });
      const { failure } = await generated();
      expect(failure).toMatchObject({ code: 'forbidden' });
      expectSilent(failure);
      expect(double.chats).toHaveLength(6);
    });

    it('that is cancelled also ends at the server', async () => {
      const leaving = new AbortController();
      double.next({ steps: [...half, 'stall'] });
      const gone = double.aborted();
      let heard = 0;
      const failing = failureOf(
        (async () => {
          for await (const _ of opened().generator!.generate(request, leaving.signal))
            if (++heard === 2) leaving.abort();
        })(),
      );
      expect(await failing).toMatchObject({ code: 'cancelled' });
      await gone;
    });

    it('whose reader has disconnected also ends at the server', async () => {
      double.next({ steps: [...half, 'stall'] });
      const gone = double.aborted();
      for await (const _ of opened().generator!.generate(request, new AbortController().signal)) break;
      await gone;
      expect(double.chats[0]!.aborted).toBe(true);
    });
  });

  describe('JSON', () => {
    it.each([
      ...provider.structured,
      ['is HTML', { body: '<html>leaked</html>' }, 3] as [string, Plain, number],
    ])('that %s is rejected', async (_, reply, calls) => {
      double.structured = () => reply;
      const failure = await failureOf(opened().verifier!.complete(wantedJson));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
      expect(double.structuredCalls).toHaveLength(calls);
      expectSilent(failure);
    });

    it('respects its time limit', async () => {
      double.structured = () => 'stall';
      const failure = await failureOf(opened().verifier!.complete({ ...wantedJson, withinMs: 30 }));
      expect(failure).toMatchObject({ code: 'timeout' });
    });

    it('stops no other calls when it fails', async () => {
      const models = opened();
      double.structured = () => ({ status: 500, body: 'leaked' });
      for (let n = 0; n < 5; n++)
        await failureOf(models.verifier!.complete({ ...wantedJson, withinMs: 100 }));
      expect(models.down()).toEqual([`${whose} second reading`]);
      double.structured = () => json;
      expect(await models.structured!.complete(wantedJson)).toEqual({ ok: true });
      expect((await generated(models)).failure).toBeNull();
    });

    it('reports its cost to the service and to the caller', async () => {
      const own: unknown[] = [];
      const said = await opened().structured!.complete(wantedJson, undefined, (cost) => own.push(cost));
      expect(said).toEqual({ ok: true });
      const cost = { ...noUsage, input_tokens: 30, output_tokens: 5 };
      expect([usage, own]).toEqual([[['chat', cost]], [cost]]);
    });
  });

  return {
    opened,
    generated,
    expectSilent,
    double: () => double,
    usage: () => usage,
    trouble: () => trouble,
    /** Advances the clock. */
    wait: (ms: number) => {
      waitedMs = ms;
    },
    waitedMs: () => waitedMs,
  };
}

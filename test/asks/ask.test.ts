/** The core that answers asks, in isolation: what it records and when, and how an ask ends. */

import { describe, expect, test } from 'vitest';
import type { Answerer } from '../../src/answering/answerer.ts';
import type { Part } from '../../src/answering/parts.ts';
import type { AnswerPart } from '../../src/answering/writing/parts.ts';
import { recordedSource } from '../../src/answering/writing/sources.ts';
import { replacedReason } from '../../src/answering/writing/verify.ts';
import { createAsk } from '../../src/asks/ask.ts';
import type { AskDeps, AskQuestion } from '../../src/asks/ask-port.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import { FairQueue } from '../../src/async/fair-queue.ts';
import { orAborted } from '../../src/async/until-aborted.ts';
import type { AskCommand } from '../../src/domain/ask.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import { MemoryCache } from '../../src/read-models/memory-cache.ts';
import type { RetrievalResult } from '../../src/reading/passages.ts';
import { bridge, found, town } from '../answering/passages.ts';

const settings = town;
const hit = bridge('The bridge was built in 1932. It is red.');
const retrieve: RetrievalResult = {
  ...found([hit], 'When was the bridge built?'),
  sentences: [
    { passage: 0, start: 0, end: 29, score: 2, share: 1, own: 1, named: true },
    { passage: 0, start: 30, end: 40, score: 1.9, share: 0.5, own: 0, named: true },
  ],
};

const pages = new SourceLinks({ publicUrl: null, secret: null, clock: { now: () => new Date(0) } });

function service(overrides: Partial<AskDeps> = {}) {
  const recorded: AskCommand[] = [];
  let now = Date.parse('2026-05-01T12:00:00.000Z');
  const deps: AskDeps = {
    clock: { now: () => new Date(now++) },
    newId: () => 'id-1',
    pages,
    corpus: (id) => (id === 'town' ? { corpus_id: id, settings, active: true } : null),
    retrieve: async () => retrieve,
    commands: { ask: () => ({ execute: async (command) => void recorded.push(command) }) },
    ...overrides,
  };
  return { ask: createAsk(deps), recorded };
}

const question: AskQuestion = {
  query: 'When was the bridge built?',
  corpus_id: 'town',
  channel: 'http',
  caller: { actor: 'public', key_id: null, subject: null },
};
const still = () => new AbortController().signal;
const drain = async (parts: AsyncIterable<Part>) => {
  const out: Part[] = [];
  for await (const part of parts) out.push(part);
  return out;
};
const kinds = (commands: readonly AskCommand[]) =>
  commands.map((command) => (command.type === 'End' ? command.ending.type : command.type));

describe('an ask', () => {
  test('is recorded before any work and ended before its last part', async () => {
    const order: string[] = [];
    const { ask } = service({
      retrieve: async () => {
        order.push('retrieve');
        return retrieve;
      },
      commands: { ask: () => ({ execute: async (command) => void order.push(...kinds([command])) }) },
    });
    for await (const part of ask.ask(question, still())) order.push(part.type);
    expect(order).toEqual([
      'Ask',
      'retrieve',
      'meta',
      'sources',
      'text',
      'text',
      'citation',
      'text',
      'AnswerGiven',
      'done',
    ]);
  });

  const fileParts = (mode: 'ordinary' | 'no_answer'): Part[] => {
    const answer = 'The rent is 417 crowns.';
    const cited = { start: 0, end: 23, ref: 'of_a#1', quote: answer, revision: 1, content_hash: 'a' };
    return [
      { type: 'meta', request_id: 'other', mode, lang: 'en', corpus_id: 'of_a' },
      { type: 'sources', source_refs: [], sources: [] },
      { type: 'text', text: answer },
      { type: 'citation', ...cited },
      {
        type: 'done',
        request_id: 'other',
        latency_ms: 1,
        answer,
        mode,
        finish_reason: 'stop',
        cached: false,
      },
    ];
  };
  async function* broken(parts: Part[]): AsyncGenerator<Part> {
    yield* parts;
    throw new Failure('unavailable', 'The files are unavailable.');
  }

  test('answered from the files of its conversation is recorded without positions in those files', async () => {
    const { ask, recorded } = service();
    const fromFiles = () =>
      (async function* () {
        yield* fileParts('ordinary');
      })();
    const parts = await drain(ask.ask({ ...question, fromFiles }, still()));
    expect(parts.map(({ type }) => type)).toEqual(['meta', 'sources', 'text', 'citation', 'done']);
    expect(parts[0]).toMatchObject({ request_id: 'id-1', corpus_id: 'town' });
    expect(parts.at(-1)).toMatchObject({ request_id: 'id-1', private_file: true });
    expect(kinds(recorded)).toEqual(['Ask', 'AnswerGiven']);
    const { data } = (recorded[1] as Extract<AskCommand, { type: 'End' }>).ending;
    expect(data).toMatchObject({
      answer: 'The rent is 417 crowns.',
      corpus_id: 'town',
      private_file: true,
      sources: [],
      citations: [],
      passages: [],
      rewritten: null,
    });
    expect(data).not.toHaveProperty('question_key');
    expect(JSON.stringify(recorded)).not.toContain('of_a');
  });

  test.each([
    [
      'have no answer',
      async function* () {
        yield* fileParts('no_answer');
      },
    ],
    ['contain no text', async function* () {}],
    ['cannot be read', () => broken([])],
  ])('is answered from the corpus if the files of the conversation %s', async (_, fromFiles) => {
    const { ask, recorded } = service();
    const parts = await drain(ask.ask({ ...question, fromFiles }, still()));
    expect(parts.at(-1)).toMatchObject({ answer: expect.stringContaining('1932') });
    expect(parts.at(-1)).not.toHaveProperty('private_file');
    expect(kinds(recorded)).toEqual(['Ask', 'AnswerGiven']);
  });

  test('fails if the answer from a file is interrupted', async () => {
    const { ask, recorded } = service();
    const fromFiles = () => broken(fileParts('ordinary').slice(0, 3));
    const parts = await drain(ask.ask({ ...question, fromFiles }, still()));
    expect(parts.at(-1)).toMatchObject({ type: 'error', code: 'unavailable' });
    expect(kinds(recorded)).toEqual(['Ask', 'AnswerFailed']);
  });

  test('waits for its turn, is rejected if it gets none, and records nothing before that', async () => {
    const queue = new FairQueue({ atOnce: 1, waitingMax: 1 });
    const leave = await queue.enter({ who: 'another', size: 1 }, still());
    const { ask, recorded } = service({ enter: (piece, signal) => queue.enter(piece, signal) });
    const waiting = drain(ask.ask(question, still()));
    await expect(drain(ask.ask({ ...question, query: 'a'.repeat(1_000) }, still()))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(recorded).toEqual([]);
    leave();
    expect((await waiting).at(-1)).toMatchObject({ type: 'done' });
  });

  test('records everything needed to assess it', async () => {
    const { ask, recorded } = service();
    const parts = await drain(ask.ask(question, still()));
    expect(recorded[0]).toEqual({
      type: 'Ask',
      question: {
        request_id: 'id-1',
        corpus_id: 'town',
        channel: 'http',
        style: null,
        key_id: null,
        subject: 'id-1',
        asked_at: '2026-05-01T12:00:00.000Z',
        query: 'When was the bridge built?',
        history: [],
        deadline: '2026-05-01T12:02:00.000Z',
        body_hash: null,
      },
    });
    const ending = recorded[1]?.type === 'End' ? recorded[1].ending : null;
    const answer = 'The bridge was built in 1932. It is red. (The bridge)';
    expect(ending).toMatchObject({
      type: 'AnswerGiven',
      data: {
        request_id: 'id-1',
        lang: 'en',
        mode: 'ordinary',
        answer,
        finish_reason: 'stop',
        cached: false,
        model: null,
        rewritten: null,
        evidence: { score: 5, threshold: 3.5, reason: null },
        passages: [
          { ref: 'bridge#001', doc_id: 3, revision: 2, content_hash: 'hash', chunk_index: '001', score: 1 },
        ],
        sources: [
          {
            ref: 'bridge#001',
            doc_id: 3,
            revision: 2,
            content_hash: 'hash',
            layer: 'main',
            title: 'The bridge',
          },
        ],
        citations: [
          { start: 0, end: 40, ref: 'bridge#001', source_start: 0, revision: 2, content_hash: 'hash' },
        ],
      },
    });
    expect(parts.at(-1)).toMatchObject({
      type: 'done',
      request_id: 'id-1',
      answer,
      mode: 'ordinary',
      finish_reason: 'stop',
    });
  });

  test('without evidence is withheld, with the nearest sources', async () => {
    const { ask, recorded } = service({ retrieve: async () => ({ ...retrieve, answerable: false }) });
    const parts = await drain(ask.ask(question, still()));
    expect(kinds(recorded)).toEqual(['Ask', 'AnswerWithheld']);
    expect(parts.find((part) => part.type === 'sources')).toMatchObject({ source_refs: ['bridge#001'] });
    expect(parts.at(-1)).toMatchObject({ type: 'done', mode: 'no_answer' });
  });

  test('about an unknown or inactive corpus is rejected and not recorded', async () => {
    const { ask, recorded } = service();
    await expect(drain(ask.ask({ ...question, corpus_id: 'moon' }, still()))).rejects.toMatchObject({
      code: 'not_found',
    });
    const sleeping = service({ corpus: (id) => ({ corpus_id: id, settings, active: false }) });
    await expect(drain(sleeping.ask.ask(question, still()))).rejects.toMatchObject({ code: 'not_found' });
    expect([...recorded, ...sleeping.recorded]).toEqual([]);
  });

  test('that cannot be recorded is rejected', async () => {
    const { ask } = service({
      commands: {
        ask: () => ({
          execute: async () => {
            throw new Failure('storage_full', 'The disk is full.');
          },
        }),
      },
    });
    await expect(drain(ask.ask(question, still()))).rejects.toMatchObject({ code: 'storage_full' });
  });

  test('fails with an error part, and is recorded, without revealing the cause', async () => {
    const troubles: string[] = [];
    const { ask, recorded } = service({
      retrieve: async () => {
        throw new TypeError(`secret detail of ${question.query}`);
      },
      onTrouble: (sentence) => troubles.push(sentence),
    });
    expect(await drain(ask.ask(question, still()))).toEqual([
      {
        type: 'error',
        request_id: 'id-1',
        code: 'internal',
        detail: 'The question could not be answered.',
        retryable: false,
      },
    ]);
    expect(recorded[1]).toMatchObject({
      type: 'End',
      ending: { type: 'AnswerFailed', data: { code: 'internal', retryable: false } },
    });
    // The operator learns what failed and where, but not the question.
    expect(troubles).toEqual([
      expect.stringMatching(/^An answer failed: TypeError at .*ask\.test\.ts\S*:\d+/),
    ]);
    expect(troubles[0]).not.toMatch(/secret|bridge/);
  });

  test('passes on a known failure unchanged', async () => {
    const { ask, recorded } = service({
      retrieve: async () => {
        throw new Failure('unavailable', 'The index cannot be read.');
      },
    });
    expect(await drain(ask.ask(question, still()))).toMatchObject([
      { type: 'error', code: 'unavailable', retryable: true },
    ]);
    expect(recorded[1]).toMatchObject({
      ending: { type: 'AnswerFailed', data: { code: 'unavailable', retryable: true } },
    });
  });

  test('is cancelled by its signal while it works', async () => {
    const controller = new AbortController();
    const { ask, recorded } = service({
      retrieve: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    expect(await drain(ask.ask(question, controller.signal))).toMatchObject([
      { type: 'error', code: 'cancelled' },
    ]);
    expect(kinds(recorded)).toEqual(['Ask', 'AskCancelled']);
  });

  test('is cancelled by its signal while its answer is sent', async () => {
    const controller = new AbortController();
    const { ask, recorded } = service();
    const types: string[] = [];
    for await (const part of ask.ask(question, controller.signal)) {
      types.push(part.type);
      if (part.type === 'text') controller.abort();
    }
    expect(types).toEqual(['meta', 'sources', 'text', 'error']);
    expect(kinds(recorded)).toEqual(['Ask', 'AskCancelled']);
  });

  test('is cancelled when the reader disconnects', async () => {
    const { ask, recorded } = service();
    for await (const part of ask.ask(question, still())) if (part.type === 'sources') break;
    expect(kinds(recorded)).toEqual(['Ask', 'AskCancelled']);
  });

  test('that is ended externally ends in an error part', async () => {
    let calls = 0;
    const { ask } = service({
      commands: {
        ask: () => ({
          execute: async () => {
            if (++calls > 1) throw new Failure('conflict', 'This ask has already ended.');
          },
        }),
      },
    });
    const parts = await drain(ask.ask(question, still()));
    expect(parts.at(-1)).toMatchObject({ type: 'error', code: 'cancelled' });
    expect(calls).toBe(2);
  });

  test('needs no lookup for a greeting', async () => {
    const { ask, recorded } = service({ retrieve: () => Promise.reject(new Error('looked up')) });
    const parts = await drain(ask.ask({ ...question, query: 'Hello!' }, still()));
    expect(parts.at(-1)).toMatchObject({ type: 'done', mode: 'greeting' });
    expect(recorded[1]).toMatchObject({
      ending: { type: 'AnswerGiven', data: { evidence: null, sources: [], citations: [] } },
    });
  });

  test('that is empty is answered with a request for a question', async () => {
    const { ask } = service({ retrieve: () => Promise.reject(new Error('looked up')) });
    expect((await drain(ask.ask({ ...question, query: '???' }, still()))).at(-1)).toMatchObject({
      mode: 'no_answer',
    });
  });

  test('that was completed from the history is recorded as completed', async () => {
    const asked: string[] = [];
    const { ask, recorded } = service({
      retrieve: async (request) => {
        asked.push(request.question);
        return retrieve;
      },
    });
    const history = [{ role: 'user' as const, content: 'When was the bridge built?' }];
    await drain(ask.ask({ ...question, query: 'and by whom?', history }, still()));
    expect(asked).toEqual(['by whom was the bridge built']);
    expect(recorded[1]).toMatchObject({ ending: { data: { rewritten: 'by whom was the bridge built' } } });
  });
});

describe('identical questions', () => {
  /**
   * A service that counts its lookups. `corpus`: when its corpus last changed; `index`: the time up to which its index
   * is current.
   */
  function counting(overrides: Partial<AskDeps> = {}) {
    const state = { lookUps: 0, corpus: '5' as string | null, index: '5' };
    const { ask, recorded } = service({
      answers: {
        cache: new MemoryCache(),
        corpusChangedAt: async () => state.corpus,
        indexHolds: (position) => position <= state.index,
      },
      retrieve: async () => {
        state.lookUps++;
        return retrieve;
      },
      ...overrides,
    });
    const asked = async (more: Partial<AskQuestion> = {}) => {
      const last = (await drain(ask.ask({ ...question, ...more }, still()))).at(-1);
      return last?.type === 'done' ? { answer: last.answer, cached: last.cached } : last;
    };
    return { asked, state, recorded };
  }

  test('asked simultaneously cause one lookup, and each is recorded with all its evidence', async () => {
    const { asked, state, recorded } = counting();
    const answers = await Promise.all(Array.from({ length: 100 }, () => asked()));
    expect(state.lookUps).toBe(1);
    expect(new Set(answers.map((one) => one && 'answer' in one && one.answer)).size).toBe(1);
    expect(answers.filter((one) => one && 'cached' in one && one.cached)).toHaveLength(99);
    const given = recorded.flatMap((command) => (command.type === 'End' ? [command.ending] : []));
    expect(given).toHaveLength(100);
    for (const ending of given) {
      expect(ending).toMatchObject({
        type: 'AnswerGiven',
        data: { sources: [{ ref: 'bridge#001', revision: 2 }], passages: [{ ref: 'bridge#001' }] },
      });
    }
  });

  test('asked later cause no lookup until the corpus changes', async () => {
    const { asked, state } = counting();
    const [first, second] = [await asked(), await asked()];
    expect([first, second]).toMatchObject([{ cached: false }, { cached: true }]);
    state.corpus = '6';
    state.index = '6';
    expect(await asked()).toMatchObject({ cached: false });
    expect(state.lookUps).toBe(2);
  });

  test('are looked up again until the index contains the change', async () => {
    const { asked, state } = counting();
    state.index = '4';
    await asked();
    await asked();
    state.index = '5';
    await asked();
    await asked();
    expect(state.lookUps).toBe(3);
  });

  test('do not include questions in another style, after a history, or in other words', async () => {
    const styled: CorpusSettings = { ...settings, styles: ['brief', 'analytic'] };
    const { asked, state } = counting({
      corpus: (id) => ({ corpus_id: id, settings: styled, active: true }),
    });
    await asked();
    await asked({ style: 'brief' });
    await asked({ style: 'analytic' });
    await asked({ query: 'When was the red bridge built?' });
    const history = [{ role: 'user' as const, content: 'When was the bridge built?' }];
    await asked({ history });
    await asked({ history });
    expect(state.lookUps).toBe(6);
  });

  test('are answered separately if the corpus or the first caller fails', async () => {
    const unknown = counting();
    unknown.state.corpus = null;
    await unknown.asked();
    await unknown.asked();
    expect(unknown.state.lookUps).toBe(2);

    let lookUps = 0;
    let asking = 0;
    const allAsk = Promise.withResolvers<void>();
    const cache = new MemoryCache();
    const failing = counting({
      answers: {
        cache: {
          once: (...given) => {
            const answer = cache.once(...given);
            if (++asking === 3) allAsk.resolve();
            return answer;
          },
        },
        corpusChangedAt: async () => '5',
        indexHolds: () => true,
      },
      retrieve: async () => {
        const isFirst = lookUps++ === 0;
        await allAsk.promise;
        if (isFirst) throw new Failure('unavailable', 'The index cannot be read.');
        return retrieve;
      },
    });
    const answers = await Promise.all([failing.asked(), failing.asked(), failing.asked()]);
    expect(answers).toMatchObject([{ type: 'error' }, { cached: false }, { cached: false }]);
  });

  test('continue after the first caller disconnects', async () => {
    const gate = Promise.withResolvers<RetrievalResult>();
    const begun = Promise.withResolvers<void>();
    const cache = new MemoryCache();
    const joined = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asking = 0;
    const { ask } = service({
      answers: {
        cache: {
          once: (...given) => {
            const answer = cache.once(...given);
            joined[asking++]!.resolve();
            return answer;
          },
        },
        corpusChangedAt: async () => '5',
        indexHolds: () => true,
      },
      retrieve: () => {
        begun.resolve();
        return gate.promise;
      },
    });
    const leaving = new AbortController();
    const first = drain(ask.ask(question, leaving.signal));
    await begun.promise;
    const second = drain(ask.ask(question, still()));
    await joined[1]!.promise;
    leaving.abort();
    expect((await first).at(-1)).toMatchObject({ type: 'error', code: 'cancelled' });
    gate.resolve(retrieve);
    expect((await second).at(-1)).toMatchObject({ type: 'done', cached: true });
  });

  test('end their lookup when all callers have disconnected', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const { ask } = service({
      answers: { cache: new MemoryCache(), corpusChangedAt: async () => '5', indexHolds: () => true },
      retrieve: (_request, signal) => {
        begun.resolve(signal);
        return orAborted(new Promise<never>(() => {}), signal);
      },
    });
    const leaving = new AbortController();
    const asked = drain(ask.ask(question, leaving.signal));
    const lookUp = await begun.promise;
    expect(lookUp.aborted).toBe(false);
    leaving.abort();
    expect((await asked).at(-1)).toMatchObject({ type: 'error', code: 'cancelled' });
    expect(lookUp.aborted).toBe(true);
  });
});

describe('a streaming answerer', () => {
  const citation = { start: 0, end: 10, ref: 'bridge#001', revision: 2, content_hash: 'hash' };
  const opening: AnswerPart = {
    type: 'opening',
    mode: 'ordinary',
    sources: [recordedSource(hit)],
    citations: [],
  };
  const closing: AnswerPart = {
    type: 'closing',
    finish: 'stop',
    model: 'writer-1',
    prompt_version: 4,
    usage: { input_tokens: 7, output_tokens: 5 },
  };
  /** Writes two sentences, the second once the gate is open. */
  function writer(second: AnswerPart[]) {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const answerer: Answerer = {
      async *answer() {
        runs++;
        yield* [opening, { type: 'text', text: 'It is red.' }];
        await gate.promise;
        yield* [...second, closing];
      },
    };
    return { answerer, gate, runs: () => runs };
  }
  const quoted: AnswerPart[] = [{ type: 'citation', citation: { ...citation, quote: 'It is red.' } }];

  test('streams while it writes, and is recorded with its model', async () => {
    const { answerer, gate } = writer(quoted);
    const { ask, recorded } = service({ answerer });
    const parts = ask.ask(question, still());
    const read = async () => (await parts.next()).value as Part;
    expect([await read(), await read(), await read()]).toMatchObject([
      { type: 'meta', mode: 'ordinary' },
      { type: 'sources', source_refs: ['bridge#001'] },
      { type: 'text', text: 'It is red.' },
    ]);
    gate.resolve();
    expect(await drain(parts)).toMatchObject([{ type: 'citation' }, { type: 'done', answer: 'It is red.' }]);
    expect(recorded[1]).toMatchObject({
      ending: {
        type: 'AnswerGiven',
        data: {
          model: 'writer-1',
          prompt_version: 4,
          usage: { input_tokens: 7, output_tokens: 5 },
          passages: [{ ref: 'bridge#001' }],
        },
      },
    });
  });

  test('has unsupported text withdrawn, in the stream and in the record', async () => {
    const { answerer, gate } = writer([{ type: 'citation', citation: { ...citation, quote: 'It is blue' } }]);
    gate.resolve();
    const { ask, recorded } = service({ answerer });
    const parts = await drain(ask.ask(question, still()));
    expect(parts.map(({ type }) => type)).toEqual(['meta', 'sources', 'text', 'replace', 'done']);
    expect(parts.at(-1)).toMatchObject({ mode: 'no_answer' });
    expect(recorded[1]).toMatchObject({
      ending: { type: 'AnswerWithheld', data: { replaced: replacedReason } },
    });
  });

  test('writes once for identical questions: the first caller gets a stream, the others the final answer', async () => {
    const { answerer, gate, runs } = writer(quoted);
    const cache = new MemoryCache();
    const { ask } = service({
      answerer,
      answers: { cache, corpusChangedAt: async () => '5', indexHolds: () => true },
    });
    const first = ask.ask(question, still());
    for (let n = 0; n < 3; n++) await first.next();
    const second = drain(ask.ask(question, still()));
    gate.resolve();
    expect((await drain(first)).at(-1)).toMatchObject({ type: 'done', cached: false });
    expect((await second).at(-1)).toMatchObject({ type: 'done', answer: 'It is red.', cached: true });
    expect(runs()).toBe(1);
  });

  test('is not called for a provision requested by number', async () => {
    const answerer: Answerer = {
      // biome-ignore lint/correctness/useYield: never called
      async *answer() {
        throw new Error('asked');
      },
    };
    const named = { unit: 'article' as const, number: '5' };
    const provisions = [{ passage: hit, start: 0, end: hit.text.length }];
    const finding = { ...named, chain: [named], unknownAct: false, provisions, neighbours: [], near: [] };
    const exact = service({ answerer, retrieve: async () => ({ ...retrieve, exact: [finding] }) });
    const asked = { ...question, query: 'Article 5' };
    expect((await drain(exact.ask.ask(asked, still()))).at(-1)).toMatchObject({ mode: 'exact' });
  });

  test('ends in an error part if it fails after the start', async () => {
    const answerer: Answerer = {
      async *answer() {
        yield* [opening, { type: 'text', text: 'It is' }];
        throw new Failure('unavailable', 'The model broke off.');
      },
    };
    const { ask, recorded } = service({ answerer });
    const parts = await drain(ask.ask(question, still()));
    expect(parts.at(-1)).toMatchObject({ type: 'error', code: 'unavailable' });
    expect(kinds(recorded)).toEqual(['Ask', 'AnswerFailed']);
  });
});

describe('a source lookup', () => {
  test('is recorded as one event and returns the best passages', async () => {
    const { ask, recorded } = service();
    const found = await ask.sourceRefs(
      { query: question.query, corpus_id: 'town', caller: question.caller },
      still(),
    );
    expect(found).toMatchObject({ request_id: 'id-1', mode: 'ordinary', lang: 'en', query: question.query });
    expect(found.sources.map(({ ref }) => ref)).toEqual(['bridge#001']);
    expect(recorded).toMatchObject([
      {
        type: 'LookUpSources',
        lookup: { channel: 'source-refs', mode: 'ordinary', sources: [{ ref: 'bridge#001', revision: 2 }] },
      },
    ]);
  });
});

describe('a question about references to a provision', () => {
  const article = {
    ...bridge('Article 5\nThe bridge is red.'),
    id: 9,
    chunk: { ...bridge('').chunk, chunk_index: '5', unit: 'article', number: '5', heading: 'Article 5' },
  };
  const numbered = { unit: 'article' as const, number: '5' };
  const exact = {
    ...numbered,
    chain: [numbered],
    unknownAct: false,
    neighbours: [],
    near: [],
    provisions: [{ passage: article, start: 0, end: article.text.length }],
  };
  const asked = { ...question, query: 'What refers to article 5?' };
  const find = async () => ({ ...found([article], asked.query), exact: [exact] });
  const place = (n: number) => {
    const text = `It is so. Rule ${n} holds as article 5 says.`;
    const start = text.indexOf('article');
    const { chunk, ...rest } = bridge(text);
    const passage = { ...rest, id: 10 + n, chunk: { ...chunk, chunk_index: `00${n}` } };
    return { passage, start, end: start + 9, to: { doc_key: 'bridge', ...numbered } };
  };
  const answerOf = async (overrides: Partial<AskDeps>, query = asked.query) => {
    const { ask } = service({ retrieve: find, ...overrides });
    const parts = await drain(ask.ask({ ...asked, query }, still()));
    const done = parts.find((part) => part.type === 'done')!;
    return { ...done, cited: parts.filter((part) => part.type === 'citation') };
  };

  test('is answered with up to twelve of the referring sentences, and their number', async () => {
    const items = Array.from({ length: 30 }, (_, n) => place(n));
    const answer = await answerOf({ references: async () => ({ items, more: false }) });
    expect(answer).toMatchObject({ mode: 'exact', finish_reason: 'length' });
    expect(answer.answer).toContain('Article 5 is referred to here (12 of 30):');
    expect(answer.cited.map(({ quote }) => quote)).toEqual(
      items.slice(0, 12).map((_, n) => `Rule ${n} holds as article 5 says.`),
    );
    const more = await answerOf({ references: async () => ({ items, more: true }) });
    expect(more.answer).toContain('(12 of 30+)');
  });

  test('gets an answer that there are no references', async () => {
    const answer = await answerOf({ references: async () => ({ items: [], more: false }) });
    expect(answer.mode).toBe('no_answer');
    expect(answer.answer).toContain('Nothing in the documents of “Town” was found that refers to Article 5.');
  });

  test('cannot be answered without a graph, so the provision is quoted', async () => {
    const references = () => Promise.reject(new Failure('unavailable', 'It is being folded.'));
    for (const overrides of [{}, { references }]) {
      const answer = await answerOf(overrides);
      expect(answer).toMatchObject({ mode: 'exact', finish_reason: 'stop' });
      expect(answer.answer).toContain('The bridge is red.');
    }
  });

  test('lists its sources in the same order', async () => {
    const twin = { ...article, id: 8, text: 'Another language.' };
    const both = { ...exact, provisions: [...exact.provisions, { passage: twin, start: 0, end: 5 }] };
    const { ask } = service({
      retrieve: async () => ({ ...(await find()), exact: [both] }),
      references: async () => ({ items: [place(1)], more: false }),
    });
    const { mode, texts } = await ask.sourceRefs({ ...asked, limit: 2 }, still());
    expect({ mode, texts }).toEqual({ mode: 'exact', texts: [article.text, place(1).passage.text] });
  });
});

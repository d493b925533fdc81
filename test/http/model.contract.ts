/**
 * Tests how a model's failures and false statements reach clients, over HTTP and as a stream. What depends on the stores
 * is tested in every configuration of them, and the rest over the data folder. Cohere's client library talks to a double
 * of its API. Two instances share the stores: one with long timeouts, and one with short timeouts, a budget and vectors
 * of another dimension.
 */
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Asks } from '../../src/asks/asks.ts';
import type { Config } from '../../src/config.ts';
import type { HttpServer } from '../../src/http/context.ts';
import { buildServer } from '../../src/http/server.ts';
import { discrepancies } from '../stories/story.ts';
import { type ChatRequest, CohereDouble, completes, type Said, says } from '../support/cohere-double.ts';
import { eventually } from '../support/eventually.ts';
import { writeFiles } from '../support/folder.ts';
import type { ChatReply, Fault, Plain, Step } from '../support/model-double.ts';
import { readsAnswers } from '../support/second-reader.ts';
import { type OpenedDoor, openDoor } from './admin-door.ts';
import { eventsIn, patient, type SseEvent } from './fake-app.ts';

const library: Record<string, string> = {
  'corpus.yaml': `id: krk_2026
title: {en: Harbour rules, kk: Айлақ ережелері}
languages: [en, kk]
`,
  'rules.md': `# Harbour rules

## Mooring

A vessel may moor at the northern quay for three days without a fee.

## Night

Engines are switched off between ten in the evening and six in the morning.
`,
  'quay.md': `# Quay

The northern quay is closed for repairs every October, and no vessel may moor there then.
`,
  'kk/aylaq.md': `# Айлақ

Кеме солтүстік айлақта үш күн ақысыз тұра алады.
`,
  'kk/zhondeu.md': `# Жөндеу

Солтүстік айлақ қазан айында жөндеуге жабылады, ол кезде кеме тұра алмайды.
`,
};

const question = 'How long may a vessel moor at the northern quay?';
const truth = 'A vessel may moor at the northern quay for three days without a fee.';
const more = 'The northern quay is closed for repairs every October.';
const lie = 'A vessel may moor at the northern quay for nine days.';
/** Its numbers and names match the source, and it has no negation, but half of its words do not occur in any source. */
const embroidered = 'A vessel may moor at the northern quay while cheerful musicians play aboard until dawn.';
const leftOut = 'Some of the draft answer was left out: no source supports it.';
const notChecked = 'This answer was not checked a second time against its sources.';
/** A second reading that accepts the first sentence and quotes a passage as proof. */
const proof = (text: string) => ({
  sentences: [
    {
      sentence: 1,
      verdict: 'supported',
      reason: '',
      quotes: [{ passage: '1', text }],
      answers: true,
      leans: false,
    },
  ],
});
/** Must not appear in any reply. */
const leak = 'leaked-by-the-server';

const piecesOf = (text: string): string[] => text.match(/\s*\S+/gu)!;

/** The document that contains a sentence. */
const holding = (documents: ChatRequest['documents'], sentence: string): string =>
  documents.find(({ data }) => data.text.includes(sentence.slice(0, 30)))?.id ?? documents[0]!.id;

/** Replies with sentences, each citing the document that contains it, or a given document. */
const telling =
  (sentences: readonly (string | [sentence: string, document: string])[], said: Partial<Said> = {}) =>
  ({ documents, messages }: ChatRequest): ChatReply => {
    // The model declines if it is asked to repair a sentence.
    if (messages?.at(-1)?.content.startsWith('One sentence')) return says({ pieces: ['NO_ANSWER'] });
    const list = sentences.map((one) => (typeof one === 'string' ? ([one, null] as const) : one));
    return says({
      pieces: piecesOf(list.map(([text]) => text).join(' ')),
      citations: list.map(([of, id]) => ({ of, documents: [id ?? holding(documents, of)] })),
      ...said,
    });
  };

/** The same reply with its last event replaced. */
const breaking =
  (reply: (request: ChatRequest) => ChatReply, ...instead: Step[]) =>
  (request: ChatRequest): ChatReply => {
    const whole = reply(request);
    return 'steps' in whole ? { steps: [...whole.steps.slice(0, -1), ...instead] } : whole;
  };

/** `servers`: addresses of the servers in the configuration, read after the suites have started them. */
export function modelContract(wiring: string, servers: (() => Partial<Config>) | null = null): void {
  /** A suite that does not depend on the stores. */
  const describeOnce = (title: string, suite: () => void) => servers === null && describe(title, suite);

  describe(`a failing model over ${wiring}`, () => {
    let double: CohereDouble;
    let door: OpenedDoor;
    let impatient: OpenedDoor;
    let answering: Pick<CohereDouble, 'embed' | 'rerank'>;
    /** The first instance. It immediately ends asks that have no client. */
    let forgetful: HttpServer;

    beforeAll(async () => {
      double = await CohereDouble.start();
      answering = { embed: double.embed, rerank: double.rerank };
      const config: Partial<Config> = {
        ...servers?.(),
        COHERE_API_KEY: 'key',
        COHERE_BASE_URL: double.url,
        COHERE_EMBED_DIMENSION: 256,
        MODEL_SILENCE_MS: 100_000,
        MODEL_EMBED_MS: 100_000,
        MODEL_RERANK_MS: 100_000,
      };
      door = await openDoor(config, { library: false });
      await door.app.ingest({ path: writeFiles(join(door.folder, 'library'), library), actor: 'system' });
      await door.app.caughtUp();
      const { app, folder } = door;
      forgetful = buildServer(
        {
          ...app,
          asks: new Asks(
            {
              ask: app.ask,
              recordedAsks: app.recordedAsks,
              secret: () => Buffer.alloc(32),
              clock: { now: () => new Date() },
            },
            { graceMs: 0 },
          ),
        },
        { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient },
      );
      impatient = await openDoor(
        {
          ...config,
          COHERE_EMBED_DIMENSION: 512,
          MODEL_SILENCE_MS: 2000,
          MODEL_VERIFY_MS: 300,
          MODEL_RERANK_MS: 300,
          DOCENT_BUDGET_DAY: 5,
        },
        { folder, library: false },
      );
      const listen = { host: '127.0.0.1', port: 0 };
      await Promise.all([door.server.listen(listen), forgetful.listen(listen)]);
    });
    afterAll(async () => {
      await forgetful?.close();
      await impatient?.close();
      await door?.close();
      await double?.stop();
    });

    beforeEach(async () => {
      double.chat = telling([truth]);
      readsAnswers(double);
      Object.assign(double, answering);
      // Earlier failures no longer count against the model.
      await streamed(anew(question));
      forgetCalls();
    });
    const forgetCalls = () => {
      for (const calls of [double.chats, double.structuredCalls, double.embeds, double.reranks])
        calls.length = 0;
    };

    /** Words each question differently, so that no cached answer is used. */
    let asked = 0;
    const anew = (query: string) => `${query}${' '.repeat(++asked)}`;
    const payload = (query: string) => ({ query, corpus_id: 'krk_2026' });

    /** An answer as it was streamed. */
    async function streamed(query: string, { server }: Pick<OpenedDoor, 'server'> = door) {
      const { statusCode, body } = await server.inject({
        method: 'POST',
        url: '/api/ask/stream',
        payload: payload(query),
      });
      expect([statusCode, body.includes(leak)]).toEqual([200, false]);
      return summary(eventsIn(body));
    }

    function summary(events: readonly SseEvent[]) {
      const last = events.at(-1);
      // The stream always ends exactly once, and says how.
      expect(events.filter(({ event }) => event === 'done' || event === 'error')).toEqual([last]);
      const replaced = events.findIndex(({ event }) => event === 'replace');
      const said = events.flatMap(({ event, data }) => (event === 'text' ? [data.text] : [])).join('');
      const citations = events
        .slice(Math.max(0, replaced))
        .flatMap(({ event, data }) => (event === 'citation' ? [data] : []));
      const { answer = null, mode = null, degraded = false, cached = false, code = null } = last!.data;
      // The parts joined together make up the answer.
      if (last!.event === 'done') expect(events[replaced]?.data.answer ?? said).toBe(answer);
      return {
        answer,
        mode,
        degraded,
        cached,
        code,
        said,
        citations,
        replaced: events[replaced]?.data.reason,
      };
    }

    /** Asks the question through both endpoints, which must give the same answer. */
    async function answered(query = question, of = door) {
      const stream = await streamed(anew(query), of);
      const { status, body } = await of.call('POST', '/api/ask', payload(anew(query)));
      expect(status).toBe(200);
      const { answer, mode, citations, degraded = false } = body;
      expect({ answer, mode, citations, degraded }).toEqual({
        answer: stream.answer,
        mode: stream.mode,
        citations: stream.citations,
        degraded: stream.degraded,
      });
      const { items } = await of.app.admin.queries({ limit: 2, offset: 0 }, acting);
      return { ...stream, models: items.map(({ model }) => model !== null) };
    }
    const acting = { name: 'olga', request_id: 'model' };

    /** The answer without the model: the best sentences, verbatim. */
    const without = {
      mode: 'ordinary',
      degraded: true,
      models: [false, false],
      answer: expect.stringContaining(truth),
      citations: expect.arrayContaining([expect.objectContaining({ quote: truth })]),
    };
    /** The answer with one true sentence from the model. */
    const written = {
      mode: 'ordinary',
      answer: truth,
      degraded: false,
      models: [true, true],
      replaced: undefined,
      citations: [expect.objectContaining({ start: 0, end: truth.length, quote: truth })],
    };

    it('streams its answer while it writes', async () => {
      expect(await answered()).toMatchObject(written);
      expect(double.chats).toHaveLength(2);
    });

    describeOnce('before it starts to write', () => {
      it.each<[string, () => ChatReply, number]>([
        ['is rate-limited', () => refusal(429, { 'retry-after': '30' }), 1],
        ['fails', () => refusal(503), 2],
        ['rejects the key', () => refusal(401), 1],
        ['answers with an HTML page', () => ({ body: `<html>${leak}</html>` }), 1],
        ['answers with truncated JSON', () => ({ body: `{"type": "${leak}` }), 1],
        ['ends without output', () => ({ steps: ['end'] }), 1],
        ['is cut off', () => ({ steps: ['cut'] }), 1],
      ])('is replaced by the best sentences if it %s', async (_, reply, tries) => {
        double.chat = reply;
        expect(await answered()).toMatchObject({ ...without, replaced: undefined });
        expect(double.chats).toHaveLength(2 * tries);
      });

      it.each<[string, ChatReply]>([
        ['is rate-limited once', refusal(429, { 'retry-after': '0' })],
        ['fails once', refusal(500)],
      ])('is asked once more if it %s', async (_, refused) => {
        const refusals = [refused];
        double.chat = (request) => refusals.shift() ?? telling([truth])(request);
        expect(await answered()).toMatchObject(written);
        expect(double.chats).toHaveLength(3);
      });

      it('is abandoned after a long silence', async () => {
        const gone = double.aborted();
        double.chat = () => ({ steps: [{ type: 'message-start' }, 'stall'] });
        const [one, other] = await Promise.all([
          streamed(anew(question), impatient),
          streamed(anew(question), impatient),
        ]);
        for (const each of [one, other])
          expect(each).toMatchObject({
            mode: 'ordinary',
            degraded: true,
            answer: expect.stringContaining(truth),
          });
        await gone;
        expect(double.chats.every(({ aborted }) => aborted)).toBe(true);
      });

      it('has no effect on the order if it reranks too slowly', async () => {
        double.rerank = () => 'stall';
        const gone = double.aborted();
        expect(await streamed(anew(question), impatient)).toMatchObject({ answer: truth, degraded: true });
        await gone;
        expect(double.reranks).toMatchObject([{ aborted: true }]);
      });
    });

    describeOnce('while it writes', () => {
      const endings: [string, Step[]][] = [
        ['is cut off', ['cut']],
        ['ends as if it were complete', ['end']],
        ['ends with the marker of another protocol', [{ raw: 'data: [DONE]\n\n' }]],
        ['turns into invalid data', [{ raw: `data: {"type": "${leak}\n\n` }]],
        ['reports a failure', [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: leak } }]],
      ];
      it.each(endings)('keeps the cited sentences already shown if it %s', async (_, ending) => {
        double.chat = breaking(telling([truth, 'The harbour master']), ...ending);
        expect(await answered()).toMatchObject({
          ...written,
          degraded: true,
          replaced: undefined,
          said: truth,
        });
      });

      it.each(endings)(
        'is replaced by the best sentences if it %s before anything was shown',
        async (_, ending) => {
          double.chat = breaking(telling([lie, 'The harbour']), ...ending);
          expect(await answered()).toMatchObject({ ...without, replaced: undefined });
        },
      );
    });

    describeOnce('with wrong statements or citations', () => {
      it.each<[string, Partial<Said>]>([
        ['code points', {}],
        ['UTF-16 units', { unit: 'utf-16' }],
        ['bytes', { unit: 'bytes' }],
        ['code points, with citations between the words', { mode: 'fast' }],
      ])('has its citations placed correctly for offsets in %s', async (_, said) => {
        const [first, second] = [
          '⚓😀🌊 Кеме солтүстік айлақта үш күн ақысыз тұра алады.',
          'Солтүстік айлақ қазан айында жөндеуге жабылады.',
        ];
        double.chat = ({ documents }) => {
          const [one, other] = ['Кеме солтүстік', 'қазан айында'].map(
            (words) => documents.find(({ data }) => data.text.includes(words))!.id,
          );
          return telling(
            [
              [first, one!],
              [second, other!],
            ],
            said,
          )({ documents } as ChatRequest);
        };
        const { answer, citations, replaced } = await answered(
          'Кеме солтүстік айлақта қанша күн тұра алады?',
        );
        expect([answer, replaced]).toEqual([`${first} ${second}`, undefined]);
        expect(
          citations.map(({ start, end, ref }) => [answer.slice(start, end), ref.slice(0, ref.indexOf('#'))]),
        ).toEqual([
          [first, 'kk/aylaq'],
          [second, 'kk/zhondeu'],
        ]);
      });

      it.each<[string, Partial<Said>, number]>([
        ['too late in the answer', {}, 7],
        ['far beyond its end', {}, 5000],
        ['before its beginning', {}, -3],
      ])(
        'has its citations moved to the quoted words even if their offsets are %s',
        async (_, said, shift) => {
          double.chat = ({ documents }) =>
            says({
              pieces: piecesOf(`${truth} ${more}`),
              citations: [truth, more].map((of) => ({ of, documents: [holding(documents, of)], shift })),
              ...said,
            });
          const { answer, citations } = await answered();
          expect(answer).toBe(`${truth} ${more}`);
          expect(citations.map(({ start, end }) => answer.slice(start, end))).toEqual([truth, more]);
        },
      );

      it.each<[string, (string | [string, string])[]]>([
        ['contradicts its passage', [truth, lie]],
        ['goes beyond its passage', [truth, embroidered]],
        ['cites a passage on another subject', [truth, [more, 'night']]],
      ])('loses a sentence that %s, and the answer says so', async (_, sentences) => {
        double.chat = (request) => {
          const night = request.documents.find(({ data }) => data.text.includes('Engines'))!.id;
          const named = sentences.map((one) =>
            Array.isArray(one) && one[1] === 'night' ? ([one[0], night] as [string, string]) : one,
          );
          return telling(named)(request);
        };
        expect(await answered(`${question} Are engines switched off at night?`)).toMatchObject({
          answer: `${truth}\n\n${leftOut}`,
          degraded: false,
          replaced: undefined,
          citations: [expect.objectContaining({ quote: truth })],
        });
      });

      it.each<[string, () => ChatReply]>([
        ['cites nothing', () => says({ pieces: piecesOf(truth) })],
        [
          'cites a document it was not given',
          () => says({ pieces: piecesOf(truth), citations: [{ of: truth, documents: ['99'] }] }),
        ],
      ])('is accepted if the second reading finds proof, although it %s', async (_, reply) => {
        double.chat = reply;
        expect(await answered()).toMatchObject(written);
      });

      it('leads to an abstention if none of its statements is true', async () => {
        double.chat = telling([[lie, '1']]);
        expect(await answered()).toMatchObject({ mode: 'no_answer', degraded: false, replaced: undefined });
      });

      it('leads to an abstention if it says that there is no answer', async () => {
        double.chat = () => says({ pieces: ['NO_', 'ANSWER'] });
        expect(await answered()).toMatchObject({ mode: 'no_answer', degraded: false, replaced: undefined });
      });
    });

    describeOnce('during the second reading', () => {
      const unread = { ...written, answer: `${truth}\n\n${notChecked}` };

      it.each<[string, () => Plain | Fault]>([
        ['is unavailable', () => ({ status: 503, headers: { 'retry-after': '60' }, body: leak })],
        ['is rate-limited', () => ({ status: 429, headers: { 'retry-after': '60' }, body: leak })],
        ['rejects the key', () => ({ status: 401, body: leak })],
        ['is cut off', () => 'cut'],
        ['answers with an HTML page', () => ({ body: `<html>${leak}</html>` })],
        ['replies in another format', () => completes({ sentences: [{ sentence: 7, verdict: leak }] })],
        ['gives invented words as proof', () => completes(proof('Words that occur nowhere.'))],
      ])('affects only the check of the answer if it %s', async (name, reply) => {
        double.structured = reply;
        const isLie = name.startsWith('gives');
        expect(await answered()).toMatchObject(isLie ? { mode: 'no_answer', degraded: false } : unread);
      });

      it('leaves the answer marked as unverified if it takes too long', async () => {
        double.structured = () => 'stall';
        const each = await streamed(anew(question), impatient);
        expect(each).toMatchObject({ answer: unread.answer, degraded: false });
      });
    });

    describe('without a waiting client', () => {
      /** Begins a stream and reads it up to the first text. */
      async function begun(server: HttpServer, query: string) {
        const leaving = new AbortController();
        const response = await fetch(`${addressOf(server)}/api/ask/stream`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload(query)),
          signal: leaving.signal,
        });
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
        let body = '';
        while (!body.includes('event: text')) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`The stream ended before any text: ${body}`);
          body += value;
        }
        return {
          id: response.headers.get('x-request-id')!,
          events: eventsIn(body.slice(0, body.lastIndexOf('\n\n') + 2)),
          leave: () => leaving.abort(),
          rest: async () => {
            for (;;) {
              const { value, done } = await reader.read();
              if (done) return summary(eventsIn(body));
              body += value;
            }
          },
        };
      }
      const addressOf = ({ server }: HttpServer) => {
        const address = server.address();
        return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      };
      /** One complete sentence, the beginning of another, then nothing. */
      const falling = breaking(telling([truth, 'The harbour master']), 'stall');
      /** Waits for any ending, so that a wrong one is reported as such. */
      async function cancelledInRecord(query: string): Promise<void> {
        const ended = await eventually(async () => {
          await door.app.caughtUp();
          const { items } = await door.app.admin.queries({ limit: 10, offset: 0, search: 'moor' }, acting);
          const found = items.find((one) => one.query === query)!;
          const { outcome } = await door.app.admin.dossier(found.request_id, acting);
          expect(outcome).not.toBe('pending');
          return { outcome, request_id: found.request_id };
        });
        expect(ended.outcome).toBe('AskCancelled');
        await door.app.caughtUp();
        const { items } = await door.app.admin.queries({ limit: 10, offset: 0, search: 'moor' }, acting);
        expect(items.find(({ request_id }) => request_id === ended.request_id)).toMatchObject({
          error: 'cancelled',
        });
      }

      it('is stopped if no client resumes the stream', async () => {
        double.chat = falling;
        const gone = double.aborted();
        const query = anew(question);
        (await begun(forgetful, query)).leave();
        await gone;
        expect(double.chats).toMatchObject([{ aborted: true }]);
        await cancelledInRecord(query);
      });

      it('is stopped if no client waits for the answer', async () => {
        double.chat = falling;
        const gone = double.aborted();
        const query = anew(question);
        const leaving = new AbortController();
        const asking = fetch(`${addressOf(forgetful)}/api/ask`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload(query)),
          signal: leaving.signal,
        }).catch(() => null);
        await eventually(() => expect(double.chats).toHaveLength(1));
        leaving.abort();
        await asking;
        await gone;
        await cancelledInRecord(query);
      });

      it('keeps writing for a client that comes back', async () => {
        const back = Promise.withResolvers<void>();
        double.chat = (request) => {
          const whole = telling([truth, more])(request);
          if (!('steps' in whole)) throw new Error('The reply is empty.');
          const at = whole.steps.findIndex((step) => JSON.stringify(step).includes(' northern')) + 14;
          return { steps: [...whole.steps.slice(0, at), { until: back.promise }, ...whole.steps.slice(at)] };
        };
        const { id, events, leave } = await begun(door.server, anew(question));
        const connections = promisify(door.server.server.getConnections.bind(door.server.server));
        const before = await connections();
        leave();
        await eventually(async () => expect(await connections()).toBeLessThan(before));
        const resumed = door.server.inject({
          url: `/api/ask/stream/${id}`,
          headers: { 'last-event-id': events.at(-1)!.id },
        });
        back.resolve();
        const all = [...events, ...eventsIn((await resumed).body)];
        expect(summary(all)).toMatchObject({ answer: `${truth} ${more}`, degraded: false });
        expect(double.chats).toMatchObject([{ aborted: false }]);
      });

      it('is stopped immediately by a client that cancels', async () => {
        double.chat = falling;
        const gone = double.aborted();
        const query = anew(question);
        const { id, rest } = await begun(door.server, query);
        const { statusCode } = await door.server.inject({ method: 'DELETE', url: `/api/ask/stream/${id}` });
        expect(statusCode).toBe(204);
        expect(await rest()).toMatchObject({ code: 'cancelled' });
        await gone;
        await cancelledInRecord(query);
      });
    });

    it('is called once for identical questions in flight', async () => {
      const all = Promise.withResolvers<void>();
      double.chat = (request) => {
        const reply = telling([truth])(request);
        return 'steps' in reply ? { steps: [{ until: all.promise }, ...reply.steps] } : reply;
      };
      const query = anew(question);
      const streams = Array.from({ length: 5 }, () => streamed(query));
      const asks = Array.from({ length: 5 }, () => door.call('POST', '/api/ask', payload(query)));
      await eventually(() => expect([door.app.asks.running, double.chats.length]).toEqual([10, 1]));
      all.resolve();
      const answers = [
        ...(await Promise.all(streams)).map(({ answer }) => answer),
        ...(await Promise.all(asks)).map(({ body }) => body.answer),
      ];
      expect([new Set(answers), double.chats.length]).toEqual([new Set([truth]), 1]);
    });

    it('with another vector dimension is used once its vectors are complete', async () => {
      const { call, app } = impatient;
      const generations = async () => {
        await app.caughtUp();
        const { body } = await call('GET', '/admin/api/embeddings/status');
        return body.generations.map((one: Record<string, unknown>) => [
          ...[one.embedder, one.embedded_chunks === one.total_chunks, one.serves],
        ]);
      };
      const [old, next] = ['cohere:embed-v4.0:256', 'cohere:embed-v4.0:512'];
      expect(await generations()).toEqual([
        [next, false, false],
        [old, true, true],
      ]);
      await streamed(anew('When are engines switched off?'), impatient);
      expect(double.embeds.map(({ body }) => body.output_dimension)).toEqual([256]);
      const { body: job } = await call('POST', '/admin/api/backfill-embeddings', { batch_size: 50 });
      await eventually(async () => {
        await app.caughtUp();
        expect((await app.admin.backfillJob(job.job_id)).status).toBe('completed');
      });
      expect(await generations()).toEqual([
        [next, true, true],
        [old, true, false],
      ]);
      forgetCalls();
      await streamed(anew('When exactly are engines switched off?'), impatient);
      expect(double.embeds.map(({ body }) => body.output_dimension)).toEqual([512]);
      // From now on, the vectors of the old dimension are incomplete.
      const path = writeFiles(join(door.folder, 'library'), {
        'ropes.md': '# Ropes\n\nRopes are coiled on deck.\n',
      });
      await app.ingest({ path, actor: 'system' });
      expect(await generations()).toEqual([
        [next, true, true],
        [old, false, false],
      ]);
    });

    it('does not confuse two questions, even if their vectors are close', async () => {
      const curated = 'The reading room opens at nine.';
      await door.call('POST', '/admin/api/faq-cache', {
        corpus_id: 'krk_2026',
        question: 'When does the reading room open?',
        answer: curated,
      });
      double.embed = ({ texts, output_dimension = 256 }) => ({
        body: {
          id: 'e',
          embeddings: { float: texts.map(() => Array.from({ length: output_dimension }, () => 1)) },
          meta: { billed_units: { input_tokens: 1 } },
        },
      });
      const mode = async (query: string) => (await streamed(query)).mode;
      expect(await mode('When does the reading room start working?')).toBe('faq');
      for (const other of [
        'When does the reading room not open?',
        'Where does the reading room open?',
        'When does the reading room 5 open?',
        'When does the reading room of Astana open?',
      ])
        expect([other, await mode(other)]).not.toEqual([other, 'faq']);
    });

    it('is stopped on all instances when one of them exhausts the budget', async () => {
      double.chat = telling([truth], { usage: { input_tokens: 0, output_tokens: 1_000_000 } });
      expect(await streamed(anew(question))).toMatchObject({ answer: truth, degraded: false });
      const { call, app } = impatient;
      await eventually(() =>
        expect(app.health().reasons).toEqual(['The daily budget for language models is spent.']),
      );
      expect(app.health()).toMatchObject({ status: 'degraded', components: { models: 'degraded' } });
      forgetCalls();
      expect(await answered(question, impatient)).toMatchObject({ ...without, replaced: undefined });
      expect([double.chats, double.embeds, double.reranks]).toEqual([[], [], []]);
      await app.caughtUp();
      const { body: stats } = await call('GET', '/admin/api/stats');
      expect(stats.models).toMatchObject({ chats: expect.any(Number), reranks: expect.any(Number) });
      expect(stats.models.cost_usd).toBeGreaterThan(9);
    });

    describeOnce('that keeps failing', () => {
      it('is not called for a while after five consecutive failures', async () => {
        double.chat = () => refusal(401);
        for (let n = 0; n < 5; n++) await streamed(anew(question));
        expect(double.chats).toHaveLength(5);
        double.chat = telling([truth]);
        forgetCalls();
        expect(await answered()).toMatchObject({ ...without, replaced: undefined });
        expect(double.chats).toEqual([]);
        const { status, reasons } = door.app.health();
        expect({ status, reasons }).toMatchObject({
          status: 'degraded',
          reasons: [expect.stringContaining("Cohere's chat")],
        });
      });
    });

    it('leaves read models consistent with the history', async () => {
      expect(await discrepancies(door.app)).toEqual({});
    });
  });
}

const refusal = (status: number, headers: Record<string, string> = {}): ChatReply => ({
  status,
  headers,
  body: { message: leak },
});

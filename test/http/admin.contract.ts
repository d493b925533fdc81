/** Administration over HTTP, run for every configuration of the stores. replies.test.ts provokes each error status. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import { eventually } from '../support/eventually.ts';
import { aidar, type OpenedDoor, openDoor } from './admin-door.ts';

/** `servers`: addresses of the servers in the configuration, read once the suites have started them. */
export function administrationContract(wiring: string, servers: () => Partial<Config> = () => ({})): void {
  describe(`the administration over ${wiring}`, () => {
    let door: OpenedDoor;
    let call: OpenedDoor['call'];
    beforeAll(async () => {
      door = await openDoor(servers());
      call = door.call;
    });
    afterAll(() => door.close());
    /** The body of the reply. */
    const get = async (path: string) => (await call('GET', `/admin/api/${path}`)).body;

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-/);

    const acting = { name: 'olga', request_id: 'a-test' };
    const ask = (query: string, headers: Record<string, string> = {}) =>
      call('POST', '/api/ask', { query }, headers);
    const answer_at = ({ items }: { items: { asked_at: string }[] }) => items[0]!.asked_at;
    const audited = (action: string) => get(`audit-log?action=${action}`);

    type Place = { start: number; end: number };

    /** Two files are ingested in no particular order. */
    const keyed = (key: string) => (item: { doc_key: string }) => item.doc_key === key;

    describe('documents', () => {
      it('are listed with their chunks and vectors, for all corpora or one', async () => {
        const { status, body } = await call('GET', '/admin/api/documents');
        expect(status).toBe(200);
        expect(body).toMatchObject({ total: 3, limit: 500, offset: 0 });
        expect(body.items.map((item: { doc_id: number }) => item.doc_id)).toEqual([1, 2, 3]);
        expect(body.items.find(keyed('berths'))).toEqual({
          doc_id: expect.any(Number),
          doc_key: 'berths',
          corpus_id: 'krk_2026',
          title: 'Berths',
          lang: 'en',
          layer: 'rules',
          status: 'published',
          revision: 1,
          content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          chunk_count: 2,
          embedded_count: 2,
          url: null,
          source_url: null,
          event_date: null,
          updated_at: time,
        });
        expect((await get('documents?corpus_id=krk_2026')).total).toBe(3);
        expect(await get('documents?corpus_id=other')).toEqual({
          items: [],
          total: 0,
          limit: 500,
          offset: 0,
        });
        const titled = (words: string) => call('GET', `/admin/api/documents?search=${words}`);
        expect((await titled('markets+fishes')).body.items).toMatchObject([{ doc_key: 'fish' }]);
        expect((await titled('mooring')).body.total).toBe(0);
        expect((await titled('berth&corpus_id=other')).body.total).toBe(0);
        expect((await titled('+')).body.total).toBe(3);
        expect(await get('documents?limit=1&offset=1')).toEqual({
          ...body,
          items: [body.items[1]],
          limit: 1,
          offset: 1,
        });
      });

      it('show their chunks, including those of restricted layers', async () => {
        const { items } = await get('documents');
        const { doc_id } = items.find(keyed('berths'));
        const body = await get(`documents/${doc_id}/chunks?limit=1&offset=1`);
        expect(body).toMatchObject({ total: 2, limit: 1, offset: 1 });
        expect(body.items).toEqual([
          {
            chunk_index: '2',
            ref: 'berths#2',
            heading: expect.stringContaining('Night'),
            text: expect.stringContaining('Engines are switched off'),
            lang: 'en',
            start: expect.any(Number),
            end: expect.any(Number),
            embedded: true,
          },
        ]);
        const plan = items.find(({ layer }: { layer: string }) => layer === 'plans');
        expect((await get(`documents/${plan.doc_id}/chunks`)).total).toBe(1);
      });
    });

    describe('the query log', () => {
      it('lists questions with their answers, and combines all filters', async () => {
        const { body: answer } = await ask('How long may a vessel moor without a fee?');
        await ask('When does the fish market open?');
        await call('POST', '/api/source-refs', { query: 'fish market' });
        const all = await get('queries');
        expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 });
        expect(all.items.map((entry: { channel: string }) => entry.channel)).toEqual([
          'source-refs',
          'http',
          'http',
        ]);
        expect(all.items[2]).toEqual({
          request_id: answer.request_id,
          asked_at: time,
          channel: 'http',
          corpus_id: 'krk_2026',
          query: 'How long may a vessel moor without a fee?',
          answer: answer.answer,
          mode: answer.mode,
          lang: 'en',
          style: null,
          source_refs: answer.source_refs,
          latency_ms: expect.any(Number),
          key_id: null,
          subject: expect.any(String),
          forgotten: false,
          error: null,
          cached: false,
          model: null,
          rating: null,
          comment: null,
          rated_up: 0,
          rated_down: 0,
        });
        const totals = async (filters: string) => (await get(`queries?${filters}`)).total;
        expect(
          await totals(`mode=${answer.mode}&lang=en&has_error=false&search=vessels&corpus_id=krk_2026`),
        ).toBe(1);
        expect(await totals('search=vessels&lang=ru')).toBe(0);
        expect(await totals('search=vessels+markets')).toBe(0);
        expect(await totals('search=+')).toBe(3);
        expect(await totals('has_error=true')).toBe(0);
        expect(await totals('mode=none')).toBe(0);
        expect((await get('queries?limit=1&offset=1')).items).toEqual([all.items[1]]);
        expect((await get('queries?offset=9')).items).toEqual([]);
        const [day] = answer_at(all).split('T');
        expect(await totals(`from=${day}&to=${day}`)).toBe(3);
        expect(await totals(`from=${all.items[0].asked_at}`)).toBe(1);
        expect(await totals(`to=${all.items[1].asked_at}&lang=en`)).toBe(2);
        expect(await totals('to=2020-01-01')).toBe(0);
        expect(await totals(`from=${day}T23%3A59%3A59.999%2B00%3A00`)).toBe(0);
        expect(await totals('channel=http')).toBe(2);
        expect(await totals('channel=source-refs&search=market')).toBe(1);
        expect(await totals('rating=up')).toBe(0);
        expect(await totals('key_id=1')).toBe(0);
        for (const faulty of [
          'from=yesterday',
          'to=2026-02-30',
          'from=2026-01-01T25:00:00Z',
          'key_id=x',
          'format=xml',
        ])
          expect([faulty, (await call('GET', `/admin/api/queries?${faulty}`)).status]).toEqual([faulty, 422]);
      });

      it('can be exported as CSV', async () => {
        await ask('=1+2 "when", does the fish market open?');
        const table = (url: string, headers = {}) => call('GET', `/admin/api/${url}`, undefined, headers);
        const whole = await table('queries?format=csv');
        expect(whole.headers).toMatchObject({
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="queries.csv"',
        });
        const rows = parse(whole.body, { columns: true, bom: true }) as Record<string, string>[];
        const { total, items } = await get('queries');
        expect(rows).toHaveLength(total);
        expect(Object.keys(rows[0]!)).toEqual(Object.keys(items[0]));
        expect(rows[0]).toMatchObject({
          request_id: items[0].request_id,
          // Text that a spreadsheet would treat as a formula remains text.
          query: `'=1+2 "when", does the fish market open?`,
          source_refs: items[0].source_refs.join('; '),
          key_id: '',
          cached: 'false',
        });
        const accepted = await table('queries?limit=1&offset=1', { accept: 'text/csv' });
        expect(parse(accepted.body, { columns: true, bom: true })).toEqual([rows[1]]);
        expect((await table('queries?format=json', { accept: 'text/csv' })).body.total).toBe(total);
        const audit = parse((await table('audit-log?format=csv')).body, {
          columns: true,
          bom: true,
        }) as object[];
        expect(audit[0]).toMatchObject({
          action: 'admin.read_questions',
          detail: expect.stringMatching(/^\{"filter":\{/),
        });
        expect(await table('queries?format=csv&limit=0')).toMatchObject({ status: 422 });
      });

      it('shows the rating of an answer', async () => {
        const { body: answer } = await ask('When are engines switched off?');
        const url = `/api/asks/${answer.request_id}/rating`;
        expect((await call('POST', url, { rating: 'up' })).body).toEqual({
          request_id: answer.request_id,
          rating: 'up',
          comment: null,
        });
        expect((await call('POST', url, { rating: 'down', comment: 'Too short.' })).status).toBe(200);
        expect((await call('POST', url, { rating: 'down', comment: 'Too short.' })).status).toBe(200);
        expect((await get('queries?search=engines')).items[0]).toMatchObject({
          rating: 'down',
          comment: 'Too short.',
        });
        expect((await get('stats')).ratings).toEqual({ up: 0, down: 1 });
        expect((await get('queries?rating=down')).items).toMatchObject([{ request_id: answer.request_id }]);
        expect(
          (await call('POST', url, { rating: 'fine', comment: 'a'.repeat(1001) })).body.detail,
        ).toMatchObject([
          { type: 'literal_error', loc: ['body', 'rating'] },
          { type: 'string_too_long', loc: ['body', 'comment'] },
        ]);
      });
    });

    it('counts the questions in its figures', async () => {
      await ask('Who won the football match in Lisbon yesterday evening?');
      await ask('Who won the football match in LISBON yesterday evening');
      const body = await get('stats');
      const { all } = body.questions;
      expect(body.questions).toEqual({ today: all, last_7_days: all, last_30_days: all, all });
      expect(body.by_day).toHaveLength(30);
      expect(body.by_day[29]).toMatchObject({ date: new Date().toISOString().slice(0, 10), questions: all });
      expect(body.by_corpus).toEqual({ krk_2026: all });
      expect(body.by_channel).toEqual({ http: all - 1, 'source-refs': 1 });
      expect(body.by_mode.no_answer).toBe(2);
      expect(body.abstention_rate).toBeCloseTo(2 / all, 3);
      expect(body).toMatchObject({ error_rate: 0, cache_hit_rate: 0, documents: 3, chunks: 4 });
      expect(body.embeddings).toEqual({ total_chunks: 4, embedded_chunks: 4, coverage: 1 });
      expect(body.most_asked[0]).toEqual({
        query: 'Who won the football match in LISBON yesterday evening',
        corpus_id: 'krk_2026',
        count: 2,
        last_asked_at: time,
      });
      expect(body.unanswered).toMatchObject([
        { count: 2, query: expect.stringContaining('Lisbon'.toUpperCase()) },
      ]);
      expect(body.latency_ms.p50).toBeGreaterThan(0);
      expect(body.latency_ms.p99).toBeGreaterThanOrEqual(body.latency_ms.p50);

      const { date } = body.by_day[29];
      const today = await get(`stats?from=${date}`);
      expect(today).toEqual({
        ...body,
        range: { from: date, to: date, questions: all },
        by_day: [body.by_day[29]],
        most_asked: expect.arrayContaining([body.most_asked[0]]),
      });
      const before = await get('stats?from=2020-01-01&to=2020-01-31');
      expect(before).toMatchObject({
        range: { questions: 0 },
        questions: { all },
        by_mode: {},
        latency_ms: { p50: null },
        most_asked: [],
        unanswered: [],
        documents: 3,
      });
      expect(before.by_day).toHaveLength(31);
      for (const faulty of [
        'from=2020-01-01&to=2021-02-01',
        'from=2020-02-01&to=2020-01-01',
        'to=2020-02-30',
      ])
        expect((await call('GET', `/admin/api/stats?${faulty}`)).status).toBe(422);

      const open = await get('unanswered');
      expect(open).toMatchObject({
        total: 1,
        items: [
          {
            query: 'Who won the football match in LISBON yesterday evening',
            corpus_id: 'krk_2026',
            lang: 'en',
            count: 2,
            first_asked_at: time,
            last_asked_at: time,
            last_request_id: uuid,
          },
        ],
      });
      expect((await get('unanswered?to=2020-01-01')).total).toBe(0);
      expect(await get('unanswered?format=csv')).toContain('LISBON');

      // A question that has a curated answer no longer counts as unanswered.
      const question = 'Who won the football match in Lisbon yesterday evening?';
      const entry = { corpus_id: 'krk_2026', question, answer: 'This service knows nothing of football.' };
      const { entry_id } = (await call('POST', '/admin/api/faq-cache', entry)).body;
      expect(await get('unanswered')).toMatchObject({ total: 0, items: [] });
      expect((await get('stats')).unanswered).toEqual([]);
      await call('DELETE', `/admin/api/faq-cache/${entry_id}`);
    });

    it('counts the questions asked with a key by day', async () => {
      const { body: key } = await call('POST', '/admin/api/api-keys', { name: 'Counted' });
      const use = (query = '') => call('GET', `/admin/api/api-keys/${key.key_id}/use${query}`);
      await ask('When does the fish market open?', { 'x-api-key': key.key });
      await ask('Who won the match?', { 'x-api-key': key.key });
      const { body } = await use();
      const today = body.to;
      expect(body).toMatchObject({ key_id: key.key_id, questions: 2 });
      expect(body.by_day).toHaveLength(30);
      expect(body.by_day.at(-1)).toEqual({ date: today, questions: 2 });
      expect(body.by_day[0]).toEqual({ date: body.from, questions: 0 });
      expect((await use(`?from=${today}&to=${today}`)).body.by_day).toEqual([{ date: today, questions: 2 }]);
      expect((await use('?from=2026-01-01&to=2026-01-03')).body).toMatchObject({
        questions: 0,
        by_day: [{ date: '2026-01-01' }, { date: '2026-01-02' }, { date: '2026-01-03' }],
      });
      expect((await use('?from=2026-02-30')).status).toBe(422);
      expect((await use('?from=2025-01-01&to=2026-06-01')).status).toBe(422);
    });

    it('runs a trial without recording it as a question', async () => {
      const figures = async () => {
        const { questions } = await get('stats');
        return [questions.all, (await get('queries')).total];
      };
      const before = await figures();
      const query = 'How long may a vessel moor without a fee?';
      const tried = { query, corpus_id: 'krk_2026', model: 'none', system_prompt: 'Answer in verse.' };
      const { status, body } = await call('POST', '/admin/api/trials', tried);
      expect([status, body]).toMatchObject([
        200,
        {
          query,
          mode: 'ordinary',
          lang: 'en',
          answer: expect.stringContaining('three days'),
          source_refs: ['berths#1'],
          citations: [{ ref: 'berths#1', revision: 1 }],
          timings: {
            understand: expect.any(Number),
            retrieve: expect.any(Number),
            answer: expect.any(Number),
          },
        },
      ]);
      expect(await figures()).toEqual(before);
      expect((await call('GET', `/admin/api/asks/${body.request_id}`)).status).toBe(404);
      const { items } = await audited('admin.trial');
      expect(items[0]).toMatchObject({
        actor: 'olga',
        target: 'krk_2026',
        detail: { request_id: body.request_id, model: 'none', own_prompt: true, style: null },
      });
      expect(JSON.stringify(items)).not.toMatch(/verse|moor/);
      // A trial ignores curated answers.
      const entry = { corpus_id: 'krk_2026', question: query, answer: 'As long as it likes.' };
      const { entry_id } = (await call('POST', '/admin/api/faq-cache', entry)).body;
      expect((await ask(query)).body.answer).toContain('As long as it likes.');
      expect((await call('POST', '/admin/api/trials', tried)).body.answer).toBe(body.answer);
      await call('DELETE', `/admin/api/faq-cache/${entry_id}`);

      const two = await Promise.all([
        call('POST', '/admin/api/trials', tried),
        call('POST', '/admin/api/trials', tried),
      ]);
      expect(two.map((reply) => reply.status).sort()).toEqual([200, 503]);
      const configured = { ...tried, model: 'configured', system_prompt: null };
      expect((await call('POST', '/admin/api/trials', configured)).body.answer).toBe(body.answer);
      for (const fault of [{ model: 'other' }, { query: ' ' }, { system_prompt: ' ' }, { style: 'poem' }])
        expect((await call('POST', '/admin/api/trials', { ...tried, ...fault })).status).toBe(422);
    });

    it('turns proposals from chats into entries, or rejects them', async () => {
      const question = 'Where do I report a lost key of the harbour gate?';
      const pair = { corpus_id: 'krk_2026', question, answer: 'At the lodge.', subject: 'slack:someone' };
      await door.app.chats.propose(pair);
      await door.app.chats.propose({ ...pair, question: 'Is the ferry late?' });
      await door.app.caughtUp();
      const listed = () => get('faq-cache/proposals');
      const { total, items } = await listed();
      expect([total, items[0]]).toEqual([2, { proposal_id: 1, ...pair, proposed_at: time }]);
      const decide = (id: number, what: string, body?: object) =>
        call('POST', `/admin/api/faq-cache/proposals/${id}/${what}`, body);
      const accepted = await decide(1, 'accept', { answer: 'At the lodge, day and night.' });
      expect(accepted).toMatchObject({
        status: 201,
        body: { question, answer: 'At the lodge, day and night.', origin: 'curated' },
      });
      expect((await ask(question)).body.answer).toContain('At the lodge, day and night.');
      expect((await decide(2, 'reject')).status).toBe(204);
      for (const id of [1, 2, 3]) {
        expect((await decide(id, 'reject')).status).toBe(404);
        expect((await decide(id, 'accept', {})).status).toBe(404);
      }
      expect((await listed()).total).toBe(0);
      expect((await audited('faq.accept')).items).toMatchObject([{ actor: 'olga', target: '1' }]);
      expect((await audited('faq.reject')).items).toMatchObject([{ actor: 'olga', target: '2' }]);
      await call('DELETE', `/admin/api/faq-cache/${accepted.body.entry_id}`);
    });

    it('changes channel settings, regardless of who last set them', async () => {
      const at = '/admin/api/chats/slack/C0123';
      const usual = { answers: 'mentions', threads: 'questions', silent: false, muted: false, helpers: [] };
      expect((await call('GET', at)).body).toMatchObject({ place: 'C0123', ...usual, changed_at: null });
      const changed = await call('PATCH', at, { answers: 'questions', helpers: ['U1'] });
      expect(changed).toMatchObject({
        status: 200,
        body: { ...usual, answers: 'questions', helpers: ['U1'], changed_by: 'olga', changed_at: time },
      });
      // Setting the same value again is not a change.
      await call('PATCH', at, { answers: 'questions' });
      const group = door.app.chats.place('telegram', '-1001');
      await group.change({ muted: true }, { subject: 'telegram:someone' });
      await door.app.caughtUp();
      expect((await get('chats')).items).toMatchObject([
        { platform: 'telegram', place: '-1001', muted: true, changed_by: 'telegram:someone' },
        { platform: 'slack', place: 'C0123', helpers: ['U1'] },
      ]);
      const { total, items } = await audited('chat.change');
      expect([total, items[1]]).toMatchObject([
        2,
        { actor: 'olga', target: 'slack/C0123', detail: { answers: 'questions' } },
      ]);
    });

    describe('the system prompt', () => {
      it('is versioned', async () => {
        const before = await get('system-prompt');
        expect(before).toEqual({
          version: 0,
          content: expect.any(String),
          changed_at: null,
          changed_by: null,
        });
        const put = (content: unknown) => call('PUT', '/admin/api/system-prompt', { content });
        const changed = { version: 1, content: 'Be brief.', changed_at: time, changed_by: 'olga' };
        expect(await put('Be brief.')).toMatchObject({ status: 200, body: changed });
        expect((await put('Be brief.')).body).toEqual(changed);
        expect((await put('a'.repeat(20_000))).body.version).toBe(2);
        expect((await put('a'.repeat(20_001))).body.detail[0].type).toBe('string_too_long');
        for (const blank of ['', ' \n\u00a0\u200b'])
          expect((await put(blank)).body.detail[0].type).toBe('string_too_short');
        const { total, items } = await audited('system_prompt.change');
        expect(total).toBe(2);
        expect(items[0]).toEqual({
          entry_id: uuid,
          occurred_at: time,
          actor: 'olga',
          action: 'system_prompt.change',
          target: 'system_prompt',
          detail: { version: 2 },
          request_id: uuid,
          position: expect.any(String),
        });

        const versions = await get('system-prompt/versions');
        expect(versions).toMatchObject({ total: 3, limit: 50, offset: 0 });
        expect(versions.items.slice(1)).toEqual([changed, before]);
        const restore = (version: unknown) =>
          call('POST', `/admin/api/system-prompt/versions/${version}/restore`);
        const back = { ...changed, version: 3, changed_at: time };
        expect(await restore(1)).toMatchObject({ status: 200, body: back });
        expect((await restore(1)).body.version).toBe(3);
        expect(await get('system-prompt')).toEqual(back);
        expect((await restore(0)).body).toMatchObject({ version: 4, content: before.content });
        expect((await audited('system_prompt.change')).items[0].detail).toEqual({
          version: 4,
          restored_from: 0,
        });
      });
    });

    it('is shown with the configuration, without secrets', async () => {
      const body = await get('config');
      expect(body).toMatchObject({ DOCENT_DEFAULT_CORPUS: 'krk_2026', PORT: 8080, DOCENT_PUBLIC: 'open' });
      expect(JSON.stringify(body)).not.toContain('scrypt');
      for (const secret of [
        'DOCENT_ADMINS',
        'EVENTSTOREDB_URL',
        'REDIS_URL',
        'COHERE_API_KEY',
        'OPENAI_API_KEY',
        'SLACK_BOT_TOKEN',
      ])
        expect(body).not.toHaveProperty(secret);
    });

    describe('corpora', () => {
      it('are listed with their figures', async () => {
        const body = await get('corpora');
        expect(body.items[0]).toMatchObject({
          corpus_id: 'krk_2026',
          title: { en: 'Harbour rules', ru: 'Правила гавани' },
          is_active: true,
          is_default: true,
          document_count: 3,
          chunk_count: 4,
          embedded_chunks: 4,
          embedding_coverage: 1,
          created_at: time,
          layers: [
            { name: 'rules', visibility: 'public' },
            { name: 'plans', visibility: 'restricted' },
          ],
        });
        expect(body.items[0].question_count).toBeGreaterThan(0);
      });

      it('show everyone only the counts of public content', async () => {
        const [listed] = (await call('GET', '/api/corpora')).body;
        expect(listed).toMatchObject({ corpus_id: 'krk_2026', document_count: 2, chunk_count: 3 });
      });

      it('can be registered, changed, deactivated and reactivated', async () => {
        const created = await call('POST', '/admin/api/corpora', { corpus_id: 'pilots', title: 'Pilots' });
        expect(created).toMatchObject({
          status: 201,
          body: {
            corpus_id: 'pilots',
            title: 'Pilots',
            description: null,
            languages: ['ru', 'kk', 'en'],
            styles: [],
            layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
            is_active: true,
            is_default: false,
            document_count: 0,
            embedding_coverage: 1,
            question_count: 0,
          },
        });
        expect(
          (await call('POST', '/admin/api/corpora', { corpus_id: '-', layers: [{ name: 1 }] })).body.detail,
        ).toMatchObject([
          { type: 'string_pattern_mismatch', loc: ['body', 'corpus_id'] },
          { type: 'missing', loc: ['body', 'title'] },
          { type: 'string_type', loc: ['body', 'layers', 0, 'name'] },
        ]);
        const twice = [{ name: 'a' }, { name: 'a' }];
        expect(
          (await call('PATCH', '/admin/api/corpora/pilots', { layers: twice })).body.detail,
        ).toMatchObject([{ type: 'value_error', loc: ['body', 'layers', 1, 'name'] }]);
        const patch = (body: unknown) => call('PATCH', '/admin/api/corpora/pilots', body);
        expect((await patch({ title: 'Pilotage', is_active: false })).body).toMatchObject({
          title: 'Pilotage',
          languages: ['ru', 'kk', 'en'],
          is_active: false,
        });
        const publicIds = async () =>
          (await call('GET', '/api/corpora')).body.map((corpus: { corpus_id: string }) => corpus.corpus_id);
        expect(await publicIds()).toEqual(['krk_2026']);
        expect((await call('POST', '/api/ask', { query: 'a', corpus_id: 'pilots' })).status).toBe(404);
        expect((await patch({ is_active: true })).body.is_active).toBe(true);
        expect(await publicIds()).toEqual(['krk_2026', 'pilots']);
        const { items } = await get('audit-log?limit=4');
        expect(
          items.map((entry: { action: string; target: string }) => [entry.action, entry.target]),
        ).toEqual([
          ['corpus.activate', 'pilots'],
          ['corpus.deactivate', 'pilots'],
          ['corpus.change', 'pilots'],
          ['corpus.register', 'pilots'],
        ]);
      });
    });

    const upload = (parts: Record<string, string | { filename: string; text: string }>, url = '') => {
      const form = new FormData();
      for (const [name, value] of Object.entries(parts))
        form.set(name, typeof value === 'string' ? value : new File([value.text], value.filename));
      return call('POST', `/admin/api/documents${url}`, form);
    };

    describe('uploads', () => {
      const file = {
        filename: 'C:\\docs\\tides.md',
        text: '# Tides\n\nAt high tide the lower bridge is closed.\n',
      };

      it('are ingested like any other document, and can be withdrawn', async () => {
        const sent = await upload({ corpus_id: 'krk_2026', event_date: '2026-05', file });
        expect(sent).toMatchObject({
          status: 201,
          body: { corpus_id: 'krk_2026', added: 1, revised: 0, unchanged: 0, chunks: 1, skipped: [] },
        });
        expect(sent.body.documents).toMatchObject([
          { doc_key: 'tides', title: 'Tides', event_date: '2026-05', status: 'published', embedded_count: 1 },
        ]);
        expect(await upload({ corpus_id: 'krk_2026', event_date: '2026-05', file })).toMatchObject({
          status: 200,
          body: { added: 0, unchanged: 1 },
        });
        const named = await upload({
          corpus_id: 'krk_2026',
          doc_key: 'notes/ebb',
          file: { ...file, text: '# Ebb\n\nLow.\n' },
        });
        expect(named.body.documents).toMatchObject([{ doc_key: 'notes/ebb', title: 'Ebb' }]);
        const found = await call('POST', '/api/source-refs', { query: 'When is the lower bridge closed?' });
        expect(found.body.source_refs[0]).toMatch(/^tides#/);

        const { doc_id } = sent.body.documents[0];
        // A different file under the same key becomes a revision only if the request says so.
        const other = { filename: 'tides.txt', text: 'Tides are told at noon.' };
        const refused = await upload({ corpus_id: 'krk_2026', file: other });
        expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('tides.md') } });
        // The file itself may also contain the key.
        const front = {
          filename: 'harbour.md',
          text: '---\ndoc_key: tides\n---\n\nThe tides are told at noon.\n',
        };
        const line = { id: 'tides', title: 'Tides', text: 'Tides are told at noon.' };
        const records = { filename: 'harbour.jsonl', text: `${JSON.stringify(line)}\n` };
        expect(await upload({ corpus_id: 'krk_2026', file: front })).toMatchObject({
          status: 409,
          body: { detail: expect.stringContaining('tides.md') },
        });
        expect(await upload({ corpus_id: 'krk_2026', file: records })).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['body', 'file'], msg: expect.stringContaining('tides.md') }] },
        });
        const replaced = await upload({ corpus_id: 'krk_2026', replace: 'true', file: other });
        expect(replaced).toMatchObject({ status: 201, body: { revised: 1 } });
        const again = { corpus_id: 'krk_2026', replace: 'true', event_date: '2026-05', file };
        expect((await upload(again)).body).toMatchObject({ revised: 1 });
        expect(readdirSync(join(door.folder, 'data', 'uploads'))).toEqual([]);
        const withdrawn = await call('DELETE', `/admin/api/documents/${doc_id}`);
        expect(withdrawn).toMatchObject({
          status: 200,
          body: { doc_id, status: 'withdrawn', chunk_count: 0 },
        });
        expect((await call('DELETE', `/admin/api/documents/${doc_id}`)).body).toEqual(withdrawn.body);
        const after = await call('POST', '/api/source-refs', { query: 'When is the lower bridge closed?' });
        expect(after.body.source_refs).not.toContain(found.body.source_refs[0]);
        const { items } = await audited('document.withdraw');
        expect(items).toMatchObject([{ actor: 'olga', target: 'krk_2026/tides' }]);

        const restore = (id: number) => call('POST', `/admin/api/documents/${id}/restore`);
        const restored = await restore(doc_id);
        expect(restored).toMatchObject({
          status: 200,
          body: { doc_id, status: 'published', revision: 4, chunk_count: 1, embedded_count: 1 },
        });
        expect((await restore(doc_id)).body).toEqual(restored.body);
        const back = await call('POST', '/api/source-refs', { query: 'When is the lower bridge closed?' });
        expect(back.body.source_refs).toEqual(found.body.source_refs);
        expect((await audited('document.restore')).items).toMatchObject([
          { actor: 'olga', target: 'krk_2026/tides', detail: { revision: 4, restored_from: 3 } },
        ]);
        const listed = await get(`documents/${doc_id}/revisions`);
        const at = { ingested_at: time, ingested_by: 'admin:olga', layer: 'rules', chunk_count: 1 };
        expect(listed).toMatchObject({
          total: 4,
          items: [
            {
              ...at,
              revision: 4,
              event_date: '2026-05',
              visible: true,
              restored_from: 3,
              withdrawn_at: null,
            },
            { ...at, revision: 3, event_date: '2026-05', visible: false, withdrawn_at: time },
            { ...at, revision: 2, event_date: null, visible: false, withdrawn_at: null },
            { ...at, revision: 1, event_date: '2026-05', visible: false, restored_from: null },
          ],
        });
        expect(listed.items[3].content_hash).toBe(listed.items[0].content_hash);
        const revision = (n: number) => call('GET', `/admin/api/documents/${doc_id}/revisions/${n}`);
        const { body: second } = await revision(2);
        expect(second).toMatchObject({ ...listed.items[2], text: expect.stringContaining('told at noon') });
        expect(second.chunks.map(({ start, end }: Place) => second.text.slice(start, end))).toEqual([
          expect.stringContaining('told at noon'),
        ]);
        expect((await revision(3)).body.text).toContain('the lower bridge is closed');
        // The restored document can again be identified by the bytes of its file.
        expect(await upload({ corpus_id: 'krk_2026', event_date: '2026-05', file })).toMatchObject({
          status: 200,
          body: { unchanged: 1 },
        });
        await call('DELETE', `/admin/api/documents/${doc_id}`);
        expect((await audited('document.ingest')).items.slice(2, 4)).toMatchObject([
          { actor: 'olga', target: 'krk_2026/notes/ebb' },
          { actor: 'olga', target: 'krk_2026/tides' },
        ]);
      });

      it('keep only the base names of files in a folder', async () => {
        const lighthouse = { corpus_id: 'krk_2026', layer: 'plans', doc_key: 'plans/lighthouse' };
        const text = '# Lighthouse\n\nThe lighthouse is to be painted green.\n';
        expect(await upload({ ...lighthouse, file: { filename: 'lighthouse.md', text } })).toMatchObject({
          status: 200,
          body: { unchanged: 1 },
        });
        const other = { filename: 'lighthouse.txt', text: text.replace('green', 'red') };
        expect(await upload({ ...lighthouse, file: other })).toMatchObject({
          status: 409,
          body: { detail: expect.stringContaining('plans/lighthouse.md') },
        });
      });

      it('can be previewed without storing anything', async () => {
        const before = await door.app.admin.events({ direction: 'backwards', limit: 1 }, acting);
        const text = [
          '---',
          'title: Pilots',
          '---',
          '# Duties',
          'A pilot boards every vessel.',
          '# Fees',
          'A fee of 40 is due.',
          '',
        ].join('\n\n');
        const inspected = await upload(
          {
            corpus_id: 'krk_2026',
            layer: 'plans',
            event_date: '2026-05',
            file: { filename: 'pilot.md', text },
          },
          '/inspect',
        );
        expect(inspected).toMatchObject({ status: 200, body: { has_more: false, faults: [] } });
        const [document, ...others] = inspected.body.documents;
        expect(others).toEqual([]);
        expect(document).toMatchObject({
          doc_key: 'pilot',
          line: null,
          title: 'Pilots',
          lang: 'en',
          layer: 'plans',
          event_date: '2026-05',
          edition: null,
          pages: 0,
          chunk_count: 2,
          notes: [],
          left_out: [],
        });
        expect(document.characters).toBe(document.text.length);
        const read = document.chunks.map(({ heading, start, end }: Place & { heading: string }) => [
          heading,
          document.text.slice(start, end),
        ]);
        expect(read).toEqual([
          ['Duties', expect.stringContaining('A pilot boards every vessel.')],
          ['Fees', expect.stringContaining('A fee of 40 is due.')],
        ]);

        const lines = [...Array(25).keys()].map((n) =>
          JSON.stringify({ id: `r${n}`, text: `Rule ${n} holds.` }),
        );
        const records = { filename: 'rules.jsonl', text: ['{"id": ', ...lines].join('\n') };
        const many = await upload({ corpus_id: 'krk_2026', file: records }, '/inspect');
        expect(many.body.documents).toHaveLength(20);
        expect(many.body).toMatchObject({
          has_more: true,
          faults: [{ line: 1, reason: expect.any(String) }],
        });
        expect(many.body.documents[0]).toMatchObject({ doc_key: 'r0', line: 2 });

        const hidden = '<p>Shown.</p><p hidden>A secret price.</p>';
        const page = await upload(
          { corpus_id: 'krk_2026', file: { filename: 'a.html', text: hidden } },
          '/inspect',
        );
        expect(page.body.documents[0].text).not.toContain('secret');
        expect(page.body.documents[0].left_out).toMatchObject([{ text: 'A secret price.' }]);

        const empty = { filename: 'empty.md', text: '' };
        for (const [form, status] of [
          [{ corpus_id: 'none', file: empty }, 404],
          [{ corpus_id: 'krk_2026', layer: 'none', file: empty }, 422],
          [{ corpus_id: 'krk_2026', file: empty }, 422],
          [{ file: empty }, 422],
        ] as const)
          expect((await upload(form, '/inspect')).status).toBe(status);
        expect((await call('POST', '/admin/api/documents/inspect', {})).status).toBe(415);
        expect((await get('documents?search=pilots')).total).toBe(0);
        const after = await door.app.admin.events({ direction: 'backwards', limit: 5 }, acting);
        const since = after.items.findIndex(({ id }) => id === before.items[0]!.id);
        expect(after.items.slice(0, since).filter(({ type }) => type !== 'AdminRead')).toEqual([]);
      });

      it('are rejected with a report of all their errors', async () => {
        expect(await upload({ lang: 'de', title: 'T' })).toMatchObject({
          status: 422,
          body: {
            detail: [
              { type: 'missing', loc: ['body', 'corpus_id'] },
              { type: 'literal_error', loc: ['body', 'lang'] },
              { type: 'missing', loc: ['body', 'file'] },
            ],
          },
        });
        expect((await upload({ corpus_id: 'krk_2026', event_date: 'May', file })).body.detail).toMatchObject([
          { type: 'value_error', loc: ['body', 'event_date'] },
        ]);
        expect((await upload({ corpus_id: 'none', file })).status).toBe(404);
        expect(await upload({ corpus_id: 'krk_2026', layer: 'none', file })).toMatchObject({
          status: 422,
          body: { detail: [{ type: 'value_error', loc: ['body', 'layer'] }] },
        });
        const empty = { filename: 'empty.md', text: '' };
        expect((await upload({ corpus_id: 'krk_2026', file: empty })).body.detail).toMatchObject([
          { type: 'value_error', loc: ['body', 'file'], msg: expect.stringMatching(/empty/i) },
        ]);
        expect(await upload({ corpus_id: 'krk_2026', file, other: file })).toMatchObject({
          status: 422,
          body: {
            detail: [{ loc: ['body', 'file'], msg: 'Value error, only one file can be uploaded at a time.' }],
          },
        });
        for (const url of ['javascript:alert(1)', 'data:text/html,x', '/tides'])
          expect((await upload({ corpus_id: 'krk_2026', url, file })).body.detail).toMatchObject([
            { type: 'value_error', loc: ['body', 'url'], input: url },
          ]);
        expect(await call('POST', '/admin/api/documents', { corpus_id: 'krk_2026' })).toMatchObject({
          status: 415,
          body: { detail: 'The request body must be multipart/form-data.' },
        });
      });
    });

    describe('the history', () => {
      type Item = {
        id: string;
        position: string;
        type: string;
        stream: string;
        time: string;
        data: { query?: string };
      };
      const events = (query: string) => get(`events?${query}`);

      /** All pages of a query. */
      async function every(query: string): Promise<Item[]> {
        const items: Item[] = [];
        for (let next: string | null = ''; next !== null; ) {
          const page = await events(`${query}${next && `&position=${encodeURIComponent(next)}`}`);
          items.push(...page.items);
          next = page.next;
        }
        return items;
      }

      it('is paged in both directions, event by event', async () => {
        const forwards = await every('direction=forwards&limit=7');
        const backwards = await every('limit=500');
        expect(forwards.length).toBeGreaterThan(10);
        // Reading is recorded, once a minute for identical requests.
        const ids = (items: Item[]) => items.map(({ id }) => id);
        expect(ids(backwards).reverse().slice(0, forwards.length)).toEqual(ids(forwards));
        expect(new Set(ids(backwards)).size).toBe(backwards.length);
        expect(forwards.map(({ position }) => position)).toEqual(
          forwards.map(({ position }) => position).sort(),
        );
        // Text written by people is stored sealed, and can be read here.
        const said = forwards.filter(({ type }) => type === 'QuestionAsked').map(({ data }) => data.query);
        expect(said).toContain('How long may a vessel moor without a fee?');
        expect(forwards.find(({ type }) => type === 'CorpusRegistered')).toMatchObject({
          stream: 'catalog',
          actor: 'system',
          version: 1,
          time,
          id: uuid,
          data: { corpus_id: 'krk_2026' },
        });
      });

      it('is filtered by stream, type, actor, request and time', async () => {
        await call('POST', '/admin/api/api-keys', { name: 'Pilots' });
        const all = await every('limit=500');
        const those = (of: (item: Item & Record<string, unknown>) => boolean) =>
          all.filter((item) => of(item as never)).map(({ id }) => id);
        const found = async (query: string) =>
          (await every(`limit=3&${query}`))
            .map(({ id }) => id)
            .filter((id) => all.some((one) => one.id === id));
        expect(await found('stream=catalog')).toEqual(those(({ stream }) => stream === 'catalog'));
        expect(await found('type=ApiKeyCreated')).toEqual(those(({ type }) => type === 'ApiKeyCreated'));
        expect(await found('actor=system&type=ChunksAdded')).toEqual(
          those(({ actor, type }) => actor === 'system' && type === 'ChunksAdded'),
        );
        const [key] = (await every('type=ApiKeyCreated')) as unknown as { correlation_id: string }[];
        expect(await found(`correlation_id=${key!.correlation_id}`)).toEqual(
          those(({ correlation_id }) => correlation_id === key!.correlation_id),
        );
        const middle = all[Math.floor(all.length / 2)]!.time;
        expect(await found(`to=${middle}`)).toEqual(those(({ time }) => time <= middle));
        expect(await found(`from=${middle}`)).toEqual(those(({ time }) => time >= middle));
        expect(await events('stream=none')).toMatchObject({ items: [], next: null });
      });

      it('can be read from any revision of a stream', async () => {
        const body = await get('streams/catalog?limit=2');
        expect(body.items.map(({ revision }: { revision: number }) => revision)).toEqual([0, 1]);
        const rest = await get(`streams/catalog?from_revision=${body.next}`);
        expect(rest.items[0].revision).toBe(2);
        expect(rest.next).toBeNull();
      });

      it('rejects invalid positions, types and directions, and records who read it', async () => {
        for (const query of ['position=x', 'type=Made', 'direction=sideways', 'limit=501', 'from=2026-02-30'])
          expect([query, (await call('GET', `/admin/api/events?${query}`)).status]).toEqual([query, 422]);
        const auditor = { authorization: aidar };
        expect((await call('GET', '/admin/api/events', undefined, auditor)).status).toBe(200);
        const read = 'action=admin.read_questions&target=history&actor=aidar';
        expect((await get(`audit-log?${read}`)).total).toBeGreaterThan(0);
      });

      /** Collects the messages of a live socket; `stop` closes it. */
      async function live(query: string, headers: Record<string, string> = { authorization: aidar }) {
        const socket = await door.server.injectWS(`/admin/api/events/live?${query}`, { headers });
        const waiting: unknown[] = [];
        let wake = () => {};
        socket.on('message', (data) => {
          waiting.push(JSON.parse(String(data)));
          wake();
        });
        const next = async () => {
          while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
          return waiting.shift() as { type: string; event?: Item; position?: string };
        };
        return { next, socket, stop: () => socket.terminate() };
      }

      it('answers pings on a live socket, and rejects a position beyond the end', async () => {
        const { socket, next, stop } = await live('');
        await next();
        const pong = once(socket, 'pong');
        socket.ping('still there?');
        expect(String((await pong)[0])).toBe('still there?');
        stop();
        const beyond = String((await every('limit=1'))[0]!.position).replaceAll(/\d/g, '9');
        const { socket: refused } = await live(`after=${encodeURIComponent(beyond)}`);
        const [code, reason] = await once(refused, 'close');
        expect([code, String(reason)]).toEqual([1011, 'The history ends before that position.']);
      });

      it('is followed live, and resumed after a disconnect without gaps or duplicates', async () => {
        const now = await live('type=ApiKeyCreated');
        expect(await now.next()).toMatchObject({ type: 'caught_up' });
        const made = (await call('POST', '/admin/api/api-keys', { name: 'Followed' })).body;
        expect(await now.next()).toMatchObject({ type: 'event', event: { data: { key_id: made.key_id } } });
        now.stop();
        const all = await every('direction=forwards&limit=500');
        const after = all[4]!.position;
        const again = await live(`after=${encodeURIComponent(after)}`);
        for (const { id } of all.slice(5)) expect((await again.next()).event?.id).toBe(id);
        again.stop();
      });

      it("cannot be followed from another site's page", async () => {
        const foreign = { authorization: aidar, origin: 'https://elsewhere.example' };
        await expect(live('', foreign)).rejects.toThrow('403');
        await expect(live('', { authorization: '' })).rejects.toThrow('401');
      });
    });

    describe('the dossier of an ask', () => {
      const dossier = (id: string, query = '') => call('GET', `/admin/api/asks/${id}${query}`);

      it('shows which text supported the answer, even after the text was replaced and withdrawn', async () => {
        const take = (text: string) =>
          upload({ corpus_id: 'krk_2026', layer: 'rules', file: { filename: 'ferry.md', text } });
        await take('# Ferry\n\nThe ferry leaves the old pier at seven in the morning.\n');
        const { body: answer } = await ask('When does the ferry leave the old pier?');
        expect(answer.answer).toContain('seven in the morning');
        await call('POST', `/api/asks/${answer.request_id}/rating`, { rating: 'up', comment: '`fine` <b>' });
        await take('# Ferry\n\nThe ferry leaves the old pier at nine in the morning.\n');
        const { body: now } = await dossier(answer.request_id);
        expect(now).toMatchObject({
          request_id: answer.request_id,
          note: expect.stringContaining('The question was not answered again'),
          asked: { query: 'When does the ferry leave the old pier?', corpus_id: 'krk_2026', channel: 'http' },
          outcome: 'AnswerGiven',
          answer: { text: answer.answer, model: null },
          corpus: { title: { en: 'Harbour rules' } },
          ratings: [{ rating: 'up', comment: '`fine` <b>' }],
        });
        expect(now.citations.length).toBeGreaterThan(0);
        expect(new Set(now.citations.map(({ verdict }: { verdict: string }) => verdict))).toEqual(
          new Set(['exact']),
        );
        const [passage] = now.passages;
        expect(passage).toMatchObject({ shown: true, revision: 1, hash_holds: true, title: 'Ferry' });
        expect(passage.text).toContain('at seven in the morning');
        expect(now.events.map(({ type }: { type: string }) => type)).toEqual([
          'QuestionAsked',
          'AnswerGiven',
          'AnswerRated',
        ]);
        await call('DELETE', `/admin/api/documents/${passage.doc_id}`);
        expect((await dossier(answer.request_id)).body).toEqual(now);
      });

      it('is rendered as Markdown and as a page, and escapes what people wrote', async () => {
        const { body: answer } = await ask('```\n# <script>alert(1)</script> fish market?');
        const markdown = await dossier(answer.request_id, '?format=markdown');
        expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
        expect(markdown.body).toContain('````\n```\n# <script>');
        const page = await dossier(answer.request_id, '?format=html');
        expect(page.headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'sha256-"),
        });
        expect(page.body).not.toContain('<script>');
        expect(page.body).toContain('&lt;script&gt;');
      });
    });

    describe('access control and recording', () => {
      it("records who read people's questions, once a minute per filter", async () => {
        await call('GET', '/admin/api/queries', undefined, { authorization: aidar });
        await call('GET', '/admin/api/queries', undefined, { authorization: aidar });
        await call('GET', '/admin/api/queries?search=fish&limit=1', undefined, { authorization: aidar });
        const { items } = await audited('admin.read_questions');
        type Entry = { actor: string; target: string; detail: { filter: object } };
        const by = items.filter(({ actor, target }: Entry) => actor === 'aidar' && target !== 'history');
        expect(by.map(({ target, detail }: Entry) => [target, detail.filter])).toEqual([
          ['queries', { search: 'fish' }],
          ['queries', {}],
        ]);
        expect(items.find(({ actor }: Entry) => actor === 'olga')).toBeDefined();
      });

      it('lets an administrator, but not an auditor, forget a person if text is sealed', async () => {
        const { body: answer } = await ask('How long may a vessel moor without a fee?');
        const { subject } = (await get('queries')).items[0];
        const forget = `/admin/api/subjects/${encodeURIComponent(subject)}`;
        expect((await call('DELETE', forget, undefined, { authorization: aidar })).status).toBe(403);
        const { status, body } = await call('DELETE', forget);
        // With EventStoreDB alone, nothing is sealed unless there is a folder for the keys.
        if (wiring === 'EventStoreDB and the data folder') return expect(status).toBe(409);
        expect([status, body]).toEqual([200, { subject, keys_destroyed: 1 }]);
        const dossier = await get(`asks/${answer.request_id}`);
        expect(dossier.asked).toMatchObject({ subject, query: '', forgotten: true });
        await eventually(async () => {
          const { items } = await get('queries');
          expect(items[0]).toMatchObject({
            request_id: answer.request_id,
            query: '',
            answer: '',
            forgotten: true,
          });
        });
      });

      it('lets an auditor read everything', async () => {
        const as = { authorization: aidar };
        for (const url of [
          'stats',
          'queries',
          'documents',
          'system-prompt',
          'config',
          'embeddings/status',
          'api-keys',
        ])
          expect((await call('GET', `/admin/api/${url}`, undefined, as)).status).toBe(200);
      });

      it('serves each list from any offset', async () => {
        await call('POST', '/admin/api/api-keys', { name: 'Portal' });
        const lists = ['queries', 'documents', 'api-keys', 'corpora', 'audit-log', 'faq-cache'];
        for (const list of [...lists, 'documents/1/chunks']) {
          const page = (query: string) => call('GET', `/admin/api/${list}?${query}`);
          const { body: whole } = await page('limit=200');
          expect([list, whole.total]).toEqual([list, whole.items.length]);
          if (list !== 'faq-cache') expect([list, whole.total > 0]).toEqual([list, true]);
          expect([list, (await page('limit=1')).body.items]).toEqual([list, whole.items.slice(0, 1)]);
          for (const offset of ['1000001', '4294967297', '1e3', '9007199254740993', `1${'0'.repeat(20)}`]) {
            const { status, body } = await page(`offset=${offset}`);
            if (offset === '1e3') expect([list, status]).toEqual([list, 422]);
            else
              expect([list, status, body]).toEqual([
                list,
                200,
                { ...whole, items: [], limit: body.limit, offset: Math.min(Number(offset), 2 ** 53 - 1) },
              ]);
          }
          for (const query of ['limit=0', 'limit=501', 'offset=-1', 'limit=x&offset=y'])
            expect([list, query, (await page(query)).status]).toEqual([list, query, 422]);
        }
      });

      it('pages every list, newest first', async () => {
        const all = await get('audit-log?limit=500');
        expect(all.total).toBe(all.items.length);
        const times = all.items.map((entry: { occurred_at: string }) => entry.occurred_at);
        expect(times).toEqual([...times].sort().reverse());
        const page = await get('audit-log?limit=2&offset=1');
        expect(page).toEqual({ items: all.items.slice(1, 3), total: all.total, limit: 2, offset: 1 });
        expect((await audited('nothing.at_all')).items).toEqual([]);
        const filtered = async (query: string) => {
          const { items } = await get(`audit-log?limit=500&${query}`);
          return items;
        };
        type Entry = { actor: string; target: string; occurred_at: string };
        const those = (of: (entry: Entry) => boolean) => all.items.filter(of);
        expect(await filtered('actor=system')).toEqual(those(({ actor }) => actor === 'system'));
        expect(await filtered('target=pilots&actor=olga')).toEqual(
          those(({ target, actor }) => target === 'pilots' && actor === 'olga'),
        );
        const [middle] = all.items.slice(5).map(({ occurred_at }: Entry) => occurred_at);
        expect(await filtered(`from=${middle}`)).toEqual(those(({ occurred_at }) => occurred_at >= middle));
        expect(await filtered(`to=${middle}`)).toEqual(those(({ occurred_at }) => occurred_at <= middle));
        expect(await filtered('actor=nobody')).toEqual([]);
      });
    });
  });
}

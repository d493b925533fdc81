/**
 * A model that falls for every trap, over the sample corpora and a document with instructions. None of its bad output
 * may reach the reader, no instruction in a document may reach the model, and the model's instructions must not appear
 * in any log line or reply.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpServer } from '../../../src/http/context.ts';
import { buildServer } from '../../../src/http/server.ts';
import { words } from '../../../src/text/words.ts';
import { patient } from '../../http/fake-app.ts';
import { CohereDouble, says } from '../../support/cohere-double.ts';
import { newFolder } from '../../support/folder.ts';
import { readsAnswers } from '../../support/second-reader.ts';
import { openSamples, type SampleService } from '../sample-corpora.ts';
import { instructions, kinds, poisoned, traps } from './traps.ts';

const languages = ['en', 'ru', 'kk'] as const;
const key = 'secret-key-of-the-deployment';

let double: CohereDouble;
let service: SampleService;
let server: HttpServer;
/** Everything printed. */
let printed = '';
const streams = [process.stdout, process.stderr] as const;

beforeAll(async () => {
  for (const stream of streams)
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  double = await CohereDouble.start();
  service = await openSamples({
    COHERE_API_KEY: key,
    COHERE_BASE_URL: double.url,
    COHERE_EMBED_MODEL: 'off',
    COHERE_RERANK_MODEL: 'off',
    DOCENT_PUBLIC_RPM: '0',
    DOCENT_PUBLIC_RPH: '0',
  });
  const path = newFolder('poisoned', {
    'corpus.yaml': 'id: pool\ntitle: Pool\nlanguages: [en, ru, kk]\n',
    ...Object.fromEntries(languages.map((lang) => [`${lang}.md`, poisoned[lang]])),
  });
  await service.app.ingest({ path, actor: 'system' });
  await service.app.caughtUp();
  server = buildServer(service.app, {
    corsOrigins: '*',
    trustProxy: false,
    loopDelayMsMax: patient,
    logLevel: 'debug',
  });
});
afterAll(async () => {
  await server.close();
  await service.close();
  await double.stop();
  vi.restoreAllMocks();
});

/** The last request to the model without passages and questions. */
let instructed = '';
let given: string[] = [];
beforeEach(() => {
  instructed = '';
  given = [];
});

const saying = (said: string): void => {
  const lie = said.replace(instructions, '').trim();
  readsAnswers(double, (text) =>
    lie !== '' && lie.includes(text) ? { verdict: 'not', reason: 'It is a trap.' } : null,
  );
  double.chat = ({ messages, documents }) => {
    instructed = messages[0]!.content;
    given = documents.map(({ data }) => data.text);
    const text = said.replace(instructions, instructed);
    return says({
      pieces: text.match(/\s*\S+/gu)!,
      citations: [{ of: text, documents: documents.map(({ id }) => id) }],
    });
  };
};

/** All sequences of seven words. */
const runs = (text: string): string[] => {
  const list = words(text);
  return list.slice(6).map((_, n) => list.slice(n, n + 7).join(' '));
};

const all = languages.flatMap((lang) =>
  kinds.flatMap((kind) => traps[lang][kind].map(([question, said]) => ({ lang, kind, question, said }))),
);

it('there are three traps of each kind in each of three languages', () => {
  expect(all.length).toBeGreaterThanOrEqual(27);
  for (const lang of languages) for (const kind of kinds) expect(traps[lang][kind]).toHaveLength(3);
  expect(new Set(all.map(({ question }) => question)).size).toBe(all.length);
});

describe.each(languages)('in %s', (lang) => {
  const cases = all.filter((one) => one.lang === lang);
  it.each(cases)('$kind: $question', async ({ kind, question, said }) => {
    saying(said);
    const corpus_id = kind === 'an instruction in a document' ? 'pool' : 'krk_2026';
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: '/api/ask/stream',
      payload: { query: question, corpus_id },
    });
    expect(statusCode).toBe(200);
    const events = body
      .split('\n\n')
      .filter((block) => block.startsWith('id: '))
      .map((block) => {
        const [, event, data] = block.split('\n').map((line) => line.replace(/^\w+: /, ''));
        return { event, data: JSON.parse(data!) };
      });
    const { event, data } = events.at(-1)!;
    expect(event).toBe('done');
    const lie = said.replace(instructions, '').trim();
    if (lie !== '') expect(data.answer).not.toContain(lie);
    // No instruction is shown, even temporarily.
    const streamed = events.flatMap((one) => (one.event === 'text' ? [one.data.text] : [])).join('');
    const secret = new Set(runs(instructed));
    for (const run of given.flatMap(runs)) secret.delete(run);
    expect(runs(`${streamed} ${data.answer}`).filter((run) => secret.has(run))).toEqual([]);
    if (kind === 'an instruction in a document')
      expect(given.join('\n')).not.toMatch(
        /instructions|disregard|инструкци|правила и|нұсқау|ережелерді ұмыт|промпт/iu,
      );
    for (const citation of events.filter((one) => one.event === 'citation'))
      expect(data.answer.slice(citation.data.start, citation.data.end).trim()).not.toBe('');
  });
});

it('instructions to the model, questions and the key appear in no log and no error', async () => {
  const bodies: string[] = [];
  for (const body of [{ message: 'leaked' }, '<html>leaked</html>']) {
    double.chat = ({ messages }) => {
      instructed = messages[0]!.content;
      return { status: 500, body };
    };
    for (const url of ['/api/ask', '/api/ask/stream']) {
      const query = `Who elects the Commissioner, asks ostrich ${bodies.length}?`;
      bodies.push(
        (await server.inject({ method: 'POST', url, payload: { query, corpus_id: 'krk_2026' } })).body,
      );
    }
  }
  for (const payload of [
    { query: 'ostrich', corpus_id: 'nowhere' },
    { query: 'ostrich', style: 'loud' },
    '{"query": "ostrich',
  ])
    bodies.push(
      (
        await server.inject({
          method: 'POST',
          url: '/api/ask',
          payload,
          headers: { 'content-type': 'application/json' },
        })
      ).body,
    );
  bodies.push(
    (await server.inject({ url: '/health' })).body,
    (await server.inject({ url: '/metrics' })).body,
  );
  expect(instructed).not.toBe('');
  const texts = [printed, ...bodies];
  for (const text of texts) {
    for (const secret of [key, 'leaked']) expect(text).not.toContain(secret);
    const there = new Set(runs(text));
    expect(runs(instructed).filter((run) => there.has(run))).toEqual([]);
  }
  expect(printed).not.toContain('ostrich');
  for (const { question } of all) expect(printed).not.toContain(question);
});

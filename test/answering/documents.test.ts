/** How answers, sources and pages show document formatting: struck-out text, links, pages, editions. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { sourcePage } from '../../web/pages/source.ts';
import { makePdf } from '../ingest/pdf-maker.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

const files = {
  'garden.md':
    '# The garden\n\nVisitors enter the garden ~~through the north gate~~ through the east gate.\n\n~~Dogs are not let into the garden.~~\n\nThe yearly pass is sold by the ~~[old hall](https://a.example.org/old)~~ [ticket office](https://a.example.org/pass).\n',
  'gym.md':
    '# Gym\n\nThe gym is open from 7:00 to 23:00 on weekdays and from 9:00 to 21:00 at weekends. On public holidays the gym is closed.\n',
  'school.md':
    '# School rules\n\n1. Lessons begin at half past eight.\n2. If a child is ill, parents tell the class teacher on the same day. A certificate is needed after three days.\n3. Phones are switched off and lie in the locker.\n4. Indoor shoes are worn from October to April.\n',
  'lockers.md':
    '# Lockers\n\nLockers are free during a visit. Things left in a locker overnight are kept for 14 days.\n',
  'services.csv': 'Service,Price (tenge)\nPhoto,1500\nCertificate,4200\nTranslation,3800\n',
  'swimming-2024.md': '# Rules of the pool, 2024\n\nA ticket of the pool costs 500 tenge.\n',
  'swimming-2026.md': '# Rules of the pool, 2026\n\nA ticket of the pool costs 800 tenge.\n',
};

let folder: string;
let app: App;
let notes: { path: string; reason: string }[];
beforeAll(async () => {
  folder = newFolder('documents');
  const line = (y: number, text: string) => ({ x: 60, y, text });
  const path = writeFiles(join(folder, 'park'), {
    ...files,
    'boats.pdf': makePdf([
      { words: [line(700, 'Boats are lent from May on.')] },
      { words: [line(700, 'A rowing boat is lent for two hours at most.')] },
    ]),
  });
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')));
  ({ notes } = await app.ingest({ path, corpus_id: 'park', actor: 'system' }));
  await app.caughtUp();
});
afterAll(() => app.close());

const ask = (query: string) => answerOf(app, query, { corpus_id: 'park' });

describe('struck-out text', () => {
  it('is not quoted as being in force, and does not truncate adjacent text', async () => {
    const { answer, citations } = await ask('Through which gate do visitors enter the garden?');
    expect(answer).toContain('Visitors enter the garden through the east gate.');
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Visitors enter the garden',
      'through the east gate.',
    ]);
    expect((await ask('Are dogs let into the garden?')).answer).not.toContain('not let');
  });

  it('is quoted as no longer in force if the question asks for the former text', async () => {
    const { answer } = await ask('Through which gate did visitors enter the garden before?');
    expect(answer).toContain('through the north gate (no longer in force) through the east gate.');
  });
});

it.each(['List the services and their prices', 'List all services'])(
  'a whole table answers “%s”',
  async (query) => {
    const { answer } = await ask(query);
    for (const row of [
      'Photo; Price (tenge): 1500',
      'Certificate; Price (tenge): 4200',
      'Translation; Price (tenge): 3800',
    ])
      expect(answer).toContain(`Service: ${row}`);
  },
);

it('numbered rules without a head are not the steps of an answer', async () => {
  const { mode, answer } = await ask('My child is ill, what shall I do?');
  expect(mode).toBe('ordinary');
  expect(answer).not.toContain('Indoor shoes');
});

it('a number of days is not the number of things asked for', async () => {
  expect((await ask('How many lockers are there?')).mode).toBe('no_answer');
});

it('the answer to a follow-up contains its subject, even if the text lacks a name of the question before', async () => {
  const query = 'When is the gym open on Sunday?';
  const { answer } = await ask(query);
  const history = [
    { role: 'user' as const, content: query },
    { role: 'assistant' as const, content: answer },
  ];
  const next = await answerOf(app, 'and on holidays?', { corpus_id: 'park', history });
  expect(next.answer).toContain('On public holidays the gym is closed.');
});

it('gives a link after the sentence that contains it', async () => {
  const { answer } = await ask('Where is the yearly pass sold?');
  expect(answer).toContain('The yearly pass is sold by the ticket office. (https://a.example.org/pass)');
});

it('names the page in a citation', async () => {
  const { citations, sources } = await ask('For how long is a rowing boat lent?');
  expect([citations.map(({ page }) => page), sources[0]?.page]).toEqual([[2], 2]);
});

it('answers from the newer of two editions, and reports the older one during ingestion', async () => {
  expect((await ask('What does a ticket of the pool cost?')).answer).toContain('800 tenge');
  expect(notes).toEqual([
    {
      path: 'swimming-2024.md',
      reason: expect.stringContaining('looks like an older edition of "Rules of the pool, 2026"'),
    },
  ]);
});

it('shows links, pages and struck-out text on a source page', () => {
  const text = 'Old rule. New rule.';
  const chunk = {
    chunk_index: '001',
    heading: '',
    path: [],
    number: null,
    unit: null,
    question: null,
    lang: 'en' as const,
    start: 0,
    end: text.length,
    marks: [
      { kind: 'page' as const, page: 3, start: 0, end: text.length },
      { kind: 'struck' as const, start: 0, end: 9 },
      { kind: 'link' as const, url: 'https://a.example.org/', start: 10, end: 13 },
    ],
  };
  const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
  const facts = {
    doc_id: 1,
    corpus_id: 'park',
    doc_key: 'a',
    title: 'Rules',
    lang: 'en' as const,
    url: null,
    source_url: null,
    event_date: null,
    layer,
    metadata: {},
    revision: 1,
    content_hash: 'f',
  };
  const page = sourcePage('en', {
    source: {
      facts,
      layer,
      published_at: '2026-01-01T00:00:00Z',
      current_revision: 1,
      part: 1,
      parts: 1,
      cited_part: 1,
    },
    text: { start: 0, text, chunks: [chunk] },
    chunk: '001',
    quotes: [{ start: 10, end: 19 }],
    query: new URLSearchParams(),
    signed: false,
  });
  expect(page).toContain('<p class="faint">p. 3</p>');
  expect(page).toContain('<del>Old rule.</del>');
  expect(page).toContain(
    '<mark id="cited" tabindex="-1" autofocus><a href="https://a.example.org/" target="_blank" rel="noopener noreferrer nofollow">New</a></mark><mark> rule.</mark>',
  );
});

/**
 * A story of the whole service, over the configured stores: documents are ingested, questions answered, a document
 * changed and another withdrawn, a key created and revoked, the read models rebuilt, the service restarted. The results
 * are compared as a whole, because the choice of stores must not matter.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp, type Service } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import type { ProjectionReport } from '../../src/history/report.ts';
import { partsOf } from '../support/asking.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

export type Servers = Pick<Config, 'EVENTSTOREDB_URL' | 'REDIS_URL' | 'DOCENT_NAMESPACE'>;

export function storyConfig(folder: string, servers: Partial<Servers>): Config {
  return {
    ...readConfig({}, join(folder, 'none')),
    DOCENT_DATA: join(folder, 'data'),
    DOCENT_DEFAULT_CORPUS: 'charter',
    ...servers,
  };
}

/** Ingests the documents that `writeLibrary` wrote into the folder's library. */
export const takeIn = (app: App, folder: string) =>
  app.ingest({ path: join(folder, 'library'), actor: 'system' });

/** Writes a small charter in two languages. */
export function writeLibrary(library: string): void {
  writeFiles(library, {
    'corpus.yaml': `id: charter
title: Устав посёлка
languages: [ru, en]
layers:
  - {name: norm, title: Устав}
  - {name: notes, title: Заметки}
files:
  - {path: "norm/*", layer: norm}
  - {path: "*", layer: notes}
`,
    'norm/charter.md': `# Устав посёлка Ясный

## Статья 1

Посёлком управляет совет из семи человек, его избирают жители на три года.

## Статья 2

Мост через реку Быструю закрывают на ремонт каждую осень в октябре.

## Статья 3

Ярмарку проводят на площади в первое воскресенье сентября.
`,
    'library.md':
      '# The village library\n\nThe library opens at nine in the morning and closes at six. Books are lent for two weeks.\n',
    'ferry.md': '# Паром\n\nПаром ходит каждый час с рассвета до темноты.\n',
  });
}

const acting = { name: 'olga', request_id: 'story' };
const key = { name: 'site', owner_email: null, corpus_ids: [], rate_limit_rpm: 10, rate_limit_rph: 100 };

async function take(app: App, library: string) {
  const report = await app.ingest({ path: library, prune: true, actor: 'system' });
  const { added, revised, unchanged, withdrawn } = report;
  return { added, revised, unchanged, withdrawn: withdrawn ?? 0, skipped: report.skipped.length };
}

/** Asks a question in a corpus and resolves with the request id; rejects if the answer is an error. */
export async function askOf(corpus_id: string, app: App, query: string, subject: string): Promise<string> {
  const request_id = uuidv7();
  const last = (await partsOf(app, query, { request_id, corpus_id, channel: 'http', subject })).at(-1);
  if (last?.type === 'error') throw new Error(last.detail);
  return request_id;
}

/** The content of an ask, without values that differ from run to run. */
export async function answered(app: App, query: string, subject: string | null = null) {
  const parts = await partsOf(app, query, { subject });
  const last = parts.at(-1);
  return {
    query,
    mode: last?.type === 'done' ? last.mode : last?.type,
    answer: last?.type === 'done' ? last.answer : null,
    refs: parts.flatMap((part) => (part.type === 'sources' ? part.source_refs : [])),
    quotes: parts.flatMap((part) =>
      part.type === 'citation' ? [[part.ref, part.revision, part.quote]] : [],
    ),
  };
}

const byKey = (a: { doc_key?: unknown }, b: { doc_key?: unknown }) =>
  String(a.doc_key) < String(b.doc_key) ? -1 : 1;

/** The content of the read models, without times and ids that differ from run to run. */
async function shown(app: Service) {
  const { admin } = app;
  await app.caughtUp();
  const documents = await app.documents(null, { limit: 100, offset: 0 });
  const queries = await admin.queries({ limit: 100, offset: 0 }, acting);
  const found = await admin.queries({ limit: 100, offset: 0, search: 'ремонт мостов' }, acting);
  const stats = await admin.stats(null, acting);
  const corpora = await app.corpora();
  return {
    corpora: corpora.map(({ updated_at: _, ...rest }) => rest),
    // Documents get their ids in the order in which parsing ends.
    documents: documents.items
      .sort(byKey)
      .map(({ doc_key, status, revision, chunk_count, layer, title }) => ({
        doc_key,
        status,
        revision,
        chunk_count,
        layer,
        title,
      })),
    queries: queries.items.map(({ query, mode, lang, answer }) => ({ query, mode, lang, answer })),
    found: [found.total, found.items.map(({ query }) => query)],
    most_asked: stats.most_asked.map(({ query, count }) => [query, count]).sort(),
    questions: stats.questions.all,
    by_mode: stats.by_mode,
    documents_counted: [stats.documents, stats.chunks, stats.embeddings],
    active_keys: stats.active_keys,
  };
}

/** The differences between read models and history, by projection. */
export async function discrepancies(app: App): Promise<Record<string, ProjectionReport['differences']>> {
  // A busy machine may still be building the read models for the comparison, so it is repeated.
  const { projections } = await eventually(() => app.verifyProjections());
  // The verification is itself an event.
  await app.caughtUp();
  return Object.fromEntries(
    projections.flatMap(({ projection, differences }) =>
      differences.length > 0 ? [[projection, differences] as const] : [],
    ),
  );
}

/** Runs the story in a new folder; returns the results, chapter by chapter. */
export async function story(servers: Partial<Servers>): Promise<Record<string, unknown>> {
  const folder = newFolder('story');
  const library = join(folder, 'library');
  const config = storyConfig(folder, servers);
  const seen: Record<string, unknown> = {};
  const questions = [
    'Когда закрывают мост на ремонт?',
    'Что сказано в статье 3?',
    'When does the library open?',
    'Сколько стоит проезд на метро?',
    'Как часто ходит паром?',
  ];
  const ask = async (app: App) => {
    const answers = [];
    // Always the same caller, because an answer given to several comes from the FAQ cache.
    for (const query of questions) answers.push(await answered(app, query, 'reader'));
    return answers;
  };
  writeLibrary(library);
  let app = await openApp(config);
  try {
    seen.taken = await take(app, library);
    seen.takenAgain = await take(app, library);
    seen.answers = await ask(app);
    const { key_id, key: text } = await app.admin.createApiKey(key, acting);
    seen.keyKnown = app.access.authenticate(text)?.name;

    writeFileSync(
      join(library, 'norm', 'charter.md'),
      '# Устав посёлка Ясный\n\n## Статья 2\n\nМост через реку Быструю закрывают на ремонт в мае.\n',
    );
    rmSync(join(library, 'ferry.md'));
    seen.changed = await take(app, library);
    seen.answersChanged = await ask(app);
    await app.admin.revokeApiKey(key_id, acting);
    seen.keyRefused = await Promise.resolve()
      .then(() => app.access.authenticate(text))
      .catch((error: { code: string }) => error.code);
    seen.shown = await shown(app);

    await app.rebuild();
    seen.shownRebuilt = await shown(app);
    seen.answersRebuilt = await ask(app);
    const repeated = [];
    for (const subject of ['first', 'second', 'third', 'fourth']) {
      repeated.push(await answered(app, questions[0]!, subject));
      await app.caughtUp();
    }
    seen.repeated = repeated;
    const atOnce = await Promise.all(
      Array.from({ length: 20 }, () =>
        partsOf(app, 'When are the books of the library lent?', { subject: 'reader' }),
      ),
    );
    const ends = atOnce.flatMap((parts) => parts.filter((part) => part.type === 'done'));
    seen.atOnce = {
      answers: [...new Set(ends.map(({ answer }) => answer))],
      made: ends.filter(({ cached }) => !cached).length,
    };
    await app.close();

    app = await openApp(config);
    await app.caughtUp();
    seen.answersRestarted = await ask(app);
    seen.shownRestarted = await shown(app);
    seen.keyStillRefused = await Promise.resolve()
      .then(() => app.access.authenticate(text))
      .catch((error: { code: string }) => error.code);
    seen.health = app.health().status;
    seen.discrepancies = await discrepancies(app);
    return seen;
  } finally {
    await app.close();
  }
}

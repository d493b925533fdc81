/** The sample corpora, ingested by a separate service in a temporary folder. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { HistoryMessage, Style } from '../../src/domain/events.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder } from '../support/folder.ts';
import { takeInSamples } from '../support/samples.ts';
import { sharedUrl } from '../support/shared-servers.ts';

export interface Question {
  q: string;
  corpus?: 'krk_2026' | 'reestr_texts';
  style?: Style | null;
  history?: HistoryMessage[];
}

export type Answered = Awaited<ReturnType<typeof answerOf>>;

export interface SampleService {
  app: Service;
  ask(question: Question): Promise<Answered>;
  /** Whether a document revision in the history contains some text verbatim. */
  standsIn(corpus: string, docKey: string, revision: number, contentHash: string, quote: string): boolean;
  close(): Promise<void>;
}

/**
 * `env`: additional configuration. If all data is in the folder and no model computes vectors, the service uses a copy
 * of a folder into which the samples were ingested once for all test files of the run.
 */
export async function openSamples(env: NodeJS.ProcessEnv = {}): Promise<SampleService> {
  const folder = newFolder('cases');
  const isEmbedded = env.EVENTSTOREDB_URL === undefined && env.REDIS_URL === undefined;
  const isTakenIn = isEmbedded && (env.COHERE_API_KEY === undefined || env.COHERE_EMBED_MODEL === 'off');
  if (isTakenIn) cpSync(await sharedUrl('samples', inject('sharedServers')), folder, { recursive: true });
  const app = await openApp(readConfig({ DOCENT_DATA: folder, ...env }, join(folder, 'none')));
  await (isTakenIn ? app.caughtUp() : takeInSamples(app));
  let texts: ReturnType<typeof revisionTexts> | null = null;
  return {
    app,
    ask: ({ q, corpus = 'krk_2026', style = null, history = [] }) =>
      answerOf(app, q, { corpus_id: corpus, style, history }),
    standsIn: (corpus, docKey, revision, contentHash, quote) => {
      texts ??= revisionTexts(join(folder, 'history.sqlite'));
      const found = texts.get(`${corpus} ${docKey} ${revision}`);
      return found !== undefined && found.hash === contentHash && found.text.includes(quote);
    },
    close: () => app.close(),
  };
}

/** The text of every revision, assembled from the history. */
function revisionTexts(file: string): Map<string, { text: string; hash: string }> {
  const log = new LogStore(file, { readOnly: true });
  const names = new Map<string, { key: string; hash: string }>();
  const out = new Map<string, { text: string; hash: string }>();
  for (const row of log.readAll(null, 1_000_000)) {
    const data = JSON.parse(row.data);
    const id = `${data.doc_id} ${data.revision}`;
    if (row.type === 'RevisionStarted') {
      names.set(id, { key: `${data.corpus_id} ${data.doc_key} ${data.revision}`, hash: data.content_hash });
    } else if (row.type === 'ChunksAdded') {
      const { key, hash } = names.get(id)!;
      const before = out.get(key)?.text ?? '';
      out.set(key, { text: before.slice(0, data.from) + data.text, hash });
    }
  }
  log.close();
  return out;
}

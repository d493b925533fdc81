/** A service for connectors: the real one in its own folder, or one with scripted answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatApp } from '../../connectors/platform.ts';
import type { Part, SourceRef } from '../../src/answering/parts.ts';
import { openApp, type Service } from '../../src/app.ts';
import type { AskInput } from '../../src/asks/ask-port.ts';
import { Asks } from '../../src/asks/asks.ts';
import type { InFlightLimits } from '../../src/asks/in-flight.ts';
import { readConfig } from '../../src/config.ts';
import { Failure } from '../../src/failures.ts';
import { source } from '../http/fake-app.ts';
import { donePart } from '../support/asks.ts';
import { over } from '../support/over.ts';

export type Script = (input: AskInput, signal: AbortSignal) => AsyncIterable<Part> | Iterable<Part>;

export interface ScriptedApp extends ChatApp {
  asks: Asks;
  app: Service;
  asked: AskInput[];
  rated: { requestId: string; rating: string; comment?: string }[];
  /** Replace this to change the answers. */
  script: Script;
  /** The number of questions that are answered; null: all. */
  limit: number | null;
  /** Another service over the same history, which has received no questions. */
  fresh(): ScriptedApp;
  close(): Promise<void>;
}

export const corpus = (corpus_id: string, title: string, styles: string[] = []) => ({
  corpus_id,
  title,
  description: null,
  languages: ['en' as const, 'ru' as const, 'kk' as const],
  styles,
  is_default: corpus_id === 'krk_2026',
  document_count: 1,
  chunk_count: 1,
  updated_at: null,
  examples: ['What is free?'],
});

export const openFolder = (folder: string) =>
  openApp(
    readConfig({ DOCENT_DATA: folder, DOCENT_PUBLIC_URL: 'https://docs.example.org' }, join(folder, 'none')),
  );

/** Only the answers are scripted: messages are recorded as in the real service. */
export async function openScripted(
  script: Script = said('Assemblies are free.'),
  limits: Partial<InFlightLimits> = {},
): Promise<ScriptedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-chat-'));
  const app = await openFolder(folder);
  const close = async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return scriptedOver(app, script, limits, close);
}

function scriptedOver(
  app: Service,
  script: Script,
  limits: Partial<InFlightLimits>,
  close: () => Promise<void>,
): ScriptedApp {
  const answers = new Map<string, Part[]>();
  const scripted: ScriptedApp = {
    app,
    asked: [],
    rated: [],
    script,
    limit: null,
    chats: scriptedChats(app.chats, (id) => scripted.asked.find(({ request_id }) => request_id === id)),
    leases: app.leases,
    files: app.files,
    forgetOneself: app.forgetOneself,
    source: app.source,
    sourceRefs: async ({ query }) => ({
      request_id: 'r',
      query,
      mode: 'ordinary',
      lang: 'en',
      latency_ms: 1,
      sources: [source],
      texts: [''],
    }),
    corpora: async () => [
      corpus('krk_2026', 'Constitution'),
      corpus('reestr_texts', 'Registry', ['brief', 'quotes']),
    ],
    access: {
      count: async () => {
        if (scripted.limit === null) return null;
        const allowed = scripted.limit-- > 0;
        return { allowed, limit: 1, remaining: 0, resetS: 60, retryAfterS: allowed ? 0 : 42 };
      },
    },
    recordedAsks: {
      rate: async (requestId, { rating, comment }) =>
        void scripted.rated.push({ requestId, rating, ...(comment && { comment }) }),
    },
    asks: new Asks(
      {
        ask: async function* (input, signal) {
          scripted.asked.push(input);
          const parts: Part[] = [];
          answers.set(input.request_id!, parts);
          for await (const part of scripted.script(input, signal)) {
            parts.push(part);
            yield part;
          }
        },
        recordedAsks: {
          find: async (request_id) => {
            const parts = answers.get(request_id) ?? null;
            const times = { asked_at: new Date().toISOString(), deadline: new Date(0).toISOString() };
            const asked = { request_id, key_id: null, corpus_id: '', query: '', ...times, body_hash: null };
            // An ask that failed before its first part was never recorded.
            return parts && parts.length > 0 ? { ...asked, parts, replaced: null } : null;
          },
          ended: app.recordedAsks.ended.bind(app.recordedAsks),
          cancel: async () => {},
        },
        secret: () => Buffer.from('a secret of the test'),
        clock: { now: () => new Date() },
      },
      limits,
    ),
    fresh: () => scriptedOver(app, script, limits, close),
    close,
  };
  return scripted;
}

export const law: SourceRef = { ...source, event_date: '2026-10-29', layer_title: 'Norm' };

/** An answer whose sentences each have a citation. `between`: awaited before each sentence but the first. */
export function said(
  text: string,
  { between, sources = [law] }: { between?: () => Promise<unknown>; sources?: SourceRef[] } = {},
): (input: AskInput, signal: AbortSignal) => AsyncGenerator<Part, void> {
  return async function* ({ request_id = '' }) {
    const sentences = text.match(/[^.]+\.\s*/g) ?? [text];
    yield { type: 'meta', request_id, mode: 'ordinary', lang: 'en', corpus_id: 'krk_2026' };
    yield { type: 'sources', source_refs: sources.map(({ ref }) => ref), sources };
    let at = 0;
    for (const [n, sentence] of sentences.entries()) {
      if (n > 0) await between?.();
      yield { type: 'text', text: sentence };
      const quote = sentence.trim();
      const { ref } = sources[n % sources.length]!;
      const place = { start: at, end: at + quote.length, ref, revision: 2, content_hash: 'ab' };
      yield { type: 'citation', ...place, quote };
      at += sentence.length;
    }
    yield donePart({ request_id, answer: text });
  };
}

/** The chats, which treat scripted answers as recorded and confident. */
const scriptedChats = (
  chats: ScriptedApp['chats'],
  askedOf: (id: string) => AskInput | undefined,
): ScriptedApp['chats'] =>
  over(chats, {
    isConfident: async () => true,
    asked: async (id) => {
      const asked = askedOf(id);
      return asked ? { query: asked.query, subject: asked.caller?.subject ?? '', help: 'none' } : null;
    },
  });

/** The chats, in which the first `failures` attempts to open a conversation fail. */
export function failingChats(chats: ScriptedApp['chats'], failures: number): ScriptedApp['chats'] {
  let left = failures;
  return over(chats, {
    chat: (...names) => {
      if (left-- > 0) throw new Failure('unavailable', 'The history is unavailable.');
      return chats.chat(...names);
    },
  });
}

/** Text of about `length` characters, in sentences. */
export const longText = (length: number) => {
  const sentence = (n: number) =>
    `Sentence ${n} says what <b>& holds</b> in [case](http://x.y) <!channel> *${n}* of many. `;
  let text = '';
  for (let n = 1; text.length < length; n++) text += sentence(n).replaceAll('x.y', 'x-y');
  return text
    .slice(0, length - 1)
    .trimEnd()
    .concat('.');
};

/** A gate that opens on demand. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

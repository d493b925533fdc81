/**
 * The dossier of an ask, for auditors: the question, the passages considered, the answer and its sources, the prompt
 * and the settings. Everything is read from the history; the question is not answered again.
 */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { catalog } from '../domain/catalog.ts';
import type { EventOf, EventTypes, RecordedSource } from '../domain/events.ts';
import { citationsOf } from '../domain/recorded-citations.ts';
import { settings } from '../domain/settings.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import type { EventLog, RecordedEvent } from '../ports/event-log.ts';
import { sample } from '../schema.ts';
import { type AdministrationDeps, documentEvents } from './context.ts';
import { type AdminDoor, operation } from './door.ts';
import { Dossier, dossierHtml, dossierMarkdown, dossierStyle } from './dossier-formats.ts';

export const DossierQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'markdown', 'html'], {
      default: 'json',
      description: 'json: a record; the others are for printing.',
    }),
  ),
});

type Log = Pick<EventLog, 'readStream'>;
type Answer = EventOf<'AnswerGiven'> | EventOf<'AnswerWithheld'>;

const note =
  'This is the record of the question, with the texts as they were at that time. The question was not answered again.';

export const dossiers = ({ log, audit }: Pick<AdministrationDeps, 'audit' | 'log'>) => ({
  async dossier(requestId: string, acting: Acting): Promise<Dossier> {
    await audit.read(acting, 'history', { request_id: requestId });
    return dossierOf(log, requestId);
  },
});

/** Fails with `not_found` if there is no ask with this id. */
export async function dossierOf(log: Log, requestId: string): Promise<Dossier> {
  const events = await log.readStream(`ask-${requestId}`);
  const [first] = events;
  if (first === undefined) throw new Failure('not_found', 'No question was asked under this request id.');
  const question = ofType(events, 'QuestionAsked')?.data ?? null;
  const lookup = ofType(events, 'SourcesLookedUp')?.data ?? null;
  const answer: Answer | null = ofType(events, 'AnswerGiven') ?? ofType(events, 'AnswerWithheld');
  const ended = events.find(({ type }) => endings.has(type));
  const asked = question ?? lookup;
  const sources = answer?.data.sources ?? lookup?.sources ?? [];
  const texts = await readTexts(log, addressesOf(sources, answer));
  const passages = passagesOf(sources, answer, texts);
  return {
    request_id: requestId,
    note,
    asked: asked && {
      at: asked.asked_at,
      channel: asked.channel,
      corpus_id: asked.corpus_id,
      style: asked.style,
      key_id: asked.key_id,
      subject: asked.subject,
      query: asked.query,
      rewritten: answer?.data.rewritten ?? null,
      history: question?.history ?? [],
      forgotten: asked.forgotten === true,
    },
    outcome: ended?.type ?? 'pending',
    answer: answer && {
      mode: answer.data.mode,
      lang: answer.data.lang,
      text: answer.data.answer,
      model: answer.data.model,
      cached: answer.data.cached ?? false,
      degraded: answer.data.degraded ?? false,
      unverified: answer.data.unverified ?? false,
      searches: answer.data.searches ?? [],
      writing: answer.data.writing ?? null,
      replaced: answer.data.replaced ?? null,
      evidence: answer.data.evidence,
      usage: answer.data.usage,
      timings: answer.data.timings,
      latency_ms: answer.data.latency_ms,
    },
    prompt: answer && (await promptOf(log, answer)),
    corpus: asked && (await corpusAt(log, asked.corpus_id, first)),
    passages,
    passages_considered: answer?.data.passages_considered ?? answer?.data.passages.length ?? passages.length,
    citations: answer ? verdicts(answer, sources, texts) : [],
    ratings: events.flatMap((event) =>
      event.type === 'AnswerRated' && !event.data.forgotten
        ? [{ at: event.time, rating: event.data.rating, comment: event.data.comment }]
        : [],
    ),
    events,
  };
}

const endings = new Set<string>([
  'AnswerGiven',
  'AnswerWithheld',
  'AnswerFailed',
  'AskCancelled',
  'AskAbandoned',
  'SourcesLookedUp',
]);

function ofType<T extends 'QuestionAsked' | 'SourcesLookedUp' | 'AnswerGiven' | 'AnswerWithheld'>(
  events: readonly RecordedEvent[],
  type: T,
): EventOf<T> | null {
  return (events.find((event) => event.type === type) as EventOf<T> | undefined) ?? null;
}

/** The prompt used for the answer; null if no model was used. */
async function promptOf(log: Log, { data }: Answer): Promise<Dossier['prompt']> {
  const { prompt_version: version, prompt_sha256 } = data;
  if (version === null) return null;
  const changes = await log.readStream('settings');
  const { prompts } = changes.reduce((state, event) => settings.evolve(state, event), settings.initial);
  const text = prompts.find((prompt) => prompt.version === version)?.content ?? null;
  return { version, text, sha256: prompt_sha256 ?? null };
}

/** The corpus settings in force when the event was appended. */
async function corpusAt(log: Log, corpusId: string, event: RecordedEvent): Promise<Dossier['corpus']> {
  const changes = await log.readStream('catalog');
  const before = changes.filter(({ position }) => position < event.position);
  const { corpora } = before.reduce((state, change) => catalog.evolve(state, change), catalog.initial);
  return (corpora.get(corpusId)?.settings as Dossier['corpus'] | undefined) ?? null;
}

interface ChunkAddress {
  doc_id: number;
  revision: number;
  chunk_index: string;
}

interface Text {
  text: string;
  /** Offset of the chunk in the revision's text. */
  start: number;
  title: string | null;
  heading: string;
}

/** The content of the documents' streams at the given addresses. */
interface Texts {
  chunks: Map<string, Text>;
  /** Published revisions, by document and revision. */
  revisions: Map<string, { content_hash: string; title: string }>;
}

const keyOf = ({ doc_id, revision, chunk_index }: ChunkAddress): string =>
  `${doc_id} ${revision} ${chunk_index}`;

function addressesOf(sources: readonly RecordedSource[], answer: Answer | null): ChunkAddress[] {
  return [...sources, ...(answer?.data.passages ?? [])];
}

/** Reads each document's stream once and keeps only the requested parts. */
async function readTexts(log: Log, addresses: readonly ChunkAddress[]): Promise<Texts> {
  const texts: Texts = { chunks: new Map(), revisions: new Map() };
  const wanted = new Set(addresses.map(keyOf));
  for (const doc_id of new Set(addresses.map((address) => address.doc_id))) {
    for await (const event of documentEvents(log, doc_id)) noteText(texts, wanted, event);
  }
  return texts;
}

function noteText(texts: Texts, wanted: ReadonlySet<string>, event: RecordedEvent): void {
  if (event.type === 'RevisionPublished') {
    const { doc_id, revision, content_hash, title } = event.data;
    texts.revisions.set(`${doc_id} ${revision}`, { content_hash, title });
  }
  if (event.type !== 'ChunksAdded') return;
  const { doc_id, revision, from, text, chunks } = event.data;
  for (const { chunk_index, start, end, heading } of chunks) {
    const key = keyOf({ doc_id, revision, chunk_index });
    if (!wanted.has(key)) continue;
    texts.chunks.set(key, { text: text.slice(start - from, end - from), start, title: null, heading });
  }
}

function passagesOf(
  sources: readonly RecordedSource[],
  answer: Answer | null,
  { chunks, revisions }: Texts,
): Dossier['passages'] {
  const shown = new Map(sources.map((source) => [keyOf(source), source]));
  const considered = answer?.data.passages ?? [];
  const known = new Set(considered.map(keyOf));
  const all = [...considered, ...sources.filter((source) => !known.has(keyOf(source)))];
  return all.map((address) => {
    const { ref, doc_id, revision, chunk_index, content_hash, score } = address;
    const source = shown.get(keyOf(address));
    const text = chunks.get(keyOf(address));
    const published = revisions.get(`${doc_id} ${revision}`);
    return {
      ref,
      doc_id,
      revision,
      chunk_index,
      score,
      shown: source !== undefined,
      title: source?.title ?? published?.title ?? null,
      heading: source?.heading ?? text?.heading ?? null,
      layer: source?.layer ?? null,
      text: text?.text ?? null,
      content_hash,
      hash_holds: published === undefined ? null : published.content_hash === content_hash,
    };
  });
}

/** Checks whether each quotation is at its stated position in its revision. */
function verdicts(
  { data }: EventOf<'AnswerGiven'> | EventOf<'AnswerWithheld'>,
  sources: readonly RecordedSource[],
  { chunks }: Texts,
): Dossier['citations'] {
  const citations = citationsOf(data as Pick<EventTypes['AnswerGiven'], 'answer' | 'citations'>);
  return citations.map(({ ref, revision, quote, start, end, source_start }) => {
    const source = sources.find((one) => one.ref === ref && one.revision === revision);
    const chunk = source && chunks.get(keyOf(source));
    const at = chunk && source_start !== undefined ? source_start - chunk.start : null;
    const stands =
      chunk !== undefined &&
      (at === null || at < 0 ? chunk.text.includes(quote) : chunk.text.startsWith(quote, at));
    const verdict =
      chunk === undefined ? ('unknown' as const) : stands ? ('exact' as const) : ('missing' as const);
    return { ref, revision, quote, start, end, verdict };
  });
}

const RequestId = Type.Object({
  request_id: Type.String({ minLength: 1, maxLength: 100, examples: [sample.request_id] }),
});

/** The page for printing loads and runs nothing; only its own style is allowed. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(dossierStyle).digest('base64')}'; frame-ancestors 'none'`;

export function dossierRoute({ server, admin }: AdminDoor<ReturnType<typeof dossiers>>): void {
  server.route({
    method: 'GET',
    url: '/admin/api/asks/:request_id',
    schema: {
      ...operation(
        'admin_dossier',
        'Dossier of an ask: everything recorded about it, with the texts as they were at that time',
      ),
      params: RequestId,
      querystring: DossierQuery,
      response: {
        200: {
          description: 'The dossier.',
          content: {
            ...reply('', Dossier).content,
            'text/markdown': { schema: Type.String({ examples: ['# Dossier of 019aa1c2\n'] }) },
            'text/html': { schema: Type.String({ examples: ['<!doctype html>'] }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const dossier = await admin.dossier(request.params.request_id, actingIn(request));
      const { format = 'json' } = request.query;
      if (format === 'json') return dossier;
      if (format === 'markdown')
        return reply.type('text/markdown; charset=utf-8').send(dossierMarkdown(dossier) as never);
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(dossierHtml(dossier) as never);
    },
  });
}

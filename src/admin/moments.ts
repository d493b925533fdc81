/**
 * The service at a past moment: administration and lookups over the read models and streams of that moment, the list
 * of cached moments, and the differences between two moments. A past moment is read-only, and lookups in it are not
 * counted as questions of that day; they are recorded only in the audit log.
 */
import { type Static, Type } from 'typebox';
import { KeyRing } from '../access/keys.ts';
import type { Acting } from '../access/logins.ts';
import type { Reads } from '../answering/reads.ts';
import { createAsk } from '../asks/ask.ts';
import type { AskDeps, PastSources } from '../asks/ask-port.ts';
import { unrecorded } from '../asks/open-answering.ts';
import { activeCorpora, defaultCorpus } from '../domain/catalog.ts';
import { forgettingEvents } from '../domain/events.ts';
import { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import { CuratedAnswers } from '../faq/curated-answers.ts';
import { type Change, positionOf, timeAt } from '../history/past.ts';
import { actingIn } from '../http/auth.ts';
import { type HttpServer, pastOf } from '../http/context.ts';
import { reply } from '../http/operation.ts';
import { Backfills } from '../ingest/embedding/backfill.ts';
import { EmbeddingGenerations } from '../ingest/embedding/embedding-generations.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import { AsOf, Count, filter, NullableText, orNull, record, sample } from '../schema.ts';
import type { PastMoments } from '../workers/past-moments.ts';
import { replayedNames } from '../workers/past-read-models.ts';
import { type Administration, createAdministration } from './administration.ts';
import type { AdministrationDeps } from './context.ts';
import { operation } from './door.ts';

export const MomentState = record('Moment', {
  position: Type.String({ description: 'The position of the last event included.' }),
  status: Type.Enum(['making', 'ready', 'failed']),
  events: { ...Count, description: 'Events replayed so far to build it.' },
  bytes: { ...Count, description: 'Size on disk once it is ready.' },
  error: NullableText,
});
export const MomentList = record('MomentList', { items: Type.Array(MomentState) });
export type MomentList = Static<typeof MomentList>;

const compared = (description: string) => ({ ...AsOf, description });

/** Two moments, and the filters for their differences. */
export const DiffQuery = Type.Object({
  from: compared('The first moment: a position, a day (UTC, taken as its end) or an RFC 3339 time.'),
  to: compared('The second moment, in the same form.'),
  projection: filter('Only this read model: documents, chunks, corpora, queries, …'),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31,
      default: 0,
      description:
        'Start of the page: the `next` value of the previous page, whose positions must be given as `from` and `to`.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description:
        'Maximum number of changes. A page also ends after 4 MB of changes, or after 20,000 compared entries.',
    }),
  ),
});

export const MomentChange = record(
  'MomentChange',
  {
    projection: Type.String(),
    name: Type.String({ description: 'The name of the entry.' }),
    kind: Type.Enum(['surplus', 'missing', 'changed'], {
      description:
        'surplus: only at the second moment; missing: only at the first; changed: different at both.',
    }),
    fields: Type.Array(Type.String(), { description: 'The fields that differ; empty unless `changed`.' }),
    before: Type.Unknown({ description: 'The value at the first moment; null if it did not exist.' }),
    after: Type.Unknown({ description: 'The value at the second moment; null if it did not exist.' }),
  },
  {
    example: {
      projection: 'api-keys',
      name: 'record api_keys 0000000004',
      kind: 'changed',
      fields: ['doc.revoked_by'],
      before: { doc: { key_id: 4, revoked_by: null } },
      after: { doc: { key_id: 4, revoked_by: sample.actor } },
    },
  },
);

export const MomentChanges = record('MomentChanges', {
  from: Type.String({ description: 'The position of the first moment.' }),
  to: Type.String({ description: 'The position of the second moment.' }),
  items: Type.Array(MomentChange),
  next: orNull(
    Type.Integer({ minimum: 0, description: 'The `offset` from which to continue; null at the end.' }),
  ),
  compared: { ...Count, description: 'Entries compared for this page.' },
});
export type MomentChanges = Static<typeof MomentChanges>;

/** The service as it was after the event at `position`. */
export interface Moment extends PastSources {
  /** What needs the present fails with `forbidden`. */
  admin: Administration;
}

export type Moments = ReturnType<typeof createMoments>;

export interface MomentsDeps {
  log: EventLog;
  kept: Pick<PastMoments, 'at' | 'changes' | 'states' | 'clear'>;
  /** Aborts when the service closes. */
  signal: AbortSignal;
  config: AdministrationDeps['config'];
  audit: AdministrationDeps['audit'];
  embedder: Embedder | null;
  embedderNamed(name: string): Embedder | null;
  /** Retrieval with the current models over any read models. */
  retrieveOver(reads: Reads, generations: Pick<EmbeddingGenerations, 'serving'>): AskDeps['retrieve'];
  asking: Pick<AskDeps, 'pages' | 'newId' | 'enter'>;
  clock: Clock;
}

export function createMoments(deps: MomentsDeps) {
  let watched: Promise<void> | null = null;

  /** A moment must not contain text of forgotten subjects, even if they were forgotten on another instance. */
  async function watchForgetting(): Promise<void> {
    const head = await deps.log.head().catch((error: unknown) => {
      watched = null;
      throw error;
    });
    void (async () => {
      for await (const events of deps.log.subscribe(head, deps.signal))
        if (events.some(({ type }) => forgettingEvents.has(type))) await deps.kept.clear();
    })().catch(async () => {
      watched = null;
      await deps.kept.clear();
    });
  }

  async function positionIn(field: 'as_of' | 'from' | 'to', moment: string): Promise<Position> {
    watched ??= watchForgetting();
    await watched;
    const position = await positionOf(deps.log, field, moment);
    const head = await deps.log.head();
    if (head === null || position > head)
      throw new Failure('invalid', 'The history does not reach this position yet.', { field });
    return position;
  }

  return {
    /**
     * The moment given by a position, or by the last event up to the end of a day or a time. Fails with `invalid` if it
     * is malformed or after the end of the history, with `not_found` if it is before the start of the history, and with
     * `unavailable` while it is being built.
     */
    async at(asOf: string): Promise<Moment> {
      const position = await positionIn('as_of', asOf);
      const reads = await deps.kept.at(position);
      return openMoment(deps, position, reads);
    },
    /**
     * The differences between the second moment and the first. Fails like `at`, and with `invalid` for an unknown
     * projection.
     */
    async changes(
      { projection, offset = 0, limit = 50, ...pair }: Static<typeof DiffQuery>,
      acting: Acting,
    ): Promise<MomentChanges> {
      const projections = replayedNames(projection);
      const from = await positionIn('from', pair.from);
      const to = await positionIn('to', pair.to);
      const { items, ...page } = await deps.kept.changes(from, to, { projections, offset, limit });
      await deps.audit.read(acting, 'history', { diff_from: from, diff_to: to, projection });
      return { from, to, items: items.map(shown), ...page };
    },
    /** The moments that are cached or being built. */
    list: (): MomentList => ({ items: deps.kept.states() }),
  };
}

const shown = ({ before, after, ...change }: Change): MomentChanges['items'][number] => ({
  ...change,
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
});

const unchangeable = (): never => {
  throw new Failure('forbidden', 'The past cannot be changed.');
};
const nothingToWaitFor = async () => {};

async function openMoment(deps: MomentsDeps, position: Position, reads: Reads): Promise<Moment> {
  const { config, embedder, embedderNamed, audit } = deps;
  const log = readOnlyLogUntil(deps.log, position);
  const time = await timeAt(deps.log, position);
  const clock: Clock = { now: () => time };
  const commands = new Commands(log, clock);
  const progress = { waitFor: nothingToWaitFor, changes: () => 0 };
  const generations = new EmbeddingGenerations({ reads, embedder, embedderNamed });
  await commands.apiKeys.load();
  const recorded: AdministrationDeps['audit'] = {
    read: (acting, what, filter) => audit.read(acting, what, { ...filter, as_of: position }),
  };
  const admin = createAdministration({
    log,
    commands,
    reads,
    progress,
    clock,
    config,
    embedder,
    generations,
    audit: recorded,
    keys: new KeyRing({ commands, clock }),
    backfills: new Backfills({
      commands,
      reads,
      embedder,
      clock,
      caughtUp: nothingToWaitFor,
      onTrouble: () => {},
    }),
    faq: new CuratedAnswers({ reads, commands, progress, clock, waitForOwnWrites: nothingToWaitFor }),
    chats: { place: unchangeable },
    ingest: unchangeable,
    inspect: unchangeable,
    trial: unchangeable,
    proveEvent: unchangeable,
    recordTrial: unchangeable,
    evaluations: { list: unchangeable, read: unchangeable },
    checkReady: unchangeable,
    restore: unchangeable,
    forget: unchangeable,
  });
  const { sourceRefs } = createAsk({
    ...deps.asking,
    clock: deps.clock,
    corpus: (corpusId) => commands.catalog.state.corpora.get(corpusId) ?? null,
    understand: (scope, typed, signal) => reads.understand(scope, typed, signal),
    holding: (scope, words, limit) => reads.holding(scope, words, limit),
    retrieve: deps.retrieveOver(reads, generations),
    commands: unrecorded,
  });
  return {
    position,
    admin,
    async sourceRefs({ corpus_id: wanted, ...lookUp }, acting, signal) {
      const catalog = await commands.catalog.load();
      const corpus_id = wanted ?? defaultCorpus(activeCorpora(catalog), config.DOCENT_DEFAULT_CORPUS);
      if (corpus_id === null) throw new Failure('not_found', 'There was no active corpus at that time.');
      await recorded.read(acting, 'history', { source_refs: corpus_id });
      const { limit, ...asked } = lookUp;
      const caller = { actor: `admin:${acting.name}`, key_id: null, subject: null };
      return sourceRefs({ ...asked, ...(limit !== undefined && { limit }), corpus_id, caller }, signal);
    },
  };
}

/** A read-only history that ends at a position. */
function readOnlyLogUntil(log: EventLog, until: Position): EventLog {
  return {
    append: unchangeable,
    appendStored: unchangeable,
    close: nothingToWaitFor,
    readStream: async (...of) => (await log.readStream(...of)).filter(({ position }) => position <= until),
    readAll: unchangeable,
    readStored: unchangeable,
    readStoredBefore: unchangeable,
    head: async () => until,
    lastBefore: unchangeable,
    distance: () => null,
    subscribe: unchangeable,
  };
}

export function momentRoutes({
  server,
  moments,
}: {
  server: HttpServer;
  moments?: Moments | undefined;
}): void {
  server.route({
    method: 'GET',
    url: '/admin/api/moments',
    schema: {
      ...operation('admin_moments', 'Past moments that are cached or being built'),
      description:
        'The read models for `as_of` are built from the history, one moment at a time, and a few are cached while in ' +
        'use. The list covers only one process.',
      response: { 200: reply('Latest moment first.', MomentList) },
    },
    config: { errors: [] },
    handler: async () => moments?.list() ?? { items: [] },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/diff',
    schema: {
      ...operation('admin_diff', 'Differences between two past moments'),
      description:
        'Compares all read models at the two moments, entry by entry, and lists additions, removals and changes. Both are ' +
        'built first, as for `as_of`; until then, the reply is 503 with the progress.',
      querystring: DiffQuery,
      response: { 200: reply('Changes, in the order of the read models.', MomentChanges) },
    },
    config: { errors: [404, 504] },
    handler: (request) => pastOf(moments).changes(request.query, actingIn(request)),
  });
}

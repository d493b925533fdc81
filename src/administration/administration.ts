/**
 * What administrators may see and change. Every change is appended with its actor and answered once the read models
 * that show it have it; who reads people's questions is recorded before they are handed out.
 */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { KeyRing, NewApiKey } from '../access/keys.ts';
import { type Config, shownConfig } from '../config.ts';
import type { ApiKey } from '../domain/api-keys.ts';
import { activeCorpora, defaultCorpus } from '../domain/catalog.ts';
import type { CorpusSettings, Language } from '../domain/events.ts';
import type { SystemPrompt } from '../domain/settings.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { IngestReport, IngestRequest } from '../ingest/ingest.ts';
import type { BackfillRecord, Backfills } from '../jobs/backfill.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder } from '../ports/models.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import { pages } from '../reads/pages.ts';
import type { Reads } from '../reads/reads.ts';
import type { AdminAudit } from './audit.ts';
import {
  type ApiKeyRecord,
  type AuditRecord,
  apiKeyRecord,
  type ChunkRecord,
  type CorpusRecord,
  type Coverage,
  chunkRecord,
  corpusRecord,
  coverageOf,
  type DocumentRecord,
  documentRecord,
  type Listed,
  type Page,
  type QueryRecord,
  queryRecord,
} from './records.ts';
import { type AskedOften, askedOften, type QuestionStats, questionStats } from './stats.ts';

/** Who acts, in which request. */
export interface Acting {
  name: string;
  request_id: string;
}

export interface QueryFilters extends Page {
  mode?: string;
  lang?: string;
  has_error?: boolean;
  search?: string;
  corpus_id?: string;
}

export interface Stats extends QuestionStats {
  most_asked: AskedOften[];
  unanswered: AskedOften[];
  documents: number;
  chunks: number;
  embeddings: Coverage;
  active_keys: number;
}

export type CorpusChanges = Partial<CorpusSettings> & { is_active?: boolean };

/** A question that is answered at once, as long as the sources of its answer stay what they are. */
export interface FaqEntry {
  entry_id: number;
  corpus_id: string;
  question: string;
  answer: string;
  lang: Language;
  /** A FAQ layer, an administrator, or an answer that was given several times. */
  origin: 'layer' | 'curated' | 'repeated';
  source_refs: string[];
  hits: number;
  last_hit_at: string | null;
  created_at: string;
}

export interface FaqCache {
  /** The entries that hold now, newest first. */
  list(page: Page): Promise<{ items: FaqEntry[]; total: number }>;
  /** Failure `not_found` for an unknown corpus; `invalid` for a pair that cannot be an entry. */
  add(pair: { corpus_id: string; question: string; answer: string }, cause: Cause): Promise<FaqEntry>;
  /** Failure `not_found` for an unknown entry. */
  remove(entryId: number, cause: Cause): Promise<void>;
}

export interface AdministrationDeps {
  commands: Commands;
  reads: Pick<Reads, 'get' | 'getMany' | 'find' | 'chunks' | 'coverage' | 'embeddedByDocument'>;
  progress: Pick<ProjectionProgress, 'waitFor'>;
  clock: Clock;
  config: Config;
  embedder: Embedder | null;
  keys: KeyRing;
  backfills: Backfills;
  audit: Pick<AdminAudit, 'read'>;
  /** Takes in a single file; resolves when the read models show it. */
  ingest(request: Omit<IngestRequest, 'cause'>, cause: Cause): Promise<IngestReport>;
  /** Without it there is nothing to see or change of a FAQ cache. */
  faq?: FaqCache;
}

const listMax = 10_000;
const mostAsked = 10;
/** Unanswered questions are counted among the latest ones. */
const unansweredLatest = 200;
/** A change is answered at the latest after so long, though a read model may not show it yet. */
const shownMs = 3000;

export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(deps: AdministrationDeps) {
  const { commands, reads, progress, clock, config, embedder, keys, backfills, audit, faq } = deps;

  const causeOf = ({ name, request_id }: Acting): Cause => ({
    actor: `admin:${name}`,
    correlation_id: request_id,
  });

  /** Waits until the read models show what was appended. */
  async function shown(position: Position | null, ...projections: string[]): Promise<void> {
    await Promise.all(
      ['audit', ...projections].map((projection) =>
        progress.waitFor(projection, position, shownMs).catch(() => {}),
      ),
    );
  }

  /** All records of a collection, in pages. */
  async function all(collection: string, query: Query = {}): Promise<Doc[]> {
    const found: Doc[] = [];
    for await (const items of pages((page) => reads.find(collection, { ...query, ...page }), listMax))
      found.push(...items);
    return found;
  }

  /** Of all corpora in one read; of those without chunks too, as whole. */
  async function coverage(): Promise<{ all: Coverage; of(corpusId: string): Coverage }> {
    const rows = await reads.coverage(embedder?.name ?? '');
    const sum = (field: 'chunks' | 'embedded') => rows.reduce((n, row) => n + row[field], 0);
    const byCorpus = new Map(rows.map((row) => [row.corpus_id, coverageOf(row)]));
    const none = coverageOf({ chunks: 0, embedded: 0 });
    return {
      all: coverageOf({ chunks: sum('chunks'), embedded: sum('embedded') }),
      of: (corpusId) => byCorpus.get(corpusId) ?? none,
    };
  }

  const counters = async () =>
    new Map((await all('stats')).map((record) => [String(record.counter ?? ''), record]));

  const keyRecord = async (key: ApiKey): Promise<ApiKeyRecord> =>
    apiKeyRecord(key, await reads.get('api_keys', String(key.key_id)));

  async function corpusRecords(docs: readonly Doc[]): Promise<CorpusRecord[]> {
    const ids = docs.map(({ corpus_id }) => String(corpus_id));
    const [covered, counted, catalog] = await Promise.all([
      coverage(),
      reads.getMany(
        'stats',
        ids.map((id) => `corpus:${id}`),
      ),
      commands.catalog.load(),
    ]);
    const byDefault = defaultCorpus(activeCorpora(catalog), config.DOCENT_DEFAULT_CORPUS);
    return docs.map((doc, i) => {
      const corpus_id = ids[i]!;
      return corpusRecord(doc, {
        is_default: corpus_id === byDefault,
        coverage: covered.of(corpus_id),
        question_count: Number(counted[i]?.asked ?? 0),
      });
    });
  }

  async function corpus(corpusId: string): Promise<CorpusRecord> {
    const doc = await reads.get('corpora', corpusId);
    if (doc === null)
      throw new Failure('unavailable', 'The corpus is registered, but not shown yet.', { retryAfterS: 1 });
    return (await corpusRecords([doc]))[0]!;
  }

  async function documentRecords(docs: readonly Doc[]): Promise<DocumentRecord[]> {
    const ids = docs.map(({ doc_id }) => Number(doc_id));
    const rows = embedder === null ? [] : await reads.embeddedByDocument(embedder.name, ids);
    const embedded = new Map(rows.map((row) => [row.doc_id, row.embedded]));
    return docs.map((doc) => documentRecord(doc, embedded.get(Number(doc.doc_id)) ?? 0));
  }

  return {
    async stats(acting: Acting): Promise<Stats> {
      await audit.read(acting.name, 'stats', acting.request_id);
      const [counted, corpora, most, unanswered, embeddings] = await Promise.all([
        counters(),
        all('corpora'),
        reads.find('asked', { orderBy: { field: 'count', descending: true }, limit: mostAsked }),
        reads.find('queries', {
          where: { mode: 'no_answer' },
          orderBy: { field: 'asked_at', descending: true },
          limit: unansweredLatest,
        }),
        coverage(),
      ]);
      const sum = (field: string) => corpora.reduce((n, doc) => n + Number(doc[field] ?? 0), 0);
      return {
        ...questionStats(counted, clock.now()),
        most_asked: most.items.map(({ query, corpus_id, count, last_asked_at }) => ({
          query: String(query),
          corpus_id: String(corpus_id),
          count: Number(count),
          last_asked_at: String(last_asked_at),
        })),
        unanswered: askedOften(unanswered.items, mostAsked),
        documents: sum('document_count'),
        chunks: sum('chunk_count'),
        embeddings: embeddings.all,
        active_keys: keys.list().filter(({ revoked_at }) => revoked_at === null).length,
      };
    },

    async queries(
      { limit, offset, search, ...filters }: QueryFilters,
      acting: Acting,
    ): Promise<Listed<QueryRecord>> {
      await audit.read(acting.name, 'queries', acting.request_id);
      const where = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
      const { items, total } = await reads.find('queries', {
        where,
        ...(search !== undefined && search.trim() !== '' ? { search } : {}),
        orderBy: { field: 'asked_at', descending: true },
        limit,
        offset,
      });
      return { items: items.map(queryRecord), total, limit, offset };
    },

    /** Documents by their id, of one corpus where named; none of an unknown one. */
    async documents({
      limit,
      offset,
      corpus_id,
    }: Page & { corpus_id?: string }): Promise<Listed<DocumentRecord>> {
      const { items, total } = await reads.find('documents', {
        ...(corpus_id === undefined ? {} : { where: { corpus_id } }),
        orderBy: { field: 'doc_id' },
        limit,
        offset,
      });
      return { items: await documentRecords(items), total, limit, offset };
    },

    /** Failure `not_found` for an unknown document. */
    async chunks(docId: number, { limit, offset }: Page): Promise<Listed<ChunkRecord>> {
      if ((await reads.get('documents', String(docId))) === null) throw noDocument(docId);
      const { items, total } = await reads.chunks(docId, limit, offset, embedder?.name ?? null);
      return {
        items: items.map(chunkRecord),
        total,
        limit,
        offset,
      };
    },

    /**
     * Takes in a file that was sent. Failure `not_found` for an unknown corpus; `invalid` for an unknown layer, or
     * with the reason when nothing of the file could be taken in.
     */
    async upload(
      {
        path,
        corpus_id,
        layer,
        upload,
      }: Pick<IngestRequest, 'path' | 'layer'> & {
        corpus_id: string;
        upload: NonNullable<IngestRequest['upload']>;
      },
      acting: Acting,
    ): Promise<{ report: IngestReport; documents: DocumentRecord[] }> {
      const known = (await commands.catalog.load()).corpora.get(corpus_id);
      if (known === undefined) throw new Failure('not_found', `There is no corpus "${corpus_id}".`);
      const layers = known.settings.layers.map(({ name }) => name);
      if (layer !== null && !layers.includes(layer))
        throw new Failure('invalid', `The layer "${layer}" is none of the corpus' (${layers.join(', ')}).`, {
          field: 'layer',
        });
      const report = await deps.ingest(
        { path, corpus_id, layer, upload, prune: false, yes: false },
        causeOf(acting),
      );
      if (report.added + report.revised + report.unchanged === 0)
        throw new Failure('invalid', report.skipped[0]?.reason ?? 'The file holds no document.', {
          field: 'file',
        });
      const byKey = commands.catalog.state.documents.get(corpus_id);
      const sent: Doc[] = [];
      for (const key of report.keys) {
        const doc = await reads.get('documents', String(byKey?.get(key)?.doc_id));
        if (doc !== null) sent.push(doc);
      }
      return { report, documents: await documentRecords(sent) };
    },

    /** The document as it is then; one that is withdrawn stays as it is. Failure `not_found` for an unknown one. */
    async withdraw(docId: number, acting: Acting): Promise<DocumentRecord> {
      const { documents } = await commands.catalog.load();
      const known = [...documents.values()].some((byKey) =>
        [...byKey.values()].some(({ doc_id }) => doc_id === docId),
      );
      if (!known) throw noDocument(docId);
      const { position } = await commands
        .document(docId)
        .execute({ type: 'Withdraw', reason: 'Withdrawn by an administrator.' }, causeOf(acting));
      await shown(position, 'documents', 'chunks', 'corpora');
      const doc = await reads.get('documents', String(docId));
      if (doc === null)
        throw new Failure('unavailable', 'The document is withdrawn, but not shown yet.', { retryAfterS: 1 });
      return documentRecord(doc, 0);
    },

    async systemPrompt(): Promise<SystemPrompt> {
      return (await commands.settings.load()).prompt;
    },

    async changeSystemPrompt(content: string, acting: Acting): Promise<SystemPrompt> {
      const changed_at = clock.now().toISOString();
      const { state, position } = await commands.settings.execute(
        { type: 'ChangeSystemPrompt', content, changed_at, changed_by: acting.name },
        causeOf(acting),
      );
      await shown(position);
      return state.prompt;
    },

    config: () => shownConfig(config),

    async embeddingStatus(): Promise<
      Coverage & {
        embedder: Pick<Embedder, 'name' | 'dimension' | 'deterministic'> | null;
        corpora: (Coverage & { corpus_id: string })[];
        jobs: BackfillRecord[];
      }
    > {
      const [corpora, covered] = await Promise.all([all('corpora'), coverage()]);
      return {
        embedder: embedder && {
          name: embedder.name,
          dimension: embedder.dimension,
          deterministic: embedder.deterministic,
        },
        ...covered.all,
        corpora: corpora
          .map(({ corpus_id }) => String(corpus_id))
          .sort()
          .map((corpus_id) => ({ corpus_id, ...covered.of(corpus_id) })),
        jobs: await backfills.latest(10),
      };
    },

    /** `granted` false: `job` is the one under way over the same documents. Failure `not_found`: unknown `doc_key`. */
    async backfill(
      request: { doc_key: string | null; batch_size: number },
      acting: Acting,
    ): Promise<{ granted: boolean; job: BackfillRecord }> {
      const { granted, job, position } = await backfills.request(request, acting.name, causeOf(acting));
      await shown(position);
      return { granted, job };
    },

    backfillJob: (jobId: string): Promise<BackfillRecord> => backfills.job(jobId),

    /** All keys, revoked ones too, newest first. */
    async apiKeys({ limit, offset }: Page): Promise<Listed<ApiKeyRecord>> {
      await commands.apiKeys.load();
      const known = keys.list();
      const page = known.slice(offset, offset + limit);
      const used = await reads.getMany(
        'api_keys',
        page.map(({ key_id }) => String(key_id)),
      );
      const items = page.map((key, i) => apiKeyRecord(key, used[i] ?? null));
      return { items, total: known.length, limit, offset };
    },

    /** Those of the corpora that there are none of. */
    async unknownCorpora(corpusIds: readonly string[]): Promise<string[]> {
      const { corpora } = await commands.catalog.load();
      return corpusIds.filter((id) => !corpora.has(id));
    },

    /** `key`: the key itself, told this once. */
    async createApiKey(wanted: NewApiKey, acting: Acting): Promise<ApiKeyRecord & { key: string }> {
      const { key, text, position } = await keys.create(wanted, acting.name, causeOf(acting));
      await shown(position);
      return { ...(await keyRecord(key)), key: text };
    },

    /** Failure `not_found` for an unknown key. */
    async revokeApiKey(keyId: number, acting: Acting): Promise<ApiKeyRecord> {
      const { key, position } = await keys.revoke(keyId, acting.name, causeOf(acting));
      await shown(position);
      return keyRecord(key);
    },

    /** All corpora by their id, inactive ones too. */
    async corpora({ limit, offset }: Page): Promise<Listed<CorpusRecord>> {
      const { items, total } = await reads.find('corpora', { limit, offset });
      return { items: await corpusRecords(items), total, limit, offset };
    },

    /** Failure `conflict` for a corpus that is known, `invalid` for an id that is none. */
    async createCorpus(corpus_id: string, settings: CorpusSettings, acting: Acting): Promise<CorpusRecord> {
      const { position } = await commands.catalog.execute(
        { type: 'RegisterCorpus', corpus_id, settings },
        causeOf(acting),
      );
      await shown(position, 'corpora');
      return corpus(corpus_id);
    },

    /** Failure `not_found` for an unknown corpus. */
    async changeCorpus(
      corpus_id: string,
      { is_active, ...changes }: CorpusChanges,
      acting: Acting,
    ): Promise<CorpusRecord> {
      const { position } = await commands.catalog.execute(
        [
          { type: 'ChangeCorpus', corpus_id, changes },
          ...(is_active === undefined ? [] : [{ type: 'SetActive' as const, corpus_id, active: is_active }]),
        ],
        causeOf(acting),
      );
      await shown(position, 'corpora');
      return corpus(corpus_id);
    },

    async auditLog({ limit, offset, action }: Page & { action?: string }): Promise<Listed<AuditRecord>> {
      const { items, total } = await reads.find('audit', {
        ...(action === undefined ? {} : { where: { action } }),
        orderBy: { field: 'occurred_at', descending: true },
        limit,
        offset,
      });
      return { items: items.map((entry) => entry as AuditRecord), total, limit, offset };
    },

    faqCache: faq && {
      async list(page: Page, acting: Acting): Promise<Listed<FaqEntry>> {
        await audit.read(acting.name, 'faq_cache', acting.request_id);
        return { ...(await faq.list(page)), ...page };
      },
      add: (pair: Parameters<FaqCache['add']>[0], acting: Acting): Promise<FaqEntry> =>
        faq.add(pair, causeOf(acting)),
      remove: (entryId: number, acting: Acting): Promise<void> => faq.remove(entryId, causeOf(acting)),
    },
  };
}

const noDocument = (docId: number) => new Failure('not_found', `There is no document ${docId}.`);

/** The active corpora, as listed publicly, without restricted content, and the list of their documents. */
import { type Static, Type } from 'typebox';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { pages } from '../async/pages.ts';
import { StampedCache } from '../async/stamped-cache.ts';
import { defaultCorpus } from '../domain/catalog.ts';
import type { CorpusSettings, Language, Localized } from '../domain/events.ts';
import type { FreshCatalog } from '../event-sourcing/fresh-catalog.ts';
import { Failure } from '../failures.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { Doc } from '../ports/read-models.ts';
import { exampleOf, Lang, NullableText, orNull, record, sample, Time } from '../schema.ts';

export const Corpus = record(
  'Corpus',
  {
    corpus_id: Type.String(),
    title: Type.String(),
    description: NullableText,
    languages: Type.Array(Lang),
    styles: Type.Array(Type.String()),
    is_default: Type.Boolean(),
    document_count: Type.Integer(),
    chunk_count: Type.Integer(),
    updated_at: orNull(Time),
    examples: Type.Array(Type.String(), { description: 'Example questions.' }),
  },
  {
    example: {
      corpus_id: 'krk_2026',
      title: 'Constitution',
      description: 'The constitution with its commentary.',
      languages: ['ru', 'kk', 'en'],
      styles: [],
      is_default: true,
      document_count: 7,
      chunk_count: 312,
      updated_at: sample.now,
      examples: ['На какой срок избирается Президент?'],
    },
  },
);
export type Corpus = Static<typeof Corpus>;
export const CorpusList = Type.Array(Corpus, { examples: [[exampleOf(Corpus)]] });

const corporaMax = 10_000;
const pageMax = 1_000;
/** Number of corpora whose documents are read together. */
const corporaAtOnce = 500;

type CorpusCounts = Pick<Corpus, 'document_count' | 'chunk_count'>;

export class PublicCorpora {
  readonly #lists: StampedCache<Language | null, Corpus[]>;

  /** `configured` is the default corpus from the configuration. */
  constructor(
    reads: Pick<ReadModelReads, 'find'>,
    progress: Pick<ProjectionProgress, 'changes'>,
    configured: string,
  ) {
    this.#lists = new StampedCache(
      () => progress.changes('corpora') + progress.changes('documents'),
      async (reader) => {
        const { items } = await reads.find('corpora', { where: { is_active: true }, limit: corporaMax });
        const ids = items.map(({ corpus_id }) => String(corpus_id));
        const byDefault = defaultCorpus(ids, configured);
        const restricted = await restrictedCounts(reads, items);
        return items.map((doc) =>
          publicCorpus(without(restricted.get(String(doc.corpus_id)), doc), byDefault, reader),
        );
      },
    );
  }

  /**
   * Lists the corpora in the reader's language if available, otherwise in each corpus's first language. May fail with
   * `unavailable`.
   */
  list(reader: Language | null = null): Promise<Corpus[]> {
    return this.#lists.get(reader);
  }
}

/**
 * Counts the content of each corpus that is in currently restricted layers. Corpora whose restricted layers have the
 * same names are read together, page by page, so only one read is in progress at a time.
 */
async function restrictedCounts(
  reads: Pick<ReadModelReads, 'find'>,
  corpora: readonly Doc[],
): Promise<Map<string, CorpusCounts>> {
  const counts = new Map<string, CorpusCounts>();
  for (const [names, alike] of Map.groupBy(corpora, restrictedLayers)) {
    const layer: string[] = JSON.parse(names);
    if (layer.length === 0) continue;
    for (let first = 0; first < alike.length; first += corporaAtOnce) {
      const corpus_id = alike.slice(first, first + corporaAtOnce).map((corpus) => String(corpus.corpus_id));
      const where = { corpus_id, layer, status: 'published' };
      for await (const items of pages((page) => reads.find('documents', { where, ...page }), pageMax)) {
        for (const one of items) {
          const id = String(one.corpus_id);
          const { document_count, chunk_count } = counts.get(id) ?? { document_count: 0, chunk_count: 0 };
          counts.set(id, {
            document_count: document_count + 1,
            chunk_count: chunk_count + Number(one.chunk_count),
          });
        }
      }
    }
  }
  return counts;
}

/** The names of the restricted layers in order, as JSON. */
function restrictedLayers({ layers }: Doc): string {
  const restricted = (layers as CorpusSettings['layers']).filter(
    ({ visibility }) => visibility === 'restricted',
  );
  return JSON.stringify(restricted.map(({ name }) => name).sort());
}

/** The corpus, counting only its public content. */
function without(restricted: CorpusCounts | undefined, corpus: Doc): Doc {
  if (restricted === undefined) return corpus;
  const left = (field: keyof CorpusCounts) => Math.max(0, Number(corpus[field]) - restricted[field]);
  return { ...corpus, document_count: left('document_count'), chunk_count: left('chunk_count') };
}

/** A localised text in the first available language of `order`. */
function localized(text: Localized, order: readonly Language[]): string {
  if (typeof text === 'string') return text;
  for (const lang of order) if (text[lang] !== undefined) return text[lang];
  return Object.values(text)[0] ?? '';
}

function publicCorpus(doc: Doc, byDefault: string | null, reader: Language | null): Corpus {
  const {
    corpus_id,
    title,
    description,
    languages,
    styles,
    examples = {},
  } = doc as unknown as CorpusSettings & { corpus_id: string };
  const { document_count, chunk_count, updated_at } = doc as unknown as Pick<
    Corpus,
    'document_count' | 'chunk_count' | 'updated_at'
  >;
  const order = reader === null ? languages : [reader, ...languages];
  return {
    corpus_id,
    title: localized(title, order),
    description: description === null ? null : localized(description, order),
    languages,
    styles,
    is_default: corpus_id === byDefault,
    document_count,
    chunk_count,
    updated_at,
    examples: order.map((lang) => examples[lang]).find((some) => some !== undefined) ?? [],
  };
}

/**
 * Lists the documents of a corpus, or of all corpora if null, sorted by id. Fails with `not_found` for an unknown
 * corpus. May also fail with `unavailable`.
 */
export async function listDocuments(
  { catalog, reads }: { catalog: FreshCatalog; reads: Pick<ReadModelReads, 'find'> },
  corpusId: string | null,
  page: { limit?: number; offset?: number } = {},
): Promise<{ items: Doc[]; total: number }> {
  const { corpora } = await catalog.load();
  if (corpusId !== null && !corpora.has(corpusId))
    throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return reads.find('documents', {
    ...(corpusId === null ? {} : { where: { corpus_id: corpusId } }),
    orderBy: { field: 'doc_id' },
    ...page,
  });
}

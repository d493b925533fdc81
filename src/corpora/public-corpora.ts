/** The active corpora, as everyone may list them: what is restricted of them is not counted. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { Corpus } from '../api/corpora.ts';
import { defaultCorpus } from '../domain/catalog.ts';
import type { CorpusSettings, Language, Localized } from '../domain/events.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Reads } from '../reads/reads.ts';
import { StampedCache } from '../reads/stamped-cache.ts';

const corporaMax = 10_000;
const pageMax = 1_000;

type CorpusCounts = Pick<Corpus, 'document_count' | 'chunk_count'>;

export class PublicCorpora {
  readonly #lists: StampedCache<Language | null, Corpus[]>;

  /** `configured`: the default corpus of the configuration. */
  constructor(reads: Pick<Reads, 'find'>, progress: Pick<ProjectionProgress, 'changes'>, configured: string) {
    this.#lists = new StampedCache(
      () => progress.changes('corpora') + progress.changes('documents'),
      async (reader) => {
        const { items } = await reads.find('corpora', { where: { is_active: true }, limit: corporaMax });
        const ids = items.map(({ corpus_id }) => String(corpus_id));
        const byDefault = defaultCorpus(ids, configured);
        return Promise.all(
          items.map(async (doc) => publicCorpus(await withoutRestricted(reads, doc), byDefault, reader)),
        );
      },
    );
  }

  /** In the reader's language where a corpus has it, else in its own first one. Failure `unavailable`. */
  list(reader: Language | null = null): Promise<Corpus[]> {
    return this.#lists.get(reader);
  }
}

/** The corpus with the counts of what everyone may see. */
async function withoutRestricted(reads: Pick<Reads, 'find'>, doc: Doc): Promise<Doc> {
  const { corpus_id, layers, ...counts } = doc as unknown as CorpusSettings &
    CorpusCounts & { corpus_id: string };
  let { document_count, chunk_count } = counts;
  for (const { name, visibility } of layers) {
    if (visibility !== 'restricted') continue;
    const where = { corpus_id, layer: name, status: 'published' };
    for (let offset = 0; ; offset += pageMax) {
      const { items } = await reads.find('documents', { where, limit: pageMax, offset });
      document_count -= items.length;
      for (const one of items) chunk_count -= Number(one.chunk_count);
      if (items.length < pageMax) break;
    }
  }
  return { ...doc, document_count: Math.max(0, document_count), chunk_count: Math.max(0, chunk_count) };
}

/** A text of several languages in the first of them that it has. */
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

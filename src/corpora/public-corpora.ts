/** The active corpora, as everyone may list them. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { Corpus } from '../api/corpora.ts';
import { defaultCorpus } from '../domain/catalog.ts';
import type { CorpusSettings, Language, Localized } from '../domain/events.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Reads } from '../reads/reads.ts';
import { StampedCache } from '../reads/stamped-cache.ts';

const corporaMax = 10_000;

export class PublicCorpora {
  readonly #lists: StampedCache<Language | null, Corpus[]>;

  /** `configured`: the default corpus of the configuration. */
  constructor(reads: Pick<Reads, 'find'>, progress: Pick<ProjectionProgress, 'changes'>, configured: string) {
    this.#lists = new StampedCache(
      () => progress.changes('corpora'),
      async (reader) => {
        const { items } = await reads.find('corpora', { where: { is_active: true }, limit: corporaMax });
        const ids = items.map(({ corpus_id }) => String(corpus_id));
        const byDefault = defaultCorpus(ids, configured);
        return items.map((doc) => publicCorpus(doc, byDefault, reader));
      },
    );
  }

  /** In the reader's language where a corpus has it, else in its own first one. Failure `unavailable`. */
  list(reader: Language | null = null): Promise<Corpus[]> {
    return this.#lists.get(reader);
  }
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

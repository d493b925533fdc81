/** The lexicon as questions use it: what a stem of one language is in another, and which passages say the same. */
import type { Language } from '../../domain/events.ts';
import {
  type LearnedRecord,
  lexiconCollections,
  type TwinsRecord,
  type WordsRecord,
} from '../../ports/lexicon.ts';
import type { Doc, Query } from '../../ports/read-models.ts';
import { prefix } from '../../text/words.ts';

export interface Translation {
  stem: string;
  /** From 0 to 1: how sure it is that this is what the word means. */
  probability: number;
}

/** Stems seen as often without a link as this count against a link: what was seen once is not trusted for it. */
const doubt = 0.5;
const probabilityLeast = 0.1;
const translationsMax = 4;
/** Of what other corpora teach so much is believed. */
const elsewhere = 0.8;

/** What a translation counts of a stem that only begins like the one asked for: another form of the word, mostly. */
const begunAlike = 0.7;
/** Shorter stems begin alike too easily. */
const alikeLetters = 5;

interface Known {
  seen: number;
  links: Map<string, number>;
}
/** By languages ("ru en"), then by stem of the first, and by the beginnings of longer ones. */
type Pairs = Map<string, { stems: Map<string, Known>; alike: Map<string, Known[]> }>;

function pairsOf(records: readonly WordsRecord[]): Pairs {
  const pairs: Pairs = new Map();
  // A stem's links may stand in several records, each with how often it was seen in all.
  const stemOf = (key: string, stem: string) => {
    const { stems, alike } = pairs.get(key) ?? { stems: new Map(), alike: new Map() };
    pairs.set(key, { stems, alike });
    const before = stems.get(stem);
    if (before) return before;
    const known: Known = { seen: 0, links: new Map() };
    stems.set(stem, known);
    if (stem.length >= alikeLetters) alike.set(prefix(stem), [...(alike.get(prefix(stem)) ?? []), known]);
    return known;
  };
  for (const { languages, links, seen } of records) {
    const keys = [languages.join(' '), languages.toReversed().join(' ')] as const;
    for (const n of [0, 1] as const) for (const [stem, times] of seen[n]) stemOf(keys[n], stem).seen = times;
    for (const [a, b, times] of links) {
      stemOf(keys[0], a).links.set(b, times);
      stemOf(keys[1], b).links.set(a, times);
    }
  }
  return pairs;
}

/** What all corpora teach. */
export class Lexicon {
  readonly #corpora = new Map<string, Pairs>();

  /** Takes these records in place of those known of a corpus. */
  put(corpusId: string, records: readonly WordsRecord[]): void {
    if (records.length === 0) this.#corpora.delete(corpusId);
    else this.#corpora.set(corpusId, pairsOf(records));
  }

  /**
   * What a stem means in another language, most likely first: as the corpus itself has it where it knows the stem, else
   * as all others have it together; where none does, what the stems mean that begin alike.
   */
  translations(corpusId: string, stem: string, from: Language, to: Language): Translation[] {
    const key = `${from} ${to}`;
    const own = this.#corpora.get(corpusId)?.get(key);
    const all = [...this.#corpora.values()].flatMap((pairs) => pairs.get(key) ?? []);
    const exact = own?.stems.get(stem);
    if (exact) return likely([exact], 1);
    const others = all.flatMap(({ stems }) => stems.get(stem) ?? []);
    if (others.length > 0) return likely(others, elsewhere);
    const begin = prefix(stem);
    if (stem.length < alikeLetters) return [];
    const ownAlike = own?.alike.get(begin);
    return ownAlike
      ? likely(ownAlike, begunAlike)
      : likely(
          all.flatMap(({ alike }) => alike.get(begin) ?? []),
          begunAlike * elsewhere,
        );
  }
}

/** What some stems mean together, believed to a part. */
function likely(all: readonly Known[], believed: number): Translation[] {
  const seen = all.reduce((sum, one) => sum + one.seen, 0);
  const times = new Map<string, number>();
  for (const { links } of all)
    for (const [other, count] of links) times.set(other, (times.get(other) ?? 0) + count);
  return [...times]
    .map(([other, count]) => ({ stem: other, probability: Math.min(1, (believed * count) / (seen + doubt)) }))
    .filter(({ probability }) => probability >= probabilityLeast)
    .sort((a, b) => b.probability - a.probability || (a.stem < b.stem ? -1 : 1))
    .slice(0, translationsMax);
}

/** The read models as the lexicon is read from them. */
export interface LexiconReads {
  getMany(collection: string, keys: readonly string[]): Promise<(Doc | null)[]>;
  find(collection: string, query: Query): Promise<{ items: Doc[] }>;
}

/** Corpora whose lexicons are held. */
const corporaMax = 1_000;

/** The lexicon in the read models, kept in memory and read again where it has changed. */
export class StoredLexicon {
  readonly #reads: LexiconReads;
  readonly #lexicon = new Lexicon();
  readonly #at = new Map<string, string>();

  constructor(reads: LexiconReads) {
    this.#reads = reads;
  }

  /** As it stands in the read models now. Failure `unavailable`. */
  async current(): Promise<Lexicon> {
    const { items } = await this.#reads.find(lexiconCollections.learned, { limit: corporaMax });
    const learned = items as unknown as LearnedRecord[];
    for (const corpus of this.#at.keys())
      if (!learned.some(({ corpus_id }) => corpus_id === corpus)) this.#forget(corpus);
    for (const { corpus_id, at, words } of learned) {
      if (this.#at.get(corpus_id) === at) continue;
      const records = words.length === 0 ? [] : await this.#reads.getMany(lexiconCollections.words, words);
      this.#lexicon.put(corpus_id, records.filter((doc) => doc !== null) as unknown as WordsRecord[]);
      this.#at.set(corpus_id, at);
    }
    return this.#lexicon;
  }

  #forget(corpusId: string): void {
    this.#lexicon.put(corpusId, []);
    this.#at.delete(corpusId);
  }

  /** The twins of documents, by document. */
  async twins(docIds: readonly number[]): Promise<Map<number, TwinsRecord>> {
    if (docIds.length === 0) return new Map();
    const found = await this.#reads.getMany(lexiconCollections.twins, docIds.map(String));
    return new Map(
      found
        .flatMap((doc) => (doc === null ? [] : [doc as unknown as TwinsRecord]))
        .map((one) => [one.doc_id, one]),
    );
  }
}

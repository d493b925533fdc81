/**
 * The inverted index over chunks in SQLite. A question reads the posting lists of its terms from the page cache and
 * sums BM25 scores in an array per segment.
 *
 * A segment covers a range of 4,096 chunk ids; there is one for each partition and language with chunks in the range.
 * It is written in a single pass once all its ids are assigned, term by term in sorted order, from the fingerprints of
 * its chunks, so ingestion only appends. Each searching thread reads the chunks of the incomplete range directly and
 * keeps them in memory; everything else stays on disk.
 *
 * An entry takes 16 bits: the chunk's offset in the segment (12), whether the term is in its title (1), and its
 * frequency, capped at 7 (3). Entries of swept chunks remain until they make up a quarter of a segment.
 *
 * Benchmark on a busy machine with the file mapped into memory, over 50,000 chunks of 99 words and over 500,000 (ten
 * copies of the same chunks): time to find the best hundred chunks for a question (p50 / p99 in ms) and index size.
 *   these lists          .6 / 4    30 MB    8 / 21     304 MB
 *   FTS5, bm25          4.7 / 14   43 MB   47 / 157    388 MB
 *   arrays in memory     .2 / 4    34 MB  1.4 / 4      339 MB, all in memory
 * Over 50,000 chunks, these lists account for about a fifth of a lookup. Arrays would save part of that time, but
 * would have to be kept in sync with the file.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Language } from '../../domain/events.ts';
import type { TermCounts, Terms } from '../../ports/chunk-search.ts';
import { type Fingerprint, marks, prefixId, stemId, toTokens } from '../../text/fingerprint.ts';
import { soundKey } from '../../text/variants.ts';
import { detached } from '../../text/words.ts';
import { inverseFrequency, prefixWeight } from '../counts.ts';
import { countMax, countShift, inTitle, type Row, SegmentBuilder, span } from './segment-builder.ts';

export const postingTables = ['tokens', 'segments', 'postings', 'stems'];

export function createPostingTables(db: DatabaseSync, prefix: string): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${prefix}tokens (
      id INTEGER PRIMARY KEY, doc_id INTEGER NOT NULL, revision INTEGER NOT NULL, ordinal INTEGER NOT NULL,
      partition INTEGER NOT NULL, lang TEXT NOT NULL, titled INTEGER NOT NULL, tokens BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${prefix}segments (
      segment INTEGER PRIMARY KEY AUTOINCREMENT, first INTEGER NOT NULL, partition INTEGER NOT NULL, lang TEXT NOT NULL,
      chunks INTEGER NOT NULL, words INTEGER NOT NULL, titled INTEGER NOT NULL, lengths BLOB NOT NULL
    );
    CREATE INDEX IF NOT EXISTS ${prefix}segments_first ON ${prefix}segments (first);
    CREATE INDEX IF NOT EXISTS ${prefix}segments_partition ON ${prefix}segments (partition);
    CREATE TABLE IF NOT EXISTS ${prefix}postings (
      segment INTEGER NOT NULL, term INTEGER NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (segment, term)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ${prefix}stems (stem TEXT PRIMARY KEY, sound TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${prefix}stems_sound ON ${prefix}stems (sound);
  `);
}

/** The proportion of a segment's chunks that may be deleted before it is rewritten. */
const goneMax = 1 / 4;
const knownMax = 200_000;

/** The chunks of a partition and language in a range of ids. */
interface Segment {
  partition: number;
  lang: string;
  first: number;
  chunks: number;
  words: number;
  titled: number;
  /** Number of words in each chunk, by its offset. */
  lengths: Uint16Array;
  lists: Map<number, number[]>;
}

/**
 * Adds the newest chunks, as rows of `tokens`, to the segments of their id range, by partition and language. Unlike
 * SegmentBuilder, this does not start over with every new chunk.
 */
function addTo(segments: Map<string, Segment>, rows: Iterable<Row>, first: number): void {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const key = `${row.partition} ${row.lang}`;
    let segment = segments.get(key);
    if (!segment) {
      segment = {
        partition: Number(row.partition),
        lang: String(row.lang),
        first,
        chunks: 0,
        words: 0,
        titled: 0,
        lengths: new Uint16Array(span),
        lists: new Map(),
      };
      segments.set(key, segment);
    }
    const at = Number(row.id) - first;
    const titled = Number(row.titled);
    const tokens = toTokens(row.tokens as Uint8Array);
    for (let n = 0; n < tokens.length; n += 2) {
      const stem = tokens[n]!;
      const before = counts.get(stem) ?? 0;
      const times = Math.min(countMax, (before >>> countShift) + 1);
      const flag = (before & inTitle) | (n < titled * 2 ? inTitle : 0);
      counts.set(stem, (times << countShift) | flag);
      const prefix = tokens[n + 1]!;
      if (prefix > marks.secondStem) counts.set(prefix, 1 << countShift);
    }
    for (const [term, count] of counts) {
      const list = segment.lists.get(term);
      if (list) list.push(at | count);
      else segment.lists.set(term, [at | count]);
    }
    counts.clear();
    segment.chunks++;
    segment.words += tokens.length / 2;
    segment.titled += titled;
    segment.lengths[at] = Math.min(65_535, tokens.length / 2);
  }
}

/** A chunk with its fingerprint. */
export interface NewChunk extends Fingerprint {
  doc_id: number;
  revision: number;
  ordinal: number;
  partition: number;
  lang: Language;
}

/** Writes the data that `openPostings` reads, inside the caller's transactions. */
export class PostingWriter {
  readonly #sql: ReturnType<typeof prepareWrites>;
  /** Stems known to be in the table. */
  readonly #known = new Set<string>();
  #newest: string | null = null;

  constructor(db: DatabaseSync, prefix: string) {
    this.#sql = prepareWrites(db, prefix);
  }

  add(id: number, { doc_id, revision, ordinal, partition, lang, tokens, titled }: NewChunk): void {
    const bytes = new Uint8Array(tokens.buffer);
    this.#sql.addTokens.run(id, doc_id, revision, ordinal, partition, lang, titled, bytes);
  }

  /** Stores the stems in a text, for matching words that are misspelt or in another script. */
  addStems(names: ReadonlySet<string>): void {
    const sql = this.#sql;
    // A rollback removes all stems written in its transaction, including the newest one.
    if (this.#newest !== null && !sql.hasStem.get(this.#newest)) this.#known.clear();
    for (const name of names) {
      if (this.#known.has(name) || /\d/.test(name)) continue;
      if (this.#known.size >= knownMax) this.#known.clear();
      this.#known.add(detached(name));
      if (sql.hasStem.get(name)) continue;
      sql.addStem.run(name, soundKey(name));
      this.#newest = name;
    }
  }

  /** Writes the segments that were filled by the chunks between two ids. */
  filled(before: number, last: number): void {
    for (let end = stretchOf(before + 1) + span; end <= last + 1; end += span) this.#index(end - span);
  }

  /** Removes chunks. Segments with too many removed chunks are rewritten. */
  remove(ids: readonly number[]): void {
    const sql = this.#sql;
    for (const id of ids) sql.dropTokens.run(id);
    for (const first of new Set(ids.map(stretchOf))) {
      const listed = Number(sql.listed.get(first)?.n);
      const there = Number(sql.there.get(first, first + span)?.n);
      if (listed - there > listed * goneMax) this.#index(first);
    }
  }

  #index(first: number): void {
    const sql = this.#sql;
    sql.dropPostings.run(first);
    sql.dropSegments.run(first);
    const segments = new Map<string, SegmentBuilder>();
    for (const row of sql.tokens.iterate(first, first + span)) {
      const key = `${row.partition} ${row.lang}`;
      const segment = segments.get(key) ?? new SegmentBuilder(row);
      segments.set(key, segment);
      segment.add(Number(row.id) - first, row);
    }
    for (const segment of segments.values()) {
      const { partition, lang, chunks, words, titled, lengths } = segment;
      const bytes = new Uint8Array(lengths.buffer);
      const { lastInsertRowid } = sql.addSegment.run(first, partition, lang, chunks, words, titled, bytes);
      for (const [term, entries] of segment.lists())
        sql.addPostings.run(lastInsertRowid, term, new Uint8Array(entries.buffer));
    }
  }
}

/** The first id of the range that contains an id. */
const stretchOf = (id: number): number => id - (id % span);

function prepareWrites(db: DatabaseSync, prefix: string) {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  return {
    addTokens: sql('INSERT INTO @tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    hasStem: sql('SELECT 1 FROM @stems WHERE stem = ?'),
    addStem: sql('INSERT INTO @stems VALUES (?, ?)'),
    dropTokens: sql('DELETE FROM @tokens WHERE id = ?'),
    tokens: sql('SELECT * FROM @tokens WHERE id >= ? AND id < ? ORDER BY id'),
    there: sql('SELECT count(*) AS n FROM @tokens WHERE id >= ? AND id < ?'),
    listed: sql('SELECT coalesce(sum(chunks), 0) AS n FROM @segments WHERE first = ?'),
    dropPostings: sql(
      'DELETE FROM @postings WHERE segment IN (SELECT segment FROM @segments WHERE first = ?)',
    ),
    dropSegments: sql('DELETE FROM @segments WHERE first = ?'),
    addSegment: sql(
      `INSERT INTO @segments (first, partition, lang, chunks, words, titled, lengths) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    addPostings: sql('INSERT INTO @postings VALUES (?, ?, ?)'),
  };
}

const k1 = 1.2;
const b = 0.75;
/** Additional weight of a stem that is in the title. */
const titleWeight = 2;

/**
 * Segments as loaded for searching: those in the file by number, and the segment of the newest chunks with its lists.
 */
interface Part extends Omit<Segment, 'lists'> {
  segment: number | null;
  lists: ReadonlyMap<number, number[]>;
}

/**
 * Maximum number of cached entries, kept for the next call with the same words. The cache is cleared when it is full.
 * Each list also counts as 100 entries, and each term as 4 per segment, for their overhead.
 */
const entriesMax = 2_000_000;
const entriesPerList = 100;
const entriesPerPart = 4;
/**
 * The list of a term that a segment does not contain. Terms that no segment contains are not cached, because their
 * number is unlimited.
 */
const noEntries = new Uint16Array(0);

/** Reads over a separate connection. Each call sees a single snapshot of the file. */
export function openPostings(db: DatabaseSync, prefix: string) {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  const given = sql(
    `SELECT (SELECT seq FROM sqlite_sequence WHERE name = '@chunks') AS chunk,
       (SELECT seq FROM sqlite_sequence WHERE name = '@segments') AS segment`,
  );
  const tail = sql('SELECT * FROM @tokens WHERE id >= ?');
  const segments = sql('SELECT * FROM @segments');
  const entries = sql(
    `SELECT parts.key AS part, p.term, p.entries FROM json_each(?2) terms CROSS JOIN json_each(?1) parts
     CROSS JOIN @postings p ON p.segment = parts.value AND p.term = terms.value`,
  );
  const sounding = sql('SELECT stem FROM @stems WHERE sound = ?');
  const beginning = sql(
    'SELECT stem FROM @stems WHERE stem >= ? AND stem < ? AND length(stem) BETWEEN ? AND ?',
  );

  /** State as of the last chunk and segment. */
  let held = { segment: -1, chunk: -1, first: -1, parts: [] as Part[] };
  const newest = new Map<string, Segment>();
  const lists = new Map<string, Uint16Array[]>();
  let listed = 0;

  function follow(): void {
    const { chunk, segment } = given.get() as { chunk: number | null; segment: number | null };
    const now = { chunk: chunk ?? 0, segment: segment ?? 0, first: stretchOf((chunk ?? 0) + 1) };
    if (now.segment === held.segment && now.chunk === held.chunk) return;
    if (now.first !== held.first || now.chunk < held.chunk) newest.clear();
    const from = newest.size > 0 ? held.chunk + 1 : now.first;
    addTo(newest, tail.iterate(from), now.first);
    const stored = segments
      .all()
      .map((row) => ({
        ...(row as unknown as Omit<Part, 'lengths' | 'lists'>),
        lengths: shorts(row.lengths as Uint8Array),
        lists: new Map(),
      }));
    const unlisted = [...newest.values()].map((one) => ({ ...one, segment: null }));
    held = { ...now, parts: [...stored, ...unlisted] };
    forget();
  }

  /** The segments of the partitions and, for each term, its entries in each segment. */
  function read(partitions: readonly number[], asked: Terms): { parts: Part[]; found: Uint16Array[][] } {
    follow();
    const parts = held.parts.filter(({ partition }) => partitions.includes(partition));
    const terms = [...asked.stems.map(stemId), ...asked.prefixes.map(prefixId)];
    const keyOf = (term: number) => `${term} ${partitions}`;
    if (listed > entriesMax) forget();
    const absent = parts.map(() => noEntries);
    const keep = (term: number, part: number, list: Uint16Array) => {
      const key = keyOf(term);
      let kept = lists.get(key);
      if (kept === undefined) {
        kept = [...absent];
        lists.set(key, kept);
        listed += parts.length * entriesPerPart;
      }
      kept[part] = list;
      listed += list.length + entriesPerList;
    };
    const unknown = terms.filter((term) => !lists.has(keyOf(term)));
    if (unknown.length > 0) {
      for (const [n, part] of parts.entries()) {
        if (part.lists.size === 0) continue;
        for (const term of unknown) {
          const list = part.lists.get(term);
          if (list !== undefined) keep(term, n, Uint16Array.from(list));
        }
      }
      const stored = parts.map(({ segment }) => segment);
      for (const row of entries.iterate(JSON.stringify(stored), JSON.stringify(unknown)))
        keep(Number(row.term), Number(row.part), shorts(row.entries as Uint8Array));
    }
    return { parts, found: terms.map((term) => lists.get(keyOf(term)) ?? absent) };
  }

  function forget(): void {
    lists.clear();
    listed = 0;
  }

  return {
    counts(partitions: readonly number[], asked: Terms): TermCounts[] {
      const { parts, found } = read(partitions, asked);
      return [...new Set(parts.map(({ lang }) => lang))].map((lang) => {
        const sum = (of: (part: Part, n: number) => number) =>
          parts.reduce((all, part, n) => all + (part.lang === lang ? of(part, n) : 0), 0);
        const df = found.map((list) => sum((_, n) => list[n]!.length));
        return {
          lang: lang as Language,
          chunks: sum(({ chunks }) => chunks),
          words: sum(({ words }) => words),
          titled: sum(({ titled }) => titled),
          stems: df.slice(0, asked.stems.length),
          prefixes: df.slice(asked.stems.length),
        };
      });
    },
    candidates(
      partitions: readonly number[],
      asked: Terms,
      limit: number,
      only: ReadonlySet<number> | null,
    ): number[] {
      const { parts, found } = read(partitions, asked);
      const chunks = parts.reduce((sum, part) => sum + part.chunks, 0);
      const perWord = (k1 * b * chunks) / (parts.reduce((sum, part) => sum + part.words, 0) || 1);
      const most = found.map((list, term) => {
        const df = list.reduce((sum, { length }) => sum + length, 0);
        return (term < asked.stems.length ? 1 : prefixWeight) * inverseFrequency(df, chunks);
      });
      const norms = new Float32Array(span);
      const scores = new Float32Array(span);
      const best = new Best(limit);
      for (const [n, { first, lengths }] of parts.entries()) {
        for (let at = 0; at < span; at++) norms[at] = k1 * (1 - b) + perWord * lengths[at]!;
        scores.fill(0);
        for (const [term, list] of found.entries()) add(scores, norms, list[n]!, most[term]!);
        for (let at = 0; at < span; at++)
          if (scores[at]! > best.least && (only === null || only.has(first + at)))
            best.add(first + at, scores[at]!);
      }
      return best.ids();
    },
    stemsSounding: (keys: readonly string[]) =>
      keys.flatMap((key) => sounding.all(key).map(({ stem }) => String(stem))),
    stemsBeginning: (letters: string, shortest: number, longest: number): string[] =>
      beginning.all(letters, `${letters}\u{10ffff}`, shortest, longest).map(({ stem }) => String(stem)),
  };
}

/** Adds a term's score to the chunks that contain it. */
function add(scores: Float32Array, norms: Float32Array, entries: Uint16Array, most: number): void {
  for (let n = 0; n < entries.length; n++) {
    const entry = entries[n]!;
    const at = entry & (inTitle - 1);
    const tf = (entry >>> countShift) + (entry & inTitle ? titleWeight : 0);
    scores[at]! += (most * tf) / (tf + norms[at]!);
  }
}

const shorts = (bytes: Uint8Array): Uint16Array =>
  bytes.byteOffset % 2 === 0
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2)
    : new Uint16Array(bytes.slice().buffer);

/** Collects the ids with the highest scores. */
class Best {
  /** Lower scores are rejected. */
  least = 0;
  #found: { id: number; score: number }[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(id: number, score: number): void {
    this.#found.push({ id, score });
    if (this.#found.length >= 2 * this.#limit) this.#cut();
  }

  #cut(): void {
    this.#found.sort((one, two) => two.score - one.score || one.id - two.id);
    this.#found.length = Math.min(this.#limit, this.#found.length);
    if (this.#found.length === this.#limit) this.least = this.#found.at(-1)?.score ?? 0;
  }

  /** Best first; among equal scores, older ids first. */
  ids(): number[] {
    this.#cut();
    return this.#found.map(({ id }) => id);
  }
}

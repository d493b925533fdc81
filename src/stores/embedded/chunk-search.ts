/**
 * Reads the tables of chunks.ts: vectors, passages, structural numbers, and the changes from which those who search
 * keep the words of all chunks. Candidates are found among these (src/retrieval/inverted-index.ts).
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { statedByField } from '../../domain/chunk-text.ts';
import type { Language } from '../../domain/events.ts';
import type {
  AnalysedWord,
  ChunkChanges,
  ChunkSearch,
  IndexedDocument,
  Passage,
  SearchScope,
} from '../../ports/chunk-search.ts';
import { factsOf, toTokens } from './chunks.ts';
import { snapshot } from './sqlite.ts';
import { type NearestVectors, openNearestVectors } from './vectors.ts';

/**
 * Search over a connection (a read-only one in a worker thread; each call is synchronous inside). Statements are
 * prepared once; the vectors' codes are held in memory.
 */
export function openChunkSearch(db: DatabaseSync, prefix: string): ChunkSearch {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  const visible = '@chunks c JOIN @documents d ON d.doc_id = c.doc_id AND d.revision = c.revision';
  const passage = `SELECT c.id, c.ordinal, c.chunk, c.text, r.facts FROM ${visible}
    JOIN @revisions r ON r.doc_id = c.doc_id AND r.revision = c.revision`;
  const findPartition = sql('SELECT partition FROM @partitions WHERE corpus_id = ? AND layer = ?');
  const lastChange = sql('SELECT max(changed) AS changed FROM @documents');
  const wordsAfter = sql('SELECT word, stem, second FROM @words WHERE id > ? ORDER BY id');
  const changedAfter = sql(
    `SELECT d.doc_id, d.revision, d.changed, s.corpus_id, s.layer, r.facts FROM @documents d
     JOIN @partitions s USING (partition) LEFT JOIN @revisions r ON r.doc_id = d.doc_id AND r.revision = d.revision
     WHERE d.changed > ? ORDER BY d.changed LIMIT ?`,
  );
  const tokensOf = sql(
    'SELECT id, lang, titled, tokens FROM @tokens WHERE doc_id = ? AND revision = ? ORDER BY ordinal',
  );
  const passageById = sql(`${passage} WHERE c.id = ?`);
  const byNumber = sql(
    `${passage} WHERE c.partition = ?1 AND c.number = ?2 AND (?3 IS NULL OR c.unit = ?3) ORDER BY c.doc_id, c.ordinal`,
  );
  const numbers = sql(
    `SELECT c.number, c.doc_id, c.ordinal FROM ${visible} WHERE c.partition = ? AND c.number NOT NULL AND c.unit = ?
     ORDER BY c.doc_id, c.ordinal`,
  );
  const locate = sql('SELECT doc_id, ordinal FROM @chunks WHERE id = ?');
  const around = sql(`${passage} WHERE c.doc_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal`);
  const listed = sql(`${passage} WHERE c.doc_id = ? ORDER BY c.ordinal LIMIT ? OFFSET ?`);
  const counted = sql(`SELECT count(*) AS n FROM ${visible} WHERE c.doc_id = ?`);
  /** Of all documents, or of those in a JSON list. */
  const ofDocuments = (docIds: readonly number[] | undefined) =>
    docIds === undefined ? 'TRUE' : 'c.doc_id IN (SELECT value FROM json_each(?2))';
  const coveredSql = (docIds?: readonly number[]) =>
    sql(
      `SELECT s.corpus_id, count(*) AS chunks, count(v.id) AS embedded FROM ${visible}
       JOIN @partitions s ON s.partition = c.partition LEFT JOIN @vectors v ON v.id = c.id AND v.embedder = ?1
       WHERE ${ofDocuments(docIds)} GROUP BY s.corpus_id ORDER BY s.corpus_id`,
    );
  const embeddedSql = (docIds?: readonly number[]) =>
    sql(
      `SELECT c.doc_id, count(*) AS embedded FROM ${visible} JOIN @vectors v ON v.id = c.id AND v.embedder = ?1
       WHERE ${ofDocuments(docIds)} GROUP BY c.doc_id`,
    );
  const counts = {
    covered: { all: coveredSql(), some: coveredSql([]) },
    embedded: { all: embeddedSql(), some: embeddedSql([]) },
  };
  const countedOf = ({ all, some }: typeof counts.covered, embedder: string, docIds?: readonly number[]) =>
    docIds === undefined ? all.all(embedder) : some.all(embedder, JSON.stringify(docIds));
  // From name to name by the index: of each embedder there are as many vectors as chunks.
  const embedders = sql(
    `WITH RECURSIVE names (embedder) AS (
       SELECT min(embedder) FROM @vectors
       UNION ALL SELECT (SELECT min(v.embedder) FROM @vectors v WHERE v.embedder > names.embedder)
       FROM names WHERE names.embedder NOT NULL)
     SELECT embedder FROM names WHERE embedder NOT NULL`,
  );
  const hasVector = sql('SELECT 1 FROM @vectors WHERE embedder = ? AND id = ?');
  const vectors = new Map<string, NearestVectors>();

  function partitionsOf({ corpus_id, layers }: SearchScope): number[] {
    return layers.flatMap((layer) => {
      const found = findPartition.get(corpus_id, layer);
      return found ? Number(found.partition) : [];
    });
  }

  function toPassage(row: Record<string, unknown>): Passage {
    return {
      id: Number(row.id),
      ordinal: Number(row.ordinal),
      facts: factsOf(row.facts),
      chunk: JSON.parse(String(row.chunk)),
      text: String(row.text),
    };
  }

  function indexed(row: Record<string, unknown>): IndexedDocument | null {
    if (row.revision === null) return null;
    const rows = tokensOf.all(Number(row.doc_id), Number(row.revision));
    const { title, event_date, metadata } = factsOf(row.facts);
    return {
      doc_id: Number(row.doc_id),
      corpus_id: String(row.corpus_id),
      layer: String(row.layer),
      title,
      event_date,
      stated: statedByField(metadata),
      chunks: rows.map((chunk) => ({
        id: Number(chunk.id),
        lang: chunk.lang as Language,
        titled: Number(chunk.titled),
        tokens: toTokens(chunk.tokens as Uint8Array),
      })),
    };
  }

  return {
    async changes(since, limit): Promise<ChunkChanges> {
      if (Number(lastChange.get()?.changed ?? 0) === since.stamp) {
        return { stamp: since.stamp, words: [], changed: [] };
      }
      return snapshot(db, () => {
        const rows = changedAfter.all(since.stamp, limit);
        return {
          stamp: Number(rows.at(-1)?.changed ?? since.stamp),
          words: wordsAfter.all(since.words).map(toWord),
          changed: rows.map((row) => ({ doc_id: Number(row.doc_id), document: indexed(row) })),
        };
      });
    },
    candidates: null,
    async nearest(scope, embedder, vector, limit) {
      const found = partitionsOf(scope).flatMap((partition) => {
        const key = `${partition} ${embedder}`;
        let held = vectors.get(key);
        if (!held) {
          held = openNearestVectors(db, prefix, partition, embedder);
          vectors.set(key, held);
        }
        return held.nearest(vector, limit);
      });
      return found.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit);
    },
    async embedders() {
      return embedders.all().map(({ embedder }) => String(embedder));
    },
    async passages(ids) {
      const found: Passage[] = [];
      for (const id of ids) {
        const row = passageById.get(id);
        if (row) found.push(toPassage(row));
      }
      return found;
    },
    async byNumber(scope, number, unit) {
      return partitionsOf(scope)
        .flatMap((partition) => byNumber.all(partition, number, unit).map(toPassage))
        .sort((a, b) => a.facts.doc_id - b.facts.doc_id || a.ordinal - b.ordinal);
    },
    async numbers(scope, unit) {
      const rows = partitionsOf(scope).flatMap((partition) => numbers.all(partition, unit));
      rows.sort((a, b) => Number(a.doc_id) - Number(b.doc_id) || Number(a.ordinal) - Number(b.ordinal));
      return [...new Set(rows.map((row) => String(row.number)))];
    },
    async neighbours(id, distance) {
      const at = locate.get(id);
      if (!at) return [];
      const ordinal = Number(at.ordinal);
      return around.all(Number(at.doc_id), ordinal - distance, ordinal + distance).map(toPassage);
    },
    async list(docId, limit, offset) {
      return snapshot(db, () => ({
        items: listed.all(docId, limit, offset).map(toPassage),
        total: Number(counted.get(docId)?.n ?? 0),
      }));
    },
    async coverage(embedder, docIds) {
      return countedOf(counts.covered, embedder, docIds).map((row) => ({
        corpus_id: String(row.corpus_id),
        chunks: Number(row.chunks),
        embedded: Number(row.embedded),
      }));
    },
    async embedded(ids, embedder) {
      return ids.filter((id) => hasVector.get(embedder, id) !== undefined);
    },
    async embeddedByDocument(embedder, docIds) {
      return countedOf(counts.embedded, embedder, docIds).map((row) => ({
        doc_id: Number(row.doc_id),
        embedded: Number(row.embedded),
      }));
    },
  };
}

function toWord(row: Record<string, unknown>): AnalysedWord {
  return {
    word: String(row.word),
    stem: String(row.stem),
    second: row.second === null ? null : String(row.second),
  };
}

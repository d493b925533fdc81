/**
 * Nearest-vector search in SQLite without an extension. One bit per dimension (its sign) is kept in memory; the chunks
 * with the fewest differing bits are read and compared exactly. 50,000 codes of 256 bits take 1.6 MB.
 */
import type { DatabaseSync } from 'node:sqlite';

export interface NearestVectors {
  /** Visible chunks by cosine similarity to a unit vector, best first. Vectors of a different length are skipped. */
  nearest(vector: Float32Array, limit: number): { id: number; similarity: number }[];
}

/** Minimum number of chunks that are compared exactly. */
const rescored = 200;

function writeCode(vector: Float32Array, codes: Uint32Array, at: number): void {
  for (let i = 0; i < vector.length; i++) {
    if (vector[i]! > 0) codes[at + (i >>> 5)]! |= 1 << (i & 31);
  }
}

const floats = (blob: Uint8Array): Float32Array =>
  blob.byteOffset % 4 === 0
    ? new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4)
    : new Float32Array(blob.slice().buffer);

/** The vectors of a partition and embedder. All codes are read on first use, and later only the new ones. */
export function openNearestVectors(
  db: DatabaseSync,
  prefix: string,
  partition: number,
  embedder: string,
): NearestVectors {
  const sql = (text: string) => db.prepare(text.replaceAll('@', prefix));
  const last = sql('SELECT max(seq) AS seq FROM @vectors WHERE embedder = ? AND partition = ?');
  const count = sql('SELECT count(*) AS n FROM @vectors WHERE embedder = ? AND partition = ?');
  const after = sql(
    'SELECT seq, id, vector FROM @vectors WHERE embedder = ? AND partition = ? AND seq > ? ORDER BY seq',
  );
  const one = sql(
    `SELECT v.vector FROM @vectors v JOIN @chunks c ON c.id = v.id
     JOIN @documents d ON d.doc_id = c.doc_id AND d.revision = c.revision WHERE v.embedder = ? AND v.id = ?`,
  );
  let seen = 0;
  let held = 0;
  let width = 0;
  let ids = new Float64Array(0);
  let codes = new Uint32Array(0);
  let distances = new Uint16Array(0);

  function refresh(words: number): void {
    const newest = Number(last.get(embedder, partition)?.seq ?? 0);
    if (newest === seen && words === width) return;
    const live = Number(count.get(embedder, partition)?.n ?? 0);
    // Codes of swept chunks remain until they make up half of all codes.
    if (words !== width || newest < seen || held > 2 * live + 1000) {
      seen = 0;
      held = 0;
      width = words;
    }
    const room = held + live;
    if (ids.length < room || codes.length < room * width) {
      const [oldIds, oldCodes] = [ids, codes];
      ids = new Float64Array(room);
      ids.set(oldIds.subarray(0, held));
      codes = new Uint32Array(room * width);
      codes.set(oldCodes.subarray(0, held * width));
      distances = new Uint16Array(room);
    }
    for (const row of after.iterate(embedder, partition, seen)) {
      const vector = floats(row.vector as Uint8Array);
      if (Math.ceil(vector.length / 32) !== width) continue;
      ids[held] = Number(row.id);
      codes.fill(0, held * width, (held + 1) * width);
      writeCode(vector, codes, held * width);
      held++;
    }
    seen = newest;
  }

  return {
    nearest(vector, limit) {
      const words = Math.ceil(vector.length / 32);
      refresh(words);
      const code = new Uint32Array(words);
      writeCode(vector, code, 0);
      const histogram = new Uint32Array(words * 32 + 1);
      for (let n = 0, at = 0; n < held; n++) {
        let distance = 0;
        for (let w = 0; w < words; w++, at++) distance += countBits(codes[at]! ^ code[w]!);
        distances[n] = distance;
        histogram[distance]!++;
      }
      // The smallest distance that includes enough codes.
      const enough = Math.max(rescored, 4 * limit);
      let bound = 0;
      for (let sum = histogram[0]!; sum < enough && bound < words * 32; sum += histogram[bound]!) bound++;
      const found: { id: number; similarity: number }[] = [];
      for (let n = 0, looked = 0; n < held && looked < 2 * enough; n++) {
        if (distances[n]! > bound) continue;
        looked++;
        const row = one.get(embedder, ids[n]!);
        if (!row) continue;
        const other = floats(row.vector as Uint8Array);
        if (other.length !== vector.length) continue;
        let similarity = 0;
        for (let i = 0; i < other.length; i++) similarity += other[i]! * vector[i]!;
        found.push({ id: ids[n]!, similarity });
      }
      return found.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit);
    },
  };
}

/** Number of set bits in a 32-bit integer. */
export function countBits(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

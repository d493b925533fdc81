/** Reading a file of many documents takes memory that does not grow with the file. */
import { describe, expect, it } from 'vitest';
import { kept } from '../support/memory.ts';

const recordsUrl = new URL('../../src/ingest/records.ts', import.meta.url);
const streamMb = 64;
/** Many times the size of a record and the current pieces, and a fraction of the stream. */
const heldMbMax = 24;

/**
 * The number of records in a stream of `streamMb`, and the most memory in use above that of the first record, measured
 * at each tenth of them. `line`: the text of a record by its number, as the source of a function.
 */
async function readWhole(reader: string, head: string, line: string): Promise<[number, number, number]> {
  const program = `
    const line = ${line};
    const lineBytes = Buffer.byteLength(line(1_000_000));
    const count = Math.floor(${streamMb} * 2 ** 20 / lineBytes);
    async function* pieces() {
      let piece = ${JSON.stringify(head)};
      for (let n = 0; n < count; n++) {
        piece += line(1_000_000 + n);
        if (piece.length < 200_000) continue;
        yield Buffer.from(piece);
        piece = '';
      }
      yield Buffer.from(piece);
    }
    const held = () => mb('heapUsed') + process.memoryUsage().external / 2 ** 20;
    let [found, most, before] = [0, 0, 0];
    for await (const entry of ${reader}(pieces())) {
      if (!('record' in entry)) throw new Error(entry.fault);
      if (found++ === 0) before = held();
      if (found % Math.ceil(count / 10) === 0) most = Math.max(most, held() - before);
    }
    print(count, found, most);`;
  return (await kept({ [reader]: recordsUrl }, program)) as [number, number, number];
}

const text = 'The ferry leaves the harbour every hour from dawn to dusk, and once more at midnight. '.repeat(
  50,
);

describe('a stream of many documents is kept in memory one record at a time', () => {
  it.each([
    ['readLines', '', `(n) => JSON.stringify({ id: String(n), text: n + ${JSON.stringify(text)} }) + '\\n'`],
    ['readDocuments', 'id,text\n', `(n) => n + ',"' + n + ${JSON.stringify(text)} + '"\\n'`],
  ])('for %s', async (reader, head, line) => {
    const [count, found, most] = await readWhole(reader, head, line);
    expect(found).toBe(count);
    expect(count).toBeGreaterThan(10_000);
    expect(most).toBeLessThan(heldMbMax);
  });
});

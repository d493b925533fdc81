import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventLeaf } from '../../src/history/event-leaf.ts';

/** The leaf as specified, without shortcuts. */
function described(fields: readonly string[], parts: readonly Uint8Array[]): Buffer {
  const sha = (...pieces: Uint8Array[]) => {
    const hash = createHash('sha256');
    for (const piece of pieces) hash.update(piece);
    return hash.digest();
  };
  const all = [...fields.map((field) => Buffer.from(field)), ...parts.map((part) => sha(part))];
  const lengths = all.map((one) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(one.length);
    return length;
  });
  return sha(Buffer.of(0), ...all.flatMap((one, i) => [lengths[i]!, one]));
}

it('the leaf of an event follows the specification, regardless of its fields', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 }).map((one) => Buffer.from(one).toString('utf8'));
  const bytes = fc.uint8Array({ maxLength: 50 });
  fc.assert(
    fc.property(text, text, fc.nat(), text, bytes, bytes, (id, stream, revision, type, data, metadata) => {
      const leaf = eventLeaf({ id, stream, revision, type, data, metadata });
      const fields = [id, stream, String(revision), type, 'application/json'];
      expect(leaf).toEqual(described(fields, [data, metadata]));
    }),
  );
  const long = {
    id: 'i'.repeat(9000),
    stream: 's',
    revision: 0,
    type: 't',
    data: Buffer.of(),
    metadata: Buffer.of(),
  };
  expect(eventLeaf(long)).toEqual(
    described([long.id, 's', '0', 't', 'application/json'], [long.data, long.metadata]),
  );
});

/**
 * The Merkle leaf of a stored event. It excludes the event's position and the time at which the log stored it, because
 * these differ in a copy. The event's own time is in its metadata.
 */
import type { StoredEvent } from '../ports/event-log.ts';
import { type Hash, leafPrefix, sha256, sha256Latin1 } from './merkle.ts';

type LeafFields = Pick<StoredEvent, 'id' | 'stream' | 'revision' | 'type' | 'data' | 'metadata'>;

/** Every event is stored as canonical JSON. */
const contentType = 'application/json';

/**
 * The leaf of an event: SHA-256 over a zero byte followed by id, stream, revision (decimal), type, content type,
 * SHA-256 of the data bytes and SHA-256 of the metadata bytes, each prefixed by its length (32 bits, big-endian).
 */
export function eventLeaf({ id, stream, revision, type, data, metadata }: LeafFields): Hash {
  let head = '';
  for (const field of [id, stream, String(revision), type, contentType]) head += prefixed(field);
  const most = 1 + head.length + 2 * 36;
  const bytes = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  bytes[0] = leafPrefix;
  let at = 1 + bytes.write(head, 1, 'latin1');
  for (const part of [data, metadata]) {
    at = bytes.writeUInt32BE(32, at);
    at += bytes.write(sha256Latin1(part), at, 'latin1');
  }
  return sha256(bytes.subarray(0, at));
}

/**
 * The UTF-8 bytes of a field with its length prefix, as one character per byte, because writing all fields at once is
 * faster.
 */
function prefixed(field: string): string {
  const bytes = Buffer.byteLength(field);
  const binary = bytes === field.length ? field : Buffer.from(field).toString('latin1');
  return `${String.fromCharCode(bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255)}${binary}`;
}

/** A reused buffer that is large enough for most leaves. It is hashed immediately after it is filled. */
const scratch = Buffer.alloc(4096);

/**
 * Identifiers. UUIDv7 (RFC 9562 §5.7) increases with time, so that later ids sort later. UUIDv8 (§5.8) is derived from
 * external identifiers, so that the same object always gets the same id.
 */
import { createHash, randomFillSync } from 'node:crypto';

const pool = new Uint8Array(16 * 256);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/** Returns a new UUIDv7. Ids also increase within the same millisecond and process (12-bit counter in rand_a). */
export function uuidv7(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 8);
  used += 8;
  const time = lastMs.toString(16).padStart(12, '0');
  let tail = '';
  for (const [i, byte] of random.entries())
    tail += (i === 0 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/**
 * The UUIDv8 derived from the SHA-256 of the parts. Splitting the same text into different parts gives a different id.
 */
export function uuidv8(...parts: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The request ids of a delivery that may be repeated: one for today, and one for yesterday, under which the first
 * delivery may have been recorded. `scope` is the sender, `door` the entry point, and `key` the sender's own
 * identifier.
 */
export function deliveryIds(
  scope: string,
  door: string,
  key: string,
  now: Date,
): { today: string; yesterday: string } {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return {
    today: uuidv8(scope, door, key, day(now.getTime())),
    yesterday: uuidv8(scope, door, key, day(now.getTime() - 86_400_000)),
  };
}

/** Identifiers: UUIDv7 (RFC 9562 §5.7), rising with time, so that what happens later sorts later. */
import { randomFillSync } from 'node:crypto';

const pool = new Uint8Array(16 * 256);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/** A new UUIDv7; rises also within one millisecond of one process (12-bit counter in rand_a). */
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

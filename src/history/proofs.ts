/**
 * Proofs that can be verified without the history: that an event is in it (c2sp.org/tlog-proof@v1, with the event as
 * its `extra`), and that the history covered by one checkpoint is a prefix of the one covered by another.
 */

import { type HistorySource, storedPages } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import type { StoredEvent } from '../ports/event-log.ts';
import { readCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { eventLeaf } from './event-leaf.ts';
import { fromLine, toLine } from './export-file.ts';
import { consistencyProof, type Hash, includes, inclusionProof, isConsistent } from './merkle.ts';
import { sealingEvent } from './sealing-events.ts';
import { isSignedBy, type VerifyingKey } from './signed-note.ts';

const inclusionHeader = 'c2sp.org/tlog-proof@v1';
const consistencyHeader = 'docent consistency proof v1';

interface SealedLeaves {
  /** The leaves of all events, including those after the last checkpoint. */
  leaves: Hash[];
  checkpoint: string;
  size: number;
}

/** Fails with `not_found` if the history has no checkpoint. */
async function sealedLeaves(
  log: HistorySource,
  each: (event: StoredEvent, index: number) => void = () => {},
): Promise<SealedLeaves> {
  const leaves: Hash[] = [];
  let last: { checkpoint: string; size: number } | null = null;
  for await (const page of storedPages(log)) {
    for (const event of page) {
      each(event, leaves.length);
      leaves.push(eventLeaf(event));
      const sealing = sealingEvent(event);
      const checkpoint = sealing?.type === 'HistorySealed' ? sealing.data.checkpoint : null;
      const read = checkpoint === null ? null : readCheckpoint(checkpoint);
      if (read !== null && read.size < leaves.length) last = { checkpoint: checkpoint!, size: read.size };
    }
  }
  if (last === null)
    throw new Failure(
      'not_found',
      'This history has no checkpoint to prove against: seal it first, with a key in DOCENT_SEAL_KEY.',
    );
  return { leaves, ...last };
}

const base64Lines = (hashes: readonly Hash[]) => hashes.map((one) => `${one.toString('base64')}\n`).join('');

/** Proves that an event is in the history, against its last checkpoint. May fail with `not_found`. */
export async function proveEvent(log: HistorySource, eventId: string): Promise<string> {
  let found: { event: StoredEvent; index: number } | null = null;
  const { leaves, checkpoint, size } = await sealedLeaves(log, (event, index) => {
    if (event.id === eventId) found ??= { event, index };
  });
  if (found === null) throw new Failure('not_found', `There is no event ${eventId}.`);
  const { event, index } = found as { event: StoredEvent; index: number };
  if (index >= size)
    throw new Failure('not_found', `Event ${eventId} is not sealed yet: the last checkpoint is older.`);
  const extra = Buffer.from(toLine(event)).toString('base64');
  return `${inclusionHeader}\nextra ${extra}\nindex ${index}\n${base64Lines(inclusionProof(leaves, index, size))}\n${checkpoint}`;
}

/**
 * Proves that the history covered by an earlier checkpoint is a prefix of the one covered by the last checkpoint. May
 * fail with `not_found` or `invalid`.
 */
export async function proveConsistency(log: HistorySource, earlier: string): Promise<string> {
  const first = readCheckpoint(earlier);
  if (first === null) throw new Failure('invalid', 'This is not a checkpoint.');
  const { leaves, checkpoint, size } = await sealedLeaves(log);
  if (first.size > size)
    throw new Failure(
      'not_found',
      `The last checkpoint covers ${size} events, but the given one covers ${first.size}.`,
    );
  return `${consistencyHeader}\n${base64Lines(consistencyProof(leaves, first.size, size))}\n${earlier}\n${checkpoint}`;
}

export type ProofReport =
  | { holds: true; of: 'event'; event: StoredEvent; index: number; size: number }
  | { holds: true; of: 'consistency'; from: number; to: number }
  | { holds: false; why: string };

const wrong = (why: string): ProofReport => ({ holds: false, why });

/** Verifies a proof against trusted keys, without access to the history. */
export function checkProof(proof: string, trusted: readonly VerifyingKey[]): ProofReport {
  const isTrusted = ({ note }: SignedCheckpoint) => trusted.some((key) => isSignedBy(note, key));
  const [head, ...rest] = splitBlocks(proof);
  const lines = head!.split('\n');
  if (lines[0] === inclusionHeader) return checkInclusion(lines.slice(1), rest.join('\n\n'), isTrusted);
  if (lines[0] === consistencyHeader) return checkConsistency(lines.slice(1), rest, isTrusted);
  return wrong('This is not a proof.');
}

/** Splits a text at empty lines. */
const splitBlocks = (text: string): string[] => text.split('\n\n');

/** Null if a line is not a hash. */
function hashes(lines: readonly string[]): Hash[] | null {
  const read = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
  return read.every((one) => one.length === 32) ? read : null;
}

function checkInclusion(
  [extra, indexLine, ...path]: readonly string[],
  note: string,
  isTrusted: (checkpoint: SignedCheckpoint) => boolean,
): ProofReport {
  const event = extra?.startsWith('extra ') ? fromLine(Buffer.from(extra.slice(6), 'base64')) : null;
  const index = /^index (0|[1-9]\d{0,14})$/.exec(indexLine ?? '')?.[1];
  const proof = hashes(path);
  const checkpoint = readCheckpoint(note);
  if (event === null || index === undefined || proof === null || checkpoint === null)
    return wrong('This is not a readable proof of an event.');
  if (!isTrusted(checkpoint)) return wrong('Its checkpoint is not signed by a trusted key.');
  if (!includes(checkpoint, Number(index), eventLeaf(event), proof))
    return wrong('The event differs from the sealed one.');
  return { holds: true, of: 'event', event, index: Number(index), size: checkpoint.size };
}

function checkConsistency(
  path: readonly string[],
  blocks: readonly string[],
  isTrusted: (checkpoint: SignedCheckpoint) => boolean,
): ProofReport {
  const proof = hashes(path);
  // Each checkpoint has two blocks: its text and its signatures.
  const first = readCheckpoint(`${blocks.slice(0, 2).join('\n\n')}\n`);
  const second = readCheckpoint(blocks.slice(2).join('\n\n'));
  if (proof === null || first === null || second === null)
    return wrong('This is not a readable proof of consistency.');
  if (!isTrusted(first) || !isTrusted(second))
    return wrong('One of its checkpoints is not signed by a trusted key.');
  if (!isConsistent(first, second, proof))
    return wrong('The later history does not begin with the earlier one.');
  return { holds: true, of: 'consistency', from: first.size, to: second.size };
}

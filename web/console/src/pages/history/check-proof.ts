/** A proof, checked step by step: each step with what was computed and whether it holds. */
import { type Bytes, climb, type EventBytes, eventLeaf, isSame, roots, type Step } from './merkle.ts';
import { bytesOf, type Checkpoint, isSignedBy, type PublicKey, readCheckpoint } from './signed-checkpoint.ts';

export type Checked =
  | {
      of: 'event';
      event: EventBytes;
      index: number;
      leaf: Bytes;
      steps: Step[];
      checkpoint: Checkpoint;
      meetsRoot: boolean;
      /** null: no key was given. */
      signed: boolean | null;
    }
  | {
      of: 'consistency';
      from: Checkpoint;
      to: Checkpoint;
      meetsFirst: boolean;
      meetsSecond: boolean;
      signed: boolean | null;
    };

const inclusion = 'c2sp.org/tlog-proof@v1';
const consistency = 'docent consistency proof v1';

/** null: not a proof. */
export async function checkProof(text: string, key: PublicKey | null): Promise<Checked | null> {
  const proof = `${text.trim()}\n`;
  const [head = '', ...blocks] = proof.split('\n\n');
  const [kind, ...lines] = head.split('\n');
  if (kind === inclusion) return checkInclusion(lines, blocks.join('\n\n'), key);
  if (kind === consistency) return checkConsistency(lines, blocks, key);
  return null;
}

function hashesOf(lines: readonly string[]): Bytes[] | null {
  const hashes = lines.filter((line) => line !== '').map(bytesOf);
  return hashes.every((hash) => hash?.length === 32) ? (hashes as Bytes[]) : null;
}

async function checkInclusion(
  [extra = '', at = '', ...path]: readonly string[],
  note: string,
  key: PublicKey | null,
): Promise<Checked | null> {
  const line = bytesOf(extra.replace(/^extra /, ''));
  const event = line && eventOf(line);
  const index = Number(/^index (\d{1,15})$/.exec(at)?.[1] ?? Number.NaN);
  const hashes = hashesOf(path);
  const checkpoint = readCheckpoint(note);
  if (!event || Number.isNaN(index) || hashes === null || checkpoint === null) return null;
  const leaf = await eventLeaf(event);
  const steps = await climb(leaf, index, checkpoint.size, hashes);
  if (steps === null) return null;
  return {
    of: 'event',
    event,
    index,
    leaf,
    steps,
    checkpoint,
    meetsRoot: isSame(steps.at(-1)?.hash ?? leaf, checkpoint.root),
    signed: key && (await isSignedBy(checkpoint, key)),
  };
}

async function checkConsistency(
  path: readonly string[],
  blocks: readonly string[],
  key: PublicKey | null,
): Promise<Checked | null> {
  const hashes = hashesOf(path);
  // Each checkpoint has two blocks: its text, and its signatures.
  const from = readCheckpoint(`${blocks.slice(0, 2).join('\n\n')}\n`);
  const to = readCheckpoint(blocks.slice(2).join('\n\n'));
  if (hashes === null || from === null || to === null) return null;
  const reached = await roots(from, to.size, hashes);
  if (reached === null) return null;
  return {
    of: 'consistency',
    from,
    to,
    meetsFirst: isSame(reached.first, from.root),
    meetsSecond: isSame(reached.second, to.root),
    signed: key && (await isSignedBy(from, key)) && (await isSignedBy(to, key)),
  };
}

/** The event in an export line: its data and metadata are kept byte for byte, preceded by their lengths. */
function eventOf(line: Bytes): EventBytes | null {
  try {
    const { id, stream, revision, type, metadata_bytes, data_bytes } = JSON.parse(
      new TextDecoder().decode(line),
    );
    // …,"metadata":<bytes>,"data":<bytes>}
    const end = line.lastIndexOf('}'.charCodeAt(0));
    const dataAt = end - data_bytes;
    const metadataAt = dataAt - ',"data":'.length - metadata_bytes;
    return {
      id,
      stream,
      revision,
      type,
      data: line.slice(dataAt, end),
      metadata: line.slice(metadataAt, metadataAt + metadata_bytes),
    };
  } catch {
    return null;
  }
}

/** Places footnotes and endnotes after the text that refers to them. */
import type { Block } from './blocks.ts';

type Note = Extract<Block, { kind: 'note' }>;

/**
 * Places each note after the block that refers to it by its mark ("[1]"): the first such block between the previous
 * note with the same mark and the note itself. This also works if marks restart on each page or in each chapter. An
 * unreferenced note stays in place.
 */
export function placeNotes(blocks: readonly Block[]): Block[] {
  if (!blocks.some(({ kind }) => kind === 'note')) return [...blocks];
  const referring = references(blocks);
  const placed = new Map<number, Note[]>();
  const moved = new Set<Block>();
  /** The last note with each mark. */
  const before = new Map<string, number>();
  for (const [n, block] of blocks.entries()) {
    if (block.kind !== 'note') continue;
    const from = before.get(block.mark) ?? -1;
    before.set(block.mark, n);
    const owner = referring.get(block.mark)?.find((at) => at > from && at < n);
    if (owner === undefined) continue;
    moved.add(block);
    placed.set(owner, [...(placed.get(owner) ?? []), block]);
  }
  return blocks.flatMap((block, n) => (moved.has(block) ? [] : [block, ...(placed.get(n) ?? [])]));
}

/** Blocks keyed by the bracketed marks in them, in order. */
function references(blocks: readonly Block[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [n, block] of blocks.entries())
    for (const text of textsOf(block))
      for (const [, mark] of text.matchAll(/\[([^[\]\s]{1,40})\]/g)) {
        const at = found.get(mark!) ?? [];
        if (at.at(-1) !== n) at.push(n);
        found.set(mark!, at);
      }
  return found;
}

function textsOf(block: Block): string[] {
  if (block.kind === 'table') return block.rows.flatMap((row) => row.map(({ text }) => text));
  if (block.kind === 'pair') return block.answer.flatMap(textsOf);
  return block.kind === 'note' || block.kind === 'code' || block.kind === 'end' ? [] : [block.text];
}

/** Footnotes and endnotes, placed behind the text that refers to them. */
import type { Block } from './blocks.ts';

type Note = Extract<Block, { kind: 'note' }>;

/**
 * Each note behind the first block before it that has its mark ("[1]"), looked for from the note before it with the same
 * mark on: where marks begin anew on each page or in each chapter, every note has its own. A note that nothing refers to
 * stays where it is.
 */
export function placeNotes(blocks: readonly Block[]): Block[] {
  if (!blocks.some(({ kind }) => kind === 'note')) return [...blocks];
  const placed = new Map<Block, Note[]>();
  const gone = new Set<Block>();
  /** By mark: where the search for the next note of it begins. */
  const from = new Map<string, number>();
  for (const [n, block] of blocks.entries()) {
    if (block.kind !== 'note') continue;
    const start = from.get(block.mark) ?? 0;
    from.set(block.mark, n + 1);
    const owner = blocks.slice(start, n).find((other) => refersTo(other, block.mark));
    if (!owner) continue;
    gone.add(block);
    placed.set(owner, [...(placed.get(owner) ?? []), block]);
  }
  return blocks.flatMap((block) => (gone.has(block) ? [] : [block, ...(placed.get(block) ?? [])]));
}

function refersTo(block: Block, mark: string): boolean {
  const sign = `[${mark}]`;
  if (block.kind === 'table') return block.rows.some((row) => row.some(({ text }) => text.includes(sign)));
  if (block.kind === 'pair') return block.answer.some((one) => refersTo(one, mark));
  return block.kind !== 'note' && block.kind !== 'code' && 'text' in block && block.text.includes(sign);
}

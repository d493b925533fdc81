/**
 * Entities of a chunk by rules: pure, in time that grows with the text and no faster, at most `mentionsMax` a chunk.
 */
import { parsePeriods } from '../text/periods.ts';
import { parseReferences, type Reference } from '../text/references/parse.ts';
import { stemIn, words } from '../text/words.ts';
import type { ChunkEntities, ChunkToRead, Mention } from './mentions.ts';

/** The most mentions of one chunk; what follows is left out. */
export const mentionsMax = 1000;

const numberOf = ({ chain }: Pick<Reference, 'chain'>) =>
  chain.map(({ unit, number }) => `${unit} ${number}`).join(', ');

/** The provisions a text refers to. */
function provisions(text: string): Mention[] {
  return parseReferences(text, mentionsMax).map(({ chain, start, end }) => ({
    kind: 'provision',
    surface: text.slice(start, end),
    name: numberOf({ chain }),
    key: `provision:${numberOf({ chain })}`,
    start,
    end,
    sure: true,
    rank: 1,
    provision: { chain, act: null },
  }));
}

/** The days, months and years a text names. */
function dates(text: string): Mention[] {
  return parsePeriods(text).map(({ from, to, start, end }) => {
    const name = from === to ? from! : `${from ?? ''}/${to ?? ''}`;
    return {
      kind: 'date',
      surface: text.slice(start, end),
      name,
      key: `date:${name}`,
      start,
      end,
      sure: true,
      rank: 1,
      provision: null,
    };
  });
}

const capitalised = /\p{Lu}[\p{L}\d]*(?:[- ]\p{Lu}[\p{L}\d]*){0,7}/gu;

/** Runs of capitalised words. */
function names({ text, lang }: ChunkToRead): Mention[] {
  return [...text.matchAll(capitalised)].map(({ 0: surface, index: start }) => ({
    kind: 'organisation',
    surface,
    name: surface,
    key: `name:${words(surface)
      .map((word) => stemIn(word, lang))
      .join(' ')}`,
    start,
    end: start + surface.length,
    sure: start > 0 && !/[.!?…\n]\s*$/u.test(text.slice(Math.max(0, start - 8), start)),
    rank: 1,
    provision: null,
  }));
}

/** The entities of a chunk and what it says of how they relate. */
export function extractEntities(chunk: ChunkToRead): ChunkEntities {
  const taken: Mention[] = [...provisions(chunk.text), ...dates(chunk.text)];
  const free = names(chunk).filter(
    ({ start, end }) => !taken.some((one) => one.start < end && start < one.end),
  );
  const mentions = [...taken, ...free].sort((a, b) => a.start - b.start || a.end - b.end);
  return { mentions: mentions.slice(0, mentionsMax), statements: [] };
}

/** Key phrases: a word and the one behind it that it describes, counted here and weighed where the chunks come together. */
import { endings } from '../text/languages/index.ts';
import type { Token } from './tokens.ts';

export interface Topic {
  from: number;
  /** It stands here more than once. */
  sure: boolean;
  key: string;
}

const topicsMax = 12;
const shortest = 4;
const endsFinite = endings('morphology.finite', 2);
const endsReflexive = endings('morphology.reflexive', 3);

/** The phrases of two words, those said more than once first. */
export function topicsIn(tokens: readonly Token[], free: (token: Token) => boolean): Topic[] {
  const found = new Map<string, { from: number; count: number }>();
  const may = (at: number) => {
    const token = tokens[at];
    if (token?.kind !== 'word' || token.capital || token.low.length < shortest || !free(token)) return false;
    const { facts } = token;
    const isVerb = endsFinite(token.low) || endsReflexive(token.low);
    return !facts.isStop && !facts.isVague && !isVerb && !facts.isCount;
  };
  for (let at = 0; at + 1 < tokens.length; at++) {
    if (!may(at) || !may(at + 1) || !tokens[at + 1]!.adjacent) continue;
    const [first, second] = [tokens[at]!.facts, tokens[at + 1]!.facts];
    if (second.isAdjective) continue;
    const key = `topic:${first.stem} ${second.stem}`;
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { from: at, count: 1 });
  }
  return [...found]
    .map(([key, { from, count }]) => ({ key, from, sure: count > 1 }))
    .sort((a, b) => Number(b.sure) - Number(a.sure) || a.from - b.from)
    .slice(0, topicsMax);
}

/** What a language model found named in a chunk, put among what the rules found by the same rules. */
import type { NamedSpan } from '../domain/events.ts';
import type { Language } from '../text/languages/index.ts';
import { nameKey, namePrefix } from './extract.ts';
import type { ChunkEntities, Mention } from './mentions.ts';
import { tokensOf } from './tokens.ts';

/** Mentions as extraction makes them, by their beginnings; without those that hold no word. */
export function givenMentions(names: readonly NamedSpan[], lang: Language): Mention[] {
  const mentions = names.map(({ kind, text, start, end }): Mention => {
    const surface = text.replace(/\s+/g, ' ');
    const key = nameKey(tokensOf(surface, lang), kind === 'person');
    const plain = { sure: true, kindKnown: true, rank: 0, provision: null } as const;
    return { ...plain, kind, surface, name: surface, key, start, end };
  });
  return mentions
    .filter(({ key }) => key !== namePrefix)
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.key < b.key ? -1 : 1));
}

/** What rules alone tell: numbers and their kinds. */
const byRules: ReadonlySet<Mention['kind']> = new Set(['provision', 'date', 'amount']);

/**
 * The rules' mentions with the given ones. A place that both name keeps its key and has the given kind; where they
 * overlap otherwise the given one counts, but never in the place of a provision, a date or an amount.
 */
export function withGiven({ mentions, statements }: ChunkEntities, given: readonly Mention[]): ChunkEntities {
  const overlaps = (a: Mention, b: Mention) => a.start < b.end && b.start < a.end;
  const added: Mention[] = [];
  for (const one of given) {
    if (added.some((other) => overlaps(one, other))) continue;
    const there = mentions.filter((other) => overlaps(one, other));
    if (there.some(({ kind }) => byRules.has(kind))) continue;
    const same = there.find(
      ({ start, end, kind }) => start === one.start && end === one.end && kind !== 'topic',
    );
    added.push(same ? { ...same, kind: one.kind, sure: true, kindKnown: true } : one);
  }
  const kept = mentions.filter((one) => !added.some((other) => overlaps(one, other)));
  const all = [...kept, ...added].sort(
    (a, b) => a.start - b.start || a.end - b.end || (a.key < b.key ? -1 : 1),
  );
  /** Where a mention of the rules is now, or what has taken its place. */
  const indexOfMention = (n: number): number => {
    const one = mentions[n]!;
    const at = all.indexOf(one);
    return at >= 0 ? at : all.findIndex((other) => overlaps(one, other));
  };
  return {
    mentions: all.map((one) =>
      one.provision === null || one.provision.act === null
        ? one
        : { ...one, provision: { ...one.provision, act: indexOfMention(one.provision.act) } },
    ),
    statements: statements
      .map((one) => ({
        ...one,
        from: indexOfMention(one.from),
        to: one.to === null ? null : indexOfMention(one.to),
      }))
      .filter(({ from, to }) => from !== to),
  };
}

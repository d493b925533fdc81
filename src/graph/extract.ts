/**
 * Entities of a chunk by rules: pure, in time that grows with the text and no faster, at most `mentionsMax` a chunk.
 * What is read first keeps its words: provisions, quoted titles, names, dates, amounts, topics. Mentions overlap only
 * where one expression refers to several provisions.
 */
import { formsOf, joined, wordsOfAll } from '../text/languages/index.ts';
import { foldLetters } from '../text/words.ts';
import type { ChunkEntities, ChunkToRead, Mention, Statement } from './mentions.ts';
import { namesIn } from './names.ts';
import { referencesIn } from './provisions.ts';
import { amountsIn, datesIn, type Quantity } from './quantities.ts';
import { termsIn } from './terms.ts';
import { titlesIn } from './titles.ts';
import { type Token, tokensOf } from './tokens.ts';
import { topicsIn } from './topics.ts';

/** The most mentions of one chunk, and the longest text that is read; what follows is left out. */
export const mentionsMax = 500;
const textMax = 50_000;

/** A mention before its surface is cut from the text. */
type UnplacedMention = Omit<Mention, 'surface' | 'provision'> & { provision?: Mention['provision'] };

/** Which letters of a text belong to a mention already. */
class Taken {
  private readonly units: Uint8Array;
  constructor(length: number) {
    this.units = new Uint8Array(length);
  }
  take({ start, end }: { start: number; end: number }): void {
    this.units.fill(1, start, end);
  }
  readonly has = ({ start, end }: { start: number; end: number }): boolean => {
    for (let at = start; at < end; at++) if (this.units[at] === 1) return true;
    return false;
  };
}

/** The entities of a chunk and what it says of how they relate. */
export function extractEntities(given: ChunkToRead): ChunkEntities {
  const chunk = given.text.length > textMax ? { ...given, text: given.text.slice(0, textMax) } : given;
  const { text, lang } = chunk;
  const tokens = tokensOf(text, lang);
  const taken = new Taken(text.length);
  // What the text begins with where it is its own heading is a title: its capital letters and its number name nothing.
  if (chunk.heading !== '' && text.startsWith(chunk.heading))
    taken.take({ start: 0, end: chunk.heading.length });
  const drafts: UnplacedMention[] = [];
  const add = (draft: UnplacedMention) => {
    if (drafts.length >= mentionsMax) return;
    drafts.push(draft);
    taken.take(draft);
  };

  for (const { chain, start, end } of referencesIn(chunk, mentionsMax)) {
    if (chunk.heading !== '' && start < chunk.heading.length && text.startsWith(chunk.heading)) continue;
    const number = chain.map((one) => `${one.unit} ${one.number}`).join(', ');
    add({
      ...plain,
      kind: 'provision',
      name: number,
      key: `provision:${number}`,
      start,
      end,
      provision: { chain, act: null },
    });
  }
  const free = (token: Token) => !taken.has(token);
  for (const { kind, from, to, named } of titlesIn(tokens, lang)) {
    const span = { start: tokens[from]!.start, end: tokens[to - 1]!.end };
    if (taken.has(span)) continue;
    add({
      ...plain,
      kind,
      name: text.slice(span.start, span.end),
      key: nameKey(tokens.slice(...named)),
      ...span,
    });
  }
  const addQuantities = (found: readonly Quantity[]) => {
    for (const { kind, value, start, end } of found)
      if (!taken.has({ start, end }))
        add({ ...plain, kind, name: value, key: `${kind}:${value}`, start, end });
  };
  addQuantities(amountsIn(tokens, lang));
  const terms = termsIn(text);
  for (const term of terms) {
    if (taken.has(term)) continue;
    const words = tokens.filter((token) => token.start >= term.start && token.end <= term.end);
    const key = nameKey(words);
    if (key !== namePrefix)
      add({ ...plain, kind: 'term', name: oneLine(text, term), key, start: term.start, end: term.end });
  }
  for (const { kind, from, to, sure, kindKnown, rank, bare, opening } of namesIn(tokens, lang, free)) {
    const span = { start: tokens[from]!.start, end: tokens[to - 1]!.end };
    const key = nameKey(tokens.slice(from, to), bare);
    const surface = oneLine(text, span);
    const form =
      opening === null ? { name: surface, rank } : { name: opened(surface, opening), rank: 1 as const };
    if (key !== namePrefix) add({ kind, ...form, key, ...span, sure, kindKnown });
  }
  addQuantities(datesIn(text, tokens));
  for (const { from, sure, key } of topicsIn(tokens, free)) {
    const span = { start: tokens[from]!.start, end: tokens[from + 1]!.end };
    if (!taken.has(span)) add({ ...plain, kind: 'topic', name: oneLine(text, span), key, ...span, sure });
  }

  const mentions: Mention[] = drafts
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.key < b.key ? -1 : 1))
    .map((draft) => ({ provision: null, ...draft, surface: oneLine(text, draft) }));
  const named = withActs(mentions, text);
  return {
    mentions: named,
    statements: statementsOf(text, named, terms),
  };
}

const joinsAct = new Set([
  ...wordsOfAll('acts.links'),
  ...wordsOfAll('grammar.articles'),
  ...formsOf(joined('acts.general')),
]);
const plain = { sure: true, kindKnown: true, rank: 1 } as const;
/** What the keys of names begin with. */
export const namePrefix = 'name:';
const oneLine = (text: string, { start, end }: { start: number; end: number }): string =>
  text.slice(start, end).replace(/\s+/g, ' ');

/** A name with another first word, with capital letters where the one that stands there has them. */
function opened(surface: string, word: string): string {
  const [first = ''] = surface.split(' ', 1);
  const given = first.split('-');
  const written = word.split('-').map((part, n) => {
    const like = given[n] ?? '';
    if (like.charAt(0) === like.charAt(0).toLowerCase()) return part;
    const isShouted = like.length > 1 && like === like.toUpperCase();
    return isShouted ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1);
  });
  return written.join('-') + surface.slice(first.length);
}

/**
 * The key of a name: the stems of its words, function words apart; a state that is not named ("Президент Республики")
 * tells nothing, initials stand behind the family name.
 */
export function nameKey(tokens: readonly Token[], bare = false): string {
  const stems: string[] = [];
  const initials: string[] = [];
  const list = tokens.filter(({ kind: of }) => of !== 'sign');
  for (const [n, token] of list.entries()) {
    const facts = token.kind === 'word' ? token.facts : null;
    const initial = bare && token.text.length === 1;
    if (facts?.isStop && !initial && !token.shouted && list.length > 1) continue;
    if (facts?.is.has('companies') && list.length > 1) continue;
    if (facts?.isState && n === list.length - 1 && stems.length > 0) continue;
    if (initial) initials.push(`${token.low}.`);
    else stems.push((bare ? facts?.nameStem : facts?.stem) ?? token.low);
  }
  return namePrefix + [...stems, ...initials].join(' ');
}

/** Provisions with the law that is named beside them. */
function withActs(mentions: readonly Mention[], text: string): Mention[] {
  return mentions.map((mention, at) => {
    if (mention.provision === null) return mention;
    let act: number | null = null;
    for (const n of [at + 1, at + 2, at + 3, at - 1]) {
      const other = mentions[n];
      if (other === undefined || other.kind === 'provision') continue;
      if (other.kind === 'law') {
        // "of the", "в": what joins a provision to its act, and nothing where the act comes first.
        const joint = n > at ? text.slice(mention.end, other.start) : text.slice(other.end, mention.start);
        const words = joint.match(/\p{L}+/gu) ?? [];
        const joins = n > at && words.length <= 3 && words.every((word) => joinsAct.has(foldLetters(word)));
        if (/^[\s\p{L},(]*$/u.test(joint) && (words.length === 0 || joins)) act = n;
      }
      if (n > at && act === null) continue;
      break;
    }
    return { ...mention, provision: { ...mention.provision, act } };
  });
}

function statementsOf(
  text: string,
  mentions: readonly Mention[],
  terms: readonly ReturnType<typeof termsIn>[number][],
): Statement[] {
  const out: Statement[] = [];
  const shortAt = new Set<number>();
  for (const { start, end, of, said } of terms) {
    const from = mentions.findIndex((one) => one.start < end && start < one.end && one.kind !== 'topic');
    if (from < 0) continue;
    shortAt.add(from);
    const named =
      of === null
        ? -1
        : mentions.findLastIndex((one) => one.end <= of && of - one.end <= 2 && one.kind !== 'topic');
    const initials = named >= 0 && abbreviates(mentions[from]!.surface, mentions[named]!.surface);
    out.push({
      kind: initials ? 'abbreviates' : 'defines',
      from,
      to: named >= 0 ? named : null,
      ...spanOf(said),
    });
  }
  for (let at = 1; at < mentions.length; at++) {
    const [before, here] = [mentions[at - 1]!, mentions[at]!];
    const gap = text.slice(before.end, here.start);
    const span = { start: before.start, end: here.end };
    if (shortAt.has(at)) continue;
    if (/^ ?\($/.test(gap) && text[here.end] === ')' && before.key.startsWith(namePrefix)) {
      if (abbreviates(here.surface, before.surface))
        out.push({ kind: 'abbreviates', from: at, to: at - 1, ...span });
      else if (abbreviates(before.surface, here.surface))
        out.push({ kind: 'abbreviates', from: at - 1, to: at, ...span });
    } else if (/^,? $/.test(gap)) {
      if (here.kind === 'person' && before.kind === 'organisation' && gap === ' ')
        out.push({ kind: 'holds', from: at, to: at - 1, ...span });
      else if (before.kind === 'person' && here.kind === 'organisation' && gap === ', ')
        out.push({ kind: 'holds', from: at - 1, to: at, ...span });
    }
  }
  return out;
}

const spanOf = ({ start, end }: { start: number; end: number }) => ({ start, end });

/** Whether capital letters are the first ones of a name's words, in order: some words may have none. */
function abbreviates(short: string, long: string): boolean {
  if (!/^\p{Lu}[\p{L}\d]{0,5}\p{Lu}$/u.test(short) || long.length <= short.length) return false;
  const initials = long.split(/[\s-]+/).map((word) => word.charAt(0).toUpperCase());
  let at = 0;
  for (const letter of short.toUpperCase()) {
    while (at < initials.length && initials[at] !== letter) at++;
    if (at++ >= initials.length) return false;
  }
  return initials[0] === short.charAt(0).toUpperCase();
}

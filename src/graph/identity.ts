/**
 * Which mentions are of one entity. Equal keys are; beyond that a short form and the long one a text gives it ("ЦИК"),
 * and parts of a person's name that only one person has ("А. Сейтов", "Сейтов"). A pure function of what was counted:
 * neither the order of chunks nor that of the counts matters.
 */
import { type ChunkEntities, type EntityKind, entityKinds } from './mentions.ts';

/** What was counted of one key over all mentions. */
export interface KeyCount {
  key: string;
  mentions: number;
  /** Those of them that are sure. */
  sure: number;
  /** Mentions by kind: where the kind is known, and where it is guessed. */
  known: Partial<Record<EntityKind, number>>;
  guessed: Partial<Record<EntityKind, number>>;
  /** The forms it stands in: how often, and whether as in a dictionary. Each name once. */
  forms: Iterable<Readonly<NameCount>>;
}

export interface NameCount {
  name: string;
  count: number;
  rank: 0 | 1;
}

/** How often texts say that a key is short for another. */
export interface KeyLink {
  from: string;
  to: string;
  count: number;
}

export interface Counted {
  keys: readonly KeyCount[];
  links: readonly KeyLink[];
}

/** An entity: the keys it goes by. `id`: the smallest of them, the same while they are. */
export interface EntityGroup {
  id: string;
  kind: EntityKind;
  name: string;
  keys: readonly string[];
  mentions: number;
}

export interface Identified {
  /** By their ids. */
  groups: readonly EntityGroup[];
  /** null: nothing confirms that the key names anything. */
  groupOf: (key: string) => EntityGroup | null;
}

/** What every chunk mentions, counted by keys. */
export function tally(chunks: Iterable<ChunkEntities>): Counted {
  const keys = new Map<string, KeyCount & { forms: NameCount[] }>();
  const links = new Map<string, KeyLink>();
  for (const { mentions, statements } of chunks) {
    for (const { key, kind, name, sure, kindKnown, rank } of mentions) {
      let count = keys.get(key);
      if (!count) {
        count = { key, mentions: 0, sure: 0, known: {}, guessed: {}, forms: [] };
        keys.set(key, count);
      }
      count.mentions++;
      if (sure) count.sure++;
      const kinds = kindKnown ? count.known : count.guessed;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      const form = count.forms.find((one) => one.name === name) ?? { name, count: 0, rank };
      if (form.count++ === 0) count.forms.push(form);
      if (rank === 1) form.rank = 1;
    }
    for (const { kind, from, to } of statements) {
      if (kind !== 'abbreviates' || to === null) continue;
      const link = { from: mentions[from]!.key, to: mentions[to]!.key };
      const known = links.get(`${link.from}\n${link.to}`);
      if (known) known.count++;
      else links.set(`${link.from}\n${link.to}`, { ...link, count: 1 });
    }
  }
  return { keys: [...keys.values()], links: [...links.values()] };
}

/**
 * The last word of a name, the family name of a person: keys that share neither it nor a link are never of one entity, so
 * that a fold need look at these alone again. Null for what is the same by its key alone.
 */
export function blockOf(key: string): string | null {
  if (!key.startsWith(namePrefix)) return null;
  const { words } = partsOf(key);
  return words.at(-1) ?? null;
}

/** `apart`: keys that an administrator has made entities of their own, whatever they share with others. */
export function identify({ keys, links }: Counted, apart: readonly string[]): Identified {
  const split = new Set(apart);
  const known = new Map(keys.map((count) => [count.key, count]));
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    while (parents.has(root)) root = parents.get(root)!;
    return root;
  };
  const join = (one: string, other: string) => {
    if (split.has(one) || split.has(other)) return;
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a !== b) parents.set(a < b ? b : a, a < b ? a : b);
  };

  // A short form that stands for two names is neither's.
  const longs = new Map<string, Set<string>>();
  for (const { from, to } of links)
    if (known.has(from) && known.has(to)) longs.set(from, (longs.get(from) ?? new Set()).add(to));
  for (const [from, to] of longs) if (to.size === 1) join(from, [...to][0]!);
  joinPersons(keys, join, rootOf);

  const members = new Map<string, KeyCount[]>();
  for (const count of keys) {
    const root = rootOf(count.key);
    const group = members.get(root);
    if (group) group.push(count);
    else members.set(root, [count]);
  }
  const groups: EntityGroup[] = [];
  const byKey = new Map<string, EntityGroup>();
  for (const group of members.values()) {
    if (!isConfirmed(group)) continue;
    const sorted = group.map(({ key }) => key).sort();
    const made: EntityGroup = {
      id: sorted[0]!,
      kind: kindOf(group),
      name: nameOf(group),
      keys: sorted,
      mentions: group.reduce((sum, { mentions }) => sum + mentions, 0),
    };
    groups.push(made);
    for (const key of sorted) byKey.set(key, made);
  }
  groups.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { groups, groupOf: (key) => byKey.get(key) ?? null };
}

const namePrefix = 'name:';
/** So often a phrase that is nowhere repeated within a chunk must stand in all, to be a topic. */
const topicMentions = 3;

const isConfirmed = (group: readonly KeyCount[]): boolean =>
  group.some(
    ({ key, sure, mentions }) => sure > 0 || (key.startsWith('topic:') && mentions >= topicMentions),
  );

interface Parts {
  words: string[];
  initials: string[];
}

function partsOf(key: string): Parts {
  const all = key.slice(namePrefix.length).split(' ');
  return {
    words: all.filter((word) => !isInitial(word)),
    initials: all.filter(isInitial).map((word) => word.slice(0, -1)),
  };
}
const isInitial = (word: string): boolean => word.length === 2 && word.endsWith('.');

const most = (kinds: KeyCount['known']): EntityKind | null => {
  let best: EntityKind | null = null;
  for (const kind of entityKinds) if ((kinds[kind] ?? 0) > (best === null ? 0 : kinds[best]!)) best = kind;
  return best;
};

interface PersonForm {
  key: string;
  parts: Parts;
}

/**
 * Joins the short forms of persons' names with the one full name that each can stand for: a name without the father's,
 * initials, then family names alone. `rootOf`: what a key is joined with so far.
 */
function joinPersons(
  keys: readonly KeyCount[],
  join: (one: string, other: string) => void,
  rootOf: (key: string) => string,
): void {
  const bySurname = new Map<string, PersonForm[]>();
  const alone: PersonForm[] = [];
  for (const { key, known, guessed } of keys) {
    if (!key.startsWith(namePrefix)) continue;
    const form = { key, parts: partsOf(key) };
    const { words, initials } = form.parts;
    const kind = most(known);
    if (words.length + initials.length > 1 && (kind ?? most(guessed)) === 'person') {
      // "Сейтов Арман Болатович" begins with the family name.
      for (const surname of new Set(words.length === 3 ? [words[0]!, words[2]!] : words.slice(-1)))
        bySurname.set(surname, [...(bySurname.get(surname) ?? []), form]);
    } else if (words.length === 1 && initials.length === 0 && (kind === 'person' || kind === null))
      alone.push(form);
  }
  const givenNames = ({ words }: Parts, surname: string) => words.filter((word) => word !== surname);
  const all = [...bySurname].flatMap(([surname, forms]) => forms.map((form) => ({ surname, form })));
  // Each step sees what the steps before it have joined, and nothing of itself: so its order does not matter.
  const step = (
    forms: readonly { surname: string; form: PersonForm }[],
    fits: (short: Parts, other: Parts, surname: string) => boolean,
  ) => {
    const pairs = forms.flatMap(({ surname, form }): [string, string][] => {
      const found = (bySurname.get(surname) ?? []).filter(
        (other) => other.key !== form.key && fits(form.parts, other.parts, surname),
      );
      const roots = new Set(found.map(({ key }) => rootOf(key)));
      return roots.size === 1 ? [[form.key, found[0]!.key]] : [];
    });
    for (const [one, other] of pairs) join(one, other);
  };
  step(
    all.filter(({ surname, form: { parts } }) => parts.words.length === 2 && parts.words[1] === surname),
    (short, other, surname) => other.words.length === 3 && givenNames(other, surname)[0] === short.words[0],
  );
  step(
    all.filter(({ form: { parts } }) => parts.initials.length > 0),
    (short, other, surname) =>
      other.initials.length === 0 &&
      short.initials.every((letter, n) => givenNames(other, surname)[n]?.startsWith(letter) ?? n > 0),
  );
  step(
    alone.map((form) => ({ surname: form.parts.words[0]!, form })),
    () => true,
  );
}

const add = (into: KeyCount['known'], kinds: KeyCount['known']) => {
  for (const kind of entityKinds) if (kinds[kind] !== undefined) into[kind] = (into[kind] ?? 0) + kinds[kind];
};

/** The kind most mentions are known to have; a term only where no other kind is known. */
function kindOf(group: readonly KeyCount[]): EntityKind {
  const known: KeyCount['known'] = {};
  const guessed: KeyCount['known'] = {};
  for (const count of group) {
    add(known, count.known);
    add(guessed, count.guessed);
  }
  const { term: _, ...others } = known;
  return most(others) ?? most(known) ?? most(guessed) ?? 'term';
}

/** The form to show: of the longest key, as in a dictionary where there is one, the most frequent, the first. */
function nameOf(group: readonly KeyCount[]): string {
  const length = (key: string) => key.split(' ').length * 1000 + key.length;
  const [longest] = [...group].sort((a, b) => length(b.key) - length(a.key) || (a.key < b.key ? -1 : 1));
  const [best] = [...longest!.forms].sort(
    (a, b) => b.rank - a.rank || b.count - a.count || (a.name < b.name ? -1 : 1),
  );
  return best!.name;
}

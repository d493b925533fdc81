/** What was counted of each key over all mentions of the documents at hand, while documents come and go. */
import type { EntityGroup, KeyCount, KeyLink, NameCount } from './identity.ts';
import type { ChunkEntities, EntityKind, Mention } from './mentions.ts';

interface Form extends NameCount {
  /** Mentions of rank 1 among them. */
  ranked: number;
}

type Counts = KeyCount['known'];

/** No mention of any kind, for all keys that have none. */
const none: Counts = Object.freeze({});
/** Counts of one kind alone, by kind and number: of a hundred thousand keys most have a few mentions of one. */
const shared = new Map<EntityKind, Counts[]>();
const sharedMax = 16;

/** With so many more of a kind. Counts that are shared stay as they are, others are changed. */
function counted(counts: Counts, kind: EntityKind, by: 1 | -1): Counts {
  const n = (counts[kind] ?? 0) + by;
  if (!Object.isFrozen(counts)) return Object.assign(counts, { [kind]: n });
  if (n >= sharedMax || (counts !== none && counts[kind] === undefined)) return { ...counts, [kind]: n };
  const ofKind = shared.get(kind) ?? [];
  shared.set(kind, ofKind);
  ofKind[n] ??= Object.freeze({ [kind]: n });
  return ofKind[n];
}

/**
 * A key with its counts; `D`: what stands for a document. Most keys stand in one document and in one form: there are
 * hundred thousands of them, so a collection is made only of what is more than one.
 */
export class CountedKey<D> implements KeyCount {
  readonly key: string;
  mentions = 0;
  sure = 0;
  known = none;
  guessed = none;
  /** The entity it was last found to be of; null: of none. */
  group: EntityGroup | null = null;
  #form: Form | null = null;
  #forms: Map<string, Form> | null = null;
  #document: D | null = null;
  #documents: Set<D> | null = null;

  constructor(key: string) {
    this.key = key;
  }

  get forms(): Iterable<Form> {
    return this.#forms?.values() ?? (this.#form === null ? [] : [this.#form]);
  }

  /** The form of a name; null: it stands in none such. */
  form(name: string): Form | null {
    if (this.#forms !== null) return this.#forms.get(name) ?? null;
    return this.#form?.name === name ? this.#form : null;
  }

  addForm(form: Form): void {
    if (this.#forms !== null) this.#forms.set(form.name, form);
    else if (this.#form === null) this.#form = form;
    else {
      this.#forms = new Map([this.#form, form].map((one) => [one.name, one]));
      this.#form = null;
    }
  }

  dropForm(name: string): void {
    this.#forms?.delete(name);
    if (this.#form?.name === name) this.#form = null;
  }

  /** The documents that mention it. */
  get documents(): Iterable<D> {
    return this.#documents ?? (this.#document === null ? [] : [this.#document]);
  }

  addDocument(document: D): void {
    if (this.#documents !== null) this.#documents.add(document);
    else if (this.#document === null || this.#document === document) this.#document = document;
    else {
      this.#documents = new Set([this.#document, document]);
      this.#document = null;
    }
  }

  dropDocument(document: D): void {
    this.#documents?.delete(document);
    if (this.#document === document) this.#document = null;
  }
}

export class Tally<D> {
  readonly #keys = new Map<string, CountedKey<D>>();
  readonly #links = new Map<string, KeyLink>();

  keys(): Iterable<CountedKey<D>> {
    return this.#keys.values();
  }

  links(): Iterable<KeyLink> {
    return this.#links.values();
  }

  get(key: string): CountedKey<D> | undefined {
    return this.#keys.get(key);
  }

  /** The key of a mention, known from now on. */
  known(key: string): CountedKey<D> {
    let known = this.#keys.get(key);
    if (!known) {
      known = new CountedKey(key);
      this.#keys.set(key, known);
    }
    return known;
  }

  /** `by` 1: the document's mention is there; -1: it is no longer. */
  count(
    mention: Pick<Mention, 'kind' | 'name' | 'sure' | 'kindKnown' | 'rank'>,
    of: CountedKey<D>,
    by: 1 | -1,
  ): void {
    const { kind, name, sure, kindKnown, rank } = mention;
    of.mentions += by;
    if (sure) of.sure += by;
    const which = kindKnown ? 'known' : 'guessed';
    of[which] = counted(of[which], kind, by);
    let form = of.form(name);
    if (form === null) {
      form = { name, count: 0, rank: 0, ranked: 0 };
      of.addForm(form);
    }
    form.count += by;
    form.ranked += rank === 1 ? by : 0;
    form.rank = form.ranked > 0 ? 1 : 0;
    if (form.count === 0) of.dropForm(name);
    if (of.mentions === 0) this.#keys.delete(of.key);
  }

  countLink(from: string, to: string, by: 1 | -1): void {
    const name = `${from}\n${to}`;
    const link = this.#links.get(name) ?? { from, to, count: 0 };
    link.count += by;
    if (link.count === 0) this.#links.delete(name);
    else this.#links.set(name, link);
  }
}

/** The short forms that a chunk explains: pairs of keys. */
export function* linksOf({
  mentions,
  statements,
}: Pick<ChunkEntities, 'mentions' | 'statements'>): Generator<[string, string]> {
  for (const { kind, from, to } of statements)
    if (kind === 'abbreviates' && to !== null) yield [mentions[from]!.key, mentions[to]!.key];
}

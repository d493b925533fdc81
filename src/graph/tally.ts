/** What was counted of each key over all mentions of the documents at hand, while documents come and go. */
import type { EntityGroup, KeyCount, KeyLink } from './identity.ts';
import type { ChunkEntities, Mention } from './mentions.ts';

interface Form {
  count: number;
  rank: 0 | 1;
  /** Mentions of rank 1 among them. */
  ranked: number;
}

/** A key with its counts; `D`: what stands for a document. */
export interface CountedKey<D> extends KeyCount {
  names: Record<string, Form>;
  /** The documents that mention it. */
  documents: Set<D>;
  /** The entity it was last found to be of; null: of none. */
  group: EntityGroup | null;
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
      const names: CountedKey<D>['names'] = Object.create(null);
      known = {
        ...{ key, mentions: 0, sure: 0, known: {}, guessed: {} },
        ...{ names, documents: new Set<D>(), group: null },
      };
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
    const kinds = kindKnown ? of.known : of.guessed;
    kinds[kind] = (kinds[kind] ?? 0) + by;
    of.names[name] ??= { count: 0, rank: 0, ranked: 0 };
    const form = of.names[name];
    form.count += by;
    form.ranked += rank === 1 ? by : 0;
    form.rank = form.ranked > 0 ? 1 : 0;
    if (form.count === 0) delete of.names[name];
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

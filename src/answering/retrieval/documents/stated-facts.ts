/**
 * The metadata of the visible documents in a scope: titles, dates, speakers and their offices. It is kept in memory and
 * updated document by document.
 */
import { roleOf } from '../../../domain/chunk-text.ts';
import {
  endings,
  type Language,
  type OfficeHead,
  ofEach,
  scriptOf,
  textOf,
} from '../../../language/index.ts';
import type { DocumentFacts } from '../../../ports/chunk-search.ts';
import { covers } from '../../../reading/matching.ts';
import { editDistance } from '../../../text/edit-distance.ts';
import { soundKey } from '../../../text/variants.ts';
import { contentWords, foldWord, isStopWord, stem, words } from '../../../text/words.ts';

export type StatedDocument = Pick<DocumentFacts, 'doc_id' | 'title' | 'lang' | 'event_date' | 'stated'>;

/** A word in metadata or in a question, in the forms used for comparison. */
export interface NameWord {
  stem: string;
  sound: string;
}

/** A person or office named in a metadata field. */
export interface StatedValue {
  field: string;
  value: string;
  words: readonly NameWord[];
  /** The sound keys of the words, in order. */
  sounds: readonly string[];
  role: 'person' | 'office';
  /** Indexes of the head words: "Minister" in "Minister of Ecology"; for a person, the last word. */
  head: readonly number[];
  documents: ReadonlySet<number>;
}

export const nameWord = (word: string): NameWord => {
  const root = stem(word);
  return { stem: root, sound: soundKey(root) };
};

/** Whether two words of names are the same, by stem or, across scripts, by sound. */
export function sameName(one: NameWord, other: NameWord): boolean {
  if (covers(one.stem, other.stem) || covers(other.stem, one.stem)) return true;
  if (scriptOf(one.stem) === scriptOf(other.stem)) return false;
  return covers(one.sound, other.sound) || covers(other.sound, one.sound);
}

const isAdjective = endings('acts.adjectives', 2);
const officeHead = ofEach((language) => textOf(language, 'grammar.officeHead') as OfficeHead);

/** The indexes of the head words of an office. Of a hyphenated word, only the first part counts. */
function headOf(value: string, lang: Language): number[] {
  let at = 0;
  const parts = value.split(/\s+/).flatMap((text) => {
    const content = contentWords(text).length;
    const part = { text, at, content };
    at += content;
    return words(text).length === 0 ? [] : [part];
  });
  const upTo = (end: number) => parts.slice(0, end).flatMap((part) => (part.content > 0 ? [part.at] : []));
  switch (officeHead[lang]) {
    case 'last':
      return parts.slice(-1).map((part) => part.at);
    case 'first noun':
      return upTo(parts.findIndex(({ text }) => !isAdjective(text.toLowerCase())) + 1);
    // Words after the first preposition are a complement.
    case 'before preposition': {
      const end = parts.findIndex(({ text }) => isStopWord(foldWord(text)) || text.endsWith(','));
      return upTo(end < 1 ? parts.length : end);
    }
  }
}

/** Values are indexed by this many letters at the beginning of the sound keys of their words. */
const soundsLookedUp = 3;
const bucketOf = ({ sound }: NameWord): string => sound.slice(0, soundsLookedUp);

type Held = Omit<StatedValue, 'documents'> & { documents: Set<number> };

export class StatedFacts {
  readonly #documents = new Map<number, StatedDocument>();
  readonly #values = new Map<string, Held>();
  readonly #buckets = new Map<string, Set<Held>>();
  /** Number of documents by title. */
  readonly #titled = new Map<string, number>();
  #dated = 0;

  get(docId: number): StatedDocument | null {
    return this.#documents.get(docId) ?? null;
  }

  /** Whether any document has a date. */
  get isDated(): boolean {
    return this.#dated > 0;
  }

  /** Whether another document has the same title. */
  hasNamesake(docId: number): boolean {
    const title = this.#documents.get(docId)?.title ?? '';
    return title !== '' && (this.#titled.get(title) ?? 0) > 1;
  }

  /** All documents, in no particular order. */
  all(): Iterable<StatedDocument> {
    return this.#documents.values();
  }

  put(document: StatedDocument): void {
    const { doc_id, title, lang, event_date, stated } = document;
    this.remove(doc_id);
    this.#documents.set(doc_id, document);
    this.#titled.set(title, (this.#titled.get(title) ?? 0) + 1);
    if (event_date !== null) this.#dated++;
    for (const [field, value] of Object.entries(stated)) {
      const role = roleOf(field);
      if (role) this.#value({ field, value, role, lang }).documents.add(doc_id);
    }
  }

  remove(docId: number): void {
    const known = this.#documents.get(docId);
    if (!known) return;
    this.#documents.delete(docId);
    const others = (this.#titled.get(known.title) ?? 0) - 1;
    if (others > 0) this.#titled.set(known.title, others);
    else this.#titled.delete(known.title);
    if (known.event_date !== null) this.#dated--;
    for (const [field, value] of Object.entries(known.stated)) {
      const held = this.#values.get(keyOf(field, value));
      held?.documents.delete(docId);
      if (!held || held.documents.size > 0) continue;
      this.#values.delete(keyOf(field, value));
      for (const word of held.words) this.#buckets.get(bucketOf(word))?.delete(held);
    }
  }

  /** The speakers named in the metadata of a document. */
  persons(document: StatedDocument): StatedValue[] {
    return this.#inRole(document, 'person');
  }

  offices(document: StatedDocument): StatedValue[] {
    return this.#inRole(document, 'office');
  }

  #inRole({ stated }: StatedDocument, role: StatedValue['role']): StatedValue[] {
    return Object.entries(stated).flatMap(([field, value]) => {
      const held = this.#values.get(keyOf(field, value));
      return held?.role === role ? [held] : [];
    });
  }

  /** The values that share a word with the question. */
  like(asked: readonly NameWord[]): Set<StatedValue> {
    const found = new Set<StatedValue>();
    for (const word of asked)
      for (const value of this.#buckets.get(bucketOf(word)) ?? [])
        if (value.words.some((own) => sameName(word, own))) found.add(value);
    return found;
  }

  /** All spellings of a name in any language, including the name itself. */
  sameNames(name: StatedValue): StatedValue[] {
    const found = new Set<StatedValue>();
    for (const word of name.words)
      for (const other of this.#buckets.get(bucketOf(word)) ?? [])
        if (other.role === name.role && isSameName(name, other)) found.add(other);
    return [...found];
  }

  #value({ field, value, role, lang }: Pick<Held, 'field' | 'value' | 'role'> & { lang: Language }): Held {
    const key = keyOf(field, value);
    const known = this.#values.get(key);
    if (known) return known;
    const written = contentWords(value);
    const list = written.map(nameWord);
    const made: Held = {
      field,
      value,
      role,
      words: list,
      sounds: written.map(soundKey),
      head: role === 'person' ? [list.length - 1] : headOf(value, lang),
      documents: new Set(),
    };
    this.#values.set(key, made);
    for (const word of list) {
      const bucket = bucketOf(word);
      const held = this.#buckets.get(bucket);
      if (held) held.add(made);
      else this.#buckets.set(bucket, new Set([made]));
    }
    return made;
  }
}

const keyOf = (field: string, value: string): string => `${field}\n${value}`;

/** Whether two values are the same name, possibly in different languages. */
export const isSameName = ({ sounds }: StatedValue, other: StatedValue): boolean =>
  other.sounds.length === sounds.length && other.sounds.every((sound, n) => soundsAlike(sound, sounds[n]!));

/** Whether two words sound alike. Names may differ by one sound between languages: "Төлепова" and "Tulepova". */
const soundsAlike = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) >= 5 && editDistance(one, other, 1) <= 1);

/** Extracts names, definitions and references from passages by rules. Pure. Takes linear time. */

import type { Language, NamedSpan } from '../domain/events.ts';
import type { Span } from '../domain/span.ts';
import type { EntityKind } from './graph.ts';
import { keyOf, namesIn } from './names.ts';
import { type ReferenceFound, type ReferringText, referencesIn } from './references.ts';
import { termsIn } from './terms.ts';

export interface PassageToRead extends ReferringText {
  lang: Language;
}

/** A mention in a passage. Offsets are in UTF-16 units of the passage's text. */
export interface Mention extends Span {
  /** The node id: "name:" and the key of the name, which is the same for all inflected forms. */
  id: string;
  kind: EntityKind;
  /** The name as written in the text, with white space collapsed. */
  name: string;
}

export interface Extracted {
  /** Ordered by start, without overlaps. Terms are included only in the passage that defines them. */
  mentions: Mention[];
  references: ReferenceFound[];
}

/**
 * The maximum number of mentions and of references per passage, and the maximum length of its text in UTF-16 units.
 * Anything beyond is ignored.
 */
export const mentionsMax = 500;
const textMax = 50_000;

/** Extracts from all available passages of a document together, because each is evidence for names (see names.ts). */
export function extract(passages: readonly PassageToRead[]): Extracted[] {
  const cut = passages.map((one) => {
    const text = one.text.slice(0, textMax);
    // If the text begins with its heading, names are searched for only after it.
    return {
      ...one,
      text,
      from: one.heading !== '' && text.startsWith(one.heading) ? one.heading.length : 0,
    };
  });
  const names = namesIn(cut);
  return cut.map((passage, n) => {
    const { text, lang, from } = passage;
    const references = referencesIn(passage, mentionsMax);
    const terms = termsIn(text).map(({ start, end }) =>
      mentionOf('term', keyOf(text.slice(start, end), lang), text, start, end),
    );
    const all = names[n]!.map(({ key, start, end }) => mentionOf('name', key, text, start, end));
    const mentions: Mention[] = [];
    for (const mention of [...terms, ...all]) {
      const { id, start, end } = mention;
      const isTaken = [...references, ...mentions].some((other) => other.start < end && start < other.end);
      if (id !== namePrefix && start >= from && !isTaken) mentions.push(mention);
      if (mentions.length === mentionsMax) break;
    }
    return { mentions: mentions.sort((a, b) => a.start - b.start), references };
  });
}

/** Converts the names that a language model found in a passage, ordered by start. Names without words are dropped. */
export function givenMentions(names: readonly NamedSpan[], lang: Language): Mention[] {
  return names
    .map(({ kind, text, start, end }) => ({ ...statedMention(kind, text, lang), start, end }))
    .filter(({ id }) => id !== namePrefix)
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1));
}

/** A name from metadata rather than text; its offsets are 0. */
export const statedMention = (kind: EntityKind, name: string, lang: Language): Mention => ({
  ...mentionOf(kind, keyOf(name, lang), name, 0, name.length),
  end: 0,
});

export const namePrefix = 'name:';

const mentionOf = (kind: EntityKind, key: string, text: string, start: number, end: number): Mention => ({
  id: namePrefix + key,
  kind,
  name: text.slice(start, end).trim().replace(/\s+/g, ' '),
  start,
  end,
});

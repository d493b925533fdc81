/** Who speaks in a document and in what office, as it states beside its text: mentions that have no place in it. */
import { roleOf, statedByField } from '../domain/chunk-text.ts';
import type { RevisionFacts } from '../domain/events.ts';
import type { Language } from '../text/languages/index.ts';
import { nameKey, namePrefix } from './extract.ts';
import type { Mention } from './mentions.ts';
import { tokensOf } from './tokens.ts';

/** Their offsets are 0. */
export interface StatedMentions {
  person: Mention | null;
  office: Mention | null;
}

export function statedMentions(metadata: RevisionFacts['metadata'], lang: Language): StatedMentions {
  const stated = Object.entries(statedByField(metadata));
  const of = (role: 'person' | 'office'): Mention | null => {
    const surface = (stated.find(([field]) => roleOf(field) === role)?.[1] ?? '').trim().replace(/\s+/g, ' ');
    const key = nameKey(tokensOf(surface, lang), role === 'person');
    if (key === namePrefix) return null;
    const kind = role === 'person' ? 'person' : 'organisation';
    const plain = { sure: true, kindKnown: true, rank: 1, provision: null, start: 0, end: 0 } as const;
    return { ...plain, kind, surface, name: surface, key };
  };
  return { person: of('person'), office: of('office') };
}

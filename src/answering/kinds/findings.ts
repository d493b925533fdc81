/** Helper functions for findings, shared by the kinds. */
import type { Language } from '../../domain/events.ts';
import { covers } from '../../reading/matching.ts';
import type { ExactFinding, Found, Provision, RetrievalResult } from '../../reading/passages.ts';
import { contentWords, stem, words } from '../../text/words.ts';
import type { Findings, LookUp, Side } from './kind.ts';

export const sideOf = ({ edition }: LookUp, found: RetrievalResult): Side => ({
  edition,
  label: null,
  found,
});

export const exists = ({ provisions }: ExactFinding): boolean => provisions.length > 0;

/** Whether there is something to report about a requested provision, which may be that it does not exist. */
export const isReportable = ({ provisions, neighbours, unknownAct }: ExactFinding): boolean =>
  provisions.length + neighbours.length > 0 || unknownAct;

/** Returns the provisions in the asker's language or, if there are none, in another, separated by layer. */
export function provisionsFor(
  finding: ExactFinding,
  asked: Language,
): { leading: Provision[]; others: Provision[]; lang: Language } {
  const own = finding.provisions.filter(({ passage }) => passage.chunk.lang === asked);
  const lang = own.length > 0 ? asked : (finding.provisions[0]?.passage.chunk.lang ?? asked);
  const spoken = finding.provisions.filter(({ passage }) => passage.chunk.lang === lang);
  const first = spoken[0]?.passage.facts.layer.name;
  return {
    leading: spoken.filter(({ passage }) => passage.facts.layer.name === first),
    others: spoken.filter(({ passage }) => passage.facts.layer.name !== first),
    lang,
  };
}

/** The first requested provision that exists, from the leading layer and in the asker's language if available. */
export function firstProvision({ exact }: RetrievalResult, lang: Language): Provision | undefined {
  return exact.map((one) => provisionsFor(one, lang).leading[0]).find((one) => one !== undefined);
}

/**
 * All passages of the findings, without duplicates: the requested provisions, the neighbours of missing ones, then the
 * passages found by words and the provisions they name.
 */
export function passagesOf({ sides, others = [] }: Findings): Found[] {
  const found = sides.flatMap(({ found: { exact, hits, linked } }) => [
    ...exact.flatMap(({ provisions, neighbours }) => [
      ...provisions.map(({ passage }) => passage),
      ...neighbours,
    ]),
    ...hits,
    ...linked.map(({ passage }) => passage),
  ]);
  return unique([...found, ...others]);
}

export function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** Whether the heading of a passage contains all words of a name. */
export const isHeadedBy = ({ chunk }: Found, name: string): boolean => holds(chunk.heading, name);

/** Whether the text contains all words of a name. */
function holds(text: string, name: string): boolean {
  const there = words(text).map(stem);
  return contentWords(name).every((word) => there.some((one) => covers(stem(word), one)));
}

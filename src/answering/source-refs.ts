/** Sources without an answer: provisions asked for by number first, then the best passages. */
import type { Mode } from '../domain/events.ts';
import type { Found, RetrievalResult } from '../retrieval/pipeline.ts';
import { speaks } from './refusal.ts';
import { type Findings, followedOf, isReportable, type Side, unique } from './retrieval.ts';

/**
 * The passages to show for findings, best first, at most `limit`, and the mode an answer from them would have. `whole`:
 * what a question that names two things itself finds as a whole, for a passage may be on both.
 */
export function sourcesOf(
  findings: Findings,
  limit: number,
  whole: RetrievalResult | null = null,
): { mode: Mode; found: Found[] } {
  const lists = findings.sides.map((side) => [...listed(side), ...side.found.hits]);
  if (findings.kind === 'references') {
    // The provision in other languages comes behind what was asked for.
    const [first, ...others] = listed(findings.sides[0]);
    const found = unique([first!, ...followedOf(findings), ...others]).slice(0, limit);
    return { mode: modeOf(findings), found };
  }
  if (whole) {
    const [first, ...rest] = whole.hits;
    const best = [first, ...lists.map(([one]) => one)].filter((one) => one !== undefined);
    return { mode: modeOf(findings), found: unique([...best, ...rest, ...lists.flat()]).slice(0, limit) };
  }
  // Each side of a comparison has its share, what room is left goes to the first ones.
  const share = Math.ceil(limit / lists.length);
  const found = [
    ...lists.flatMap((list) => list.slice(0, share)),
    ...lists.flatMap((list) => list.slice(share)),
  ];
  return { mode: modeOf(findings), found: unique(found).slice(0, limit) };
}

const listed = ({ found: { exact } }: Side): Found[] => [
  ...exact.flatMap(({ provisions }) => provisions.map(({ passage }) => passage)),
  ...exact.flatMap(({ neighbours }) => neighbours),
];

function modeOf(findings: Findings): Mode {
  const { kind, sides } = findings;
  if (kind === 'references') {
    const { items, only } = findings.references;
    return items.length > 0 || only !== null ? 'exact' : 'no_answer';
  }
  const [{ edition, found }] = sides;
  if (kind === 'parts') return 'ordinary';
  if (kind !== 'passages') return sides.some(speaks) ? 'comparison' : 'no_answer';
  const numbered = found.exact.some(isReportable);
  const provisions = found.exact.some(({ provisions: own }) => own.length > 0);
  if (numbered ? !provisions : !found.answerable) return 'no_answer';
  if (edition === 'superseded') return 'historical';
  return numbered ? 'exact' : 'ordinary';
}

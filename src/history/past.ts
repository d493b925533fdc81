/** Past read models: rebuilt from the history up to a moment, listed, and compared between two moments. */
import { setImmediate } from 'node:timers/promises';
import type { HistorySource } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import { type EventLog, type Position, pageBytesMax, recordedAt } from '../ports/event-log.ts';
import type { Build, BuildContents } from '../ports/read-models.ts';
import { differingFields, union } from './entry-names.ts';
import type { Difference } from './report.ts';

/** Number of names read at a time. */
const portionMax = 500;

const dayMs = 86_400_000;
/** Excludes other inputs that Date.parse accepts, such as "5" or a time without an offset. */
const dayOrTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * Parses a day (UTC) or an RFC 3339 time. Returns its first moment and the first moment after it, for comparison with
 * the times of events; null if `text` is undefined. `name` is the name of the parameter. May fail with `invalid`.
 */
export function momentOf(name: string, text: string | undefined): { start: string; end: string } | null {
  if (text === undefined) return null;
  const at = dayOrTime.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new Failure(
      'invalid',
      `${name} must be a day or an RFC 3339 time, such as 2026-10-04 or 2026-10-04T12:30:00Z.`,
    );
  const lengthMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayMs : 1;
  return { start: new Date(at).toISOString(), end: new Date(at + lengthMs).toISOString() };
}

const isPosition = (text: string): boolean => /^\d{16}$|^\d{20}\/\d{20}$/.test(text);

/**
 * Resolves a moment to a position. For a day or time, it is the position of the last event up to its end. `name` is the
 * name of the parameter. Fails with `invalid`, or with `not_found` if it is before the start of the history.
 */
export async function positionOf(
  log: Pick<EventLog, 'lastBefore'>,
  name: string,
  moment: string,
): Promise<Position> {
  if (isPosition(moment)) return moment;
  const position = await log.lastBefore(momentOf(name, moment)!.end);
  if (position === null) throw new Failure('not_found', `The history had not begun at ${moment}.`);
  return position;
}

/** When the last event up to a position was recorded. Fails with `not_found` if there is no such event. */
export async function timeAt(
  log: Pick<EventLog, 'readStored' | 'readStoredBefore'>,
  position: Position,
): Promise<Date> {
  const [before] = await log.readStoredBefore(position, 1);
  const [at] = await log.readStored(before?.position ?? null, 1);
  const last = at !== undefined && at.position <= position ? at : before;
  if (last === undefined) throw new Failure('not_found', `The history had not begun at ${position}.`);
  return new Date(recordedAt(last));
}

/** The history up to a position, for copying. */
export function logUntil(log: HistorySource, until: Position): HistorySource {
  return {
    readStored: async (after, limit) =>
      (after ?? '') >= until
        ? []
        : (await log.readStored(after, limit)).filter(({ position }) => position <= until),
  };
}

/** Read models built separately, with their builds. */
export interface PastContents {
  contents: BuildContents;
  build(projection: string): Promise<Build>;
}

/** Every entry of the projections, in a fixed order. Equal histories give equal entries. */
export async function* entriesOf(
  { contents, build }: PastContents,
  projections: readonly string[],
): AsyncGenerator<{ projection: string; name: string; value: string }> {
  for (const projection of projections) {
    const made = await build(projection);
    for await (const names of contents.names(made))
      for (const [name, value] of await values(contents, made, names))
        if (value !== null) yield { projection, name, value };
  }
}

/** The values for the names, in order. */
async function values(
  contents: BuildContents,
  build: Build,
  names: readonly string[],
): Promise<[name: string, value: string | null][]> {
  const found: [string, string | null][] = [];
  for (let rest = names; rest.length > 0; ) {
    const read = (await contents.values(build, rest))!.values;
    for (const [n, value] of read.entries()) found.push([rest[n]!, value]);
    rest = rest.slice(read.length);
  }
  return found;
}

export interface Change extends Difference {
  projection: string;
  /** The old and new values as JSON; null if there is none. */
  before: string | null;
  after: string | null;
}

/** The differences between the second moment and the first: `surplus` was added, `missing` was removed. */
export async function* changesBetween(
  first: PastContents,
  second: PastContents,
  projections: readonly string[],
): AsyncGenerator<Change> {
  for await (const changes of comparedBetween(first, second, projections, 0))
    for (const change of changes) if (change !== null) yield change;
}

/** Compares the entries after the first `offset`, in order and in portions. Null means no difference. */
async function* comparedBetween(
  first: PastContents,
  second: PastContents,
  projections: readonly string[],
  offset: number,
): AsyncGenerator<(Change | null)[]> {
  let passed = 0;
  for (const projection of projections) {
    const [a, b] = [await first.build(projection), await second.build(projection)];
    for await (const all of union(first.contents.names(a), second.contents.names(b), portionMax)) {
      const names = all.slice(Math.max(0, offset - passed));
      passed += all.length;
      const before = await values(first.contents, a, names);
      const after = await values(second.contents, b, names);
      yield before.map(([name, was], n) => changeOf(projection, name, was, after[n]![1]));
    }
  }
}

function changeOf(
  projection: string,
  name: string,
  before: string | null,
  after: string | null,
): Change | null {
  if (before === after) return null;
  const kind = before === null ? 'surplus' : after === null ? 'missing' : 'changed';
  const fields = before !== null && after !== null ? differingFields(before, after) : [];
  return { projection, name, kind, fields, before, after };
}

/** Filters for the changes. */
export interface ChangesRequest {
  projections: readonly string[];
  /** Number of entries to skip, which is the end of the previous page. */
  offset: number;
  limit: number;
}

export interface ChangesPage {
  items: Change[];
  /** The `offset` of the next page; null if this is the last page. */
  next: number | null;
  /** Number of entries compared for this page. */
  compared: number;
}

/** Maximum number of entries compared per page. With few changes, a page would otherwise compare all entries. */
const comparedMax = 20_000;

/**
 * A page of the changes, in order. A page ends early if it is large (`pageBytesMax`), or after `comparedMax` entries.
 * The same moments always give the same page.
 */
export async function changesPage(
  first: PastContents,
  second: PastContents,
  { projections, offset, limit }: ChangesRequest,
): Promise<ChangesPage> {
  const items: Change[] = [];
  let [compared, bytes] = [0, 0];
  for await (const portion of comparedBetween(first, second, projections, offset)) {
    // A file store never waits, so yield explicitly.
    await setImmediate();
    for (const change of portion) {
      compared++;
      if (change !== null) {
        items.push(change);
        bytes += (change.before?.length ?? 0) + (change.after?.length ?? 0);
      }
      const isFull = items.length === limit || bytes >= pageBytesMax || compared === comparedMax;
      if (isFull) return { items, next: offset + compared, compared };
    }
  }
  return { items, next: null, compared };
}

/** Past read models: rebuilt from the history up to a moment, listed, and compared between two moments. */
import { setImmediate } from 'node:timers/promises';
import type { HistorySource } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import { type EventLog, type Position, pageBytesMax, recordedAt } from '../ports/event-log.ts';
import type { Build, BuildContents } from '../ports/read-models.ts';
import { differingFields, union } from './entry-names.ts';
import type { Difference } from './report.ts';

/** Names read at once. */
const portionMax = 500;

const dayMs = 86_400_000;
/** Nothing else that Date.parse would make a time of, such as "5" or one without its offset. */
const dayOrTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * A day (UTC) or an RFC 3339 time, as events' times are compared with it: from its first moment on, and before the first
 * one after it. null for none. Failure `invalid`; `name` says what it is of.
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
 * A position, or a day or time as people type them: then the last event up to its end. `name` says what it is of.
 * Failure `invalid`; `not_found`: the history had not begun.
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

/** When the last event up to a position was recorded. Failure `not_found`: there is none. */
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

/** The history up to a position, for whoever copies it. */
export function logUntil(log: HistorySource, until: Position): HistorySource {
  return {
    readStored: async (after, limit) =>
      (after ?? '') >= until
        ? []
        : (await log.readStored(after, limit)).filter(({ position }) => position <= until),
  };
}

/** Read models in a place of their own, with their builds. */
export interface Made {
  contents: BuildContents;
  build(projection: string): Promise<Build>;
}

/** Every entry of the projections, in a fixed order: equal histories, equal entries. */
export async function* entriesOf(
  { contents, build }: Made,
  projections: readonly string[],
): AsyncGenerator<{ projection: string; name: string; value: string }> {
  for (const projection of projections) {
    const made = await build(projection);
    for await (const names of contents.names(made))
      for (const [name, value] of await values(contents, made, names))
        if (value !== null) yield { projection, name, value };
  }
}

/** What the names hold, in their order. */
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
  /** What it held and holds, in JSON; null: nothing. */
  before: string | null;
  after: string | null;
}

/** What is otherwise at the second moment than at the first: `surplus` came, `missing` went. */
export async function* changesBetween(
  first: Made,
  second: Made,
  projections: readonly string[],
): AsyncGenerator<Change> {
  for await (const changes of comparedBetween(first, second, projections, 0))
    for (const change of changes) if (change !== null) yield change;
}

/** What became of the entries behind the first `offset` of them, in their order and some at a time; null: nothing. */
async function* comparedBetween(
  first: Made,
  second: Made,
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

/** Which of all changes are wanted. */
export interface ChangesRequest {
  projections: readonly string[];
  /** Entries that are passed over: where the page before ended. */
  offset: number;
  limit: number;
}

export interface ChangesPage {
  items: Change[];
  /** The `offset` of the page behind it; null: it is the last. */
  next: number | null;
  /** Entries that were compared for it. */
  compared: number;
}

/** Entries compared for one page, at most: with few changes one would compare all there are. */
const comparedMax = 20_000;

/**
 * Some of the changes, in their order. A page ends early when what it tells is large (`pageBytesMax`), or after
 * `comparedMax` entries; of the same moments it is the same again.
 */
export async function changesPage(
  first: Made,
  second: Made,
  { projections, offset, limit }: ChangesRequest,
): Promise<ChangesPage> {
  const items: Change[] = [];
  let [compared, bytes] = [0, 0];
  for await (const portion of comparedBetween(first, second, projections, offset)) {
    // A store in files never waits.
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

/** Read models as they were: made anew from the history up to a moment, told, and compared between two moments. */
import type { HistorySource } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { Build, BuildContents } from '../ports/read-models.ts';
import { differingFields, union } from './names.ts';
import type { Difference } from './report.ts';

const pageSize = 500;
/** Names read at once. */
const portionMax = 500;

const timeOf = (metadata: Uint8Array): string => {
  try {
    return String((JSON.parse(Buffer.from(metadata).toString('utf8')) as { time?: unknown }).time ?? '');
  } catch {
    return '';
  }
};

/**
 * The position of the last event before a moment (RFC 3339, as events tell their time). null: the history had not
 * begun. Read from the end on.
 */
export async function positionBefore(
  log: Pick<EventLog, 'readStoredBefore'>,
  moment: string,
): Promise<Position | null> {
  for (let before: Position | null = null; ; ) {
    const page = await log.readStoredBefore(before, pageSize);
    const found = page.find(({ metadata }) => timeOf(metadata) < moment);
    if (found !== undefined || page.length === 0) return found?.position ?? null;
    before = page.at(-1)!.position;
  }
}

const dayMs = 86_400_000;

/**
 * A day (UTC) or an RFC 3339 time, as events' times are compared with it: from its first moment on, and before the first
 * one after it. null for none. Failure `invalid`; `name` says what it is of.
 */
export function momentOf(name: string, text: string | undefined): { start: string; end: string } | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Failure('invalid', `${name} must be a day or an RFC 3339 time.`);
  const lengthMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayMs : 1;
  return { start: new Date(at).toISOString(), end: new Date(at + lengthMs).toISOString() };
}

const isPosition = (text: string): boolean => /^\d{16}$|^\d{20}\/\d{20}$/.test(text);

/**
 * A position, or a day or time as people type them: then the last event up to its end. `name` says what it is of.
 * Failure `invalid`; `not_found`: the history had not begun.
 */
export async function positionOf(
  log: Pick<EventLog, 'readStoredBefore'>,
  name: string,
  moment: string,
): Promise<Position> {
  if (isPosition(moment)) return moment;
  const position = await positionBefore(log, momentOf(name, moment)!.end);
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
  return new Date(timeOf(last.metadata));
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
  /** What it held and holds; null: nothing. */
  before: string | null;
  after: string | null;
}

/** What is otherwise at the second moment than at the first: `surplus` came, `missing` went. */
export async function* changesBetween(
  first: Made,
  second: Made,
  projections: readonly string[],
): AsyncGenerator<Change> {
  for (const projection of projections) {
    const [a, b] = [await first.build(projection), await second.build(projection)];
    for await (const names of union(first.contents.names(a), second.contents.names(b), portionMax)) {
      const [before, after] = [
        await values(first.contents, a, names),
        await values(second.contents, b, names),
      ];
      for (const [n, [name, was]] of before.entries()) {
        const is = after[n]![1];
        if (was === is) continue;
        const kind = was === null ? 'surplus' : is === null ? 'missing' : 'changed';
        const fields = was !== null && is !== null ? differingFields(was, is) : [];
        yield { projection, name, kind, fields, before: was, after: is };
      }
    }
  }
}

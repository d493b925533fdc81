/** Read models as they were: made anew from the history up to a moment, told, and compared between two moments. */
import type { HistorySource } from '../event-sourcing/stored-pages.ts';
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

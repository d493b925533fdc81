/** Read models of a past moment, built in a separate folder next to the live ones. */
import { readdirSync } from 'node:fs';
import { projections } from '../../projections/index.ts';
import { copyHistory } from '../event-sourcing/copy-history.ts';
import { cancelled, Failure } from '../failures.ts';
import { logUntil, type PastContents } from '../history/past.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { historyFile, type KeysLocation, pastFolder } from './adapter-config.ts';
import { makeFolder } from './data-folder.ts';
import { openLogAt } from './main-log.ts';
import { openReadLog } from './open-log.ts';
import { openReplay } from './open-replay.ts';
import { openTemporaryFolder } from './temporary-folders.ts';

const all = projections.map(({ name }) => name);

/** Returns one projection, or all of them. Fails with `invalid` if there is no projection with this name. */
export function replayedNames(projection: string | undefined): readonly string[] {
  if (projection === undefined) return all;
  if (!all.includes(projection))
    throw new Failure('invalid', `There is no projection ${projection}; there are ${all.join(', ')}.`, {
      field: 'projection',
    });
  return [projection];
}

export interface PastModels extends PastContents {
  events: number;
  close(): Promise<void>;
}

export interface PastOptions {
  /** The projections to build. Default: all. */
  names?: readonly string[];
  /** The data folder in which they are built temporarily; `close` removes them. */
  dataFolder: string;
  /**
   * Builds them here instead, together with the history up to that point, as a permanent data folder that can be
   * queried. `keys` are used to open sealed data in the history.
   */
  out?: { folder: string; keys: KeysLocation | null };
  signal: AbortSignal;
  onEvents?: (events: number) => void;
}

/** Rebuilds projections as of the event `until`. Fails with `invalid` if the folder is not empty. */
export async function openPast(
  log: EventLog,
  until: Position,
  { names = all, dataFolder, out, signal, onEvents = () => {} }: PastOptions,
): Promise<PastModels> {
  if (out !== undefined) {
    makeFolder(out.folder);
    if (readdirSync(out.folder).length > 0)
      throw new Failure('invalid', `${out.folder} is not empty: --out needs an empty folder.`);
  }
  await using opened = new AsyncDisposableStack();
  let folder = out?.folder;
  if (folder === undefined) {
    const own = await openTemporaryFolder(pastFolder(dataFolder));
    opened.defer(own.remove);
    folder = own.path;
  }
  try {
    // Positions differ in the copied history, and the read models contain them.
    let [source, end] = [log, until];
    if (out !== undefined) {
      const copy = await openLogAt(out.folder, '', null);
      await copyHistory(logUntil(log, until), copy.log, { signal, verify: false }).finally(() =>
        copy.close(),
      );
      source = await openReadLog({ log: { file: historyFile(out.folder) }, keys: out.keys });
      opened.defer(() => source.close());
      end = (await source.head())!;
    }
    const { replay, contents } = openReplay(opened, source, folder, signal, onEvents);
    await replay.reach(new Map(names.map((name) => [name, end])));
    const kept = opened.move();
    return {
      contents,
      build: (name) => replay.build(name),
      events: replay.events,
      close: () => kept.disposeAsync(),
    };
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
}

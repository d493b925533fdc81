/** A thread that builds the read models of one past moment in a separate folder, and then ends. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../stores/embedded/models.ts';
import { Replay } from '../verification/replay.ts';
import { type AdapterConfig, modelPaths } from './adapter-config.ts';
import { copyFolderFile } from './data-folder.ts';
import { giveWay } from './give-way.ts';
import { openReadLog } from './open-log.ts';
import { computeVector } from './open-models.ts';

import { serveThread } from './rpc.ts';

export interface MomentJob {
  /** Whose history it is made from. */
  adapters: AdapterConfig;
  until: Position;
  /** An empty folder. */
  folder: string;
  /** A folder with the read models of an earlier moment, to go on from. */
  from: string | null;
  bytesMax: number;
}

export interface MadeMoment {
  events: number;
  bytes: number;
}

const { adapters, until, folder, from, bytesMax } = workerData as MomentJob;
/** Events between two checks of the size, and between two progress reports. */
const reportEvery = 1_000;

const sizeOf = (): number =>
  Object.values(modelPaths(folder))
    .flatMap((path) => [path, `${path}-wal`])
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);

giveWay();
serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function make(): Promise<MadeMoment> {
    const closing: (() => Promise<void>)[] = [];
    const opened = <T extends { close(): Promise<void> }>(one: T): T => {
      closing.push(() => one.close());
      return one;
    };
    try {
      const paths = modelPaths(folder);
      if (from !== null)
        for (const path of Object.values(modelPaths(from)))
          await copyFolderFile(path, join(folder, basename(path)));
      const log = opened(await openReadLog(adapters));
      const models = opened(openEmbeddedModels(paths, projections, computeVector));
      const contents = opened(openEmbeddedContents(paths));
      const onEvents = (events: number) => {
        if (events % reportEvery >= 500) return;
        notify('events', events);
        if (sizeOf() > bytesMax)
          throw new Failure('too_large', 'The read models of that moment are larger than allowed.');
      };
      const replay = new Replay({ log, projections, models, contents, signal, onEvents });
      await replay.reach(new Map(projections.map(({ name }) => [name, until])));
      return { events: replay.events, bytes: sizeOf() };
    } catch (error) {
      throw signal.aborted ? new Failure('cancelled', 'The operation was stopped.') : error;
    } finally {
      for (const close of closing.toReversed()) await close();
    }
  }

  return { make, stop: () => stopping.abort(), close: () => {} };
});

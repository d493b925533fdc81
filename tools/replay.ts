/**
 * The cost of a history of recorded asks. Measures the speed of all projections, relative to a plain loop that reads
 * and parses the same events, and the time to build the read models of a past moment from the first half of the history
 * (`docent replay --until`). Also measures the time from a start with nothing to catch up on to the first answer.
 */
import { projections } from '../projections/index.ts';
import { ProjectionRunner } from '../projections/runner.ts';
import { directLog, EmbeddedLog } from '../src/log/sqlite/log.ts';
import { LogStore, positionOf } from '../src/log/sqlite/log-store.ts';
import { openEmbeddedModels } from '../src/read-models/read-models.ts';
import { historyFile, modelPaths } from '../src/workers/adapter-config.ts';
import { openPast } from '../src/workers/past-read-models.ts';
import { writeAsks } from './history.ts';
import { startServer, withFolder } from './speed.ts';

const secondsFrom = (start: number) => (performance.now() - start) / 1000;

/** Two events are replayed per ask. */
export const replay = (asks: number): Promise<Record<string, unknown>[]> =>
  withFolder(async (folder) => {
    const path = historyFile(folder);
    const mean_bytes = Math.round(await writeAsks(path, asks));
    const store = new LogStore(path, { readOnly: true });
    const log = new EmbeddedLog(directLog(store));

    let start = performance.now();
    let events = 0;
    for (let after: string | null = null; ; ) {
      const rows = store.readAll(after, 1000);
      for (const row of rows) if (JSON.parse(row.data) !== null) events++;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = positionOf(last.position);
    }
    const bareS = secondsFrom(start);

    const models = openEmbeddedModels(modelPaths(folder), projections);
    const clock = { now: () => new Date() };
    const runner = new ProjectionRunner({ log, store: models, projections, clock });
    await runner.prepare();
    start = performance.now();
    await runner.catchUp();
    const replayS = secondsFrom(start);
    await models.close();

    const { time } = (await log.readAll(positionOf(asks), 1))[0]!;
    const until = (await log.lastBefore(time))!;
    start = performance.now();
    const past = await openPast(log, until, { dataFolder: folder, signal: new AbortController().signal });
    const untilS = secondsFrom(start);
    await past.close();
    store.close();
    return [
      {
        events,
        mean_bytes,
        events_per_s: Math.round(events / replayS),
        bare_events_per_s: Math.round(events / bareS),
        ratio: bareS / replayS,
        until_events: past.events,
        until_events_per_s: Math.round(past.events / untilS),
      },
    ];
  });

/** From the start of the process to its first answer. */
export const start = (asks: number): Promise<Record<string, unknown>[]> =>
  withFolder(async (folder) => {
    await writeAsks(historyFile(folder), asks);
    // The first start projects the events; the second one is measured.
    await (await startServer(folder)).stop();
    const server = await startServer(folder);
    const [start_ms, memory_mb] = [server.startMs, Math.round(server.memoryMb())];
    await server.stop();
    return [{ events: asks * 2, start_ms, memory_mb }];
  });

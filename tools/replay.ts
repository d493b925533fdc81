/**
 * How fast recorded asks pass through all projections, against a bare loop that reads and parses the same events; and
 * how fast the first half of them becomes the read models of a past moment (`docent replay --until`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projections } from '../projections/index.ts';
import { ProjectionRunner } from '../projections/runner.ts';
import { directLog, EmbeddedLog } from '../src/stores/embedded/log.ts';
import { LogStore, positionOf } from '../src/stores/embedded/log-store.ts';
import { openEmbeddedModels } from '../src/stores/embedded/models.ts';
import { openPast } from '../src/workers/past-models.ts';
import { writeAsks } from './history.ts';

export async function replay(asks: number) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  try {
    const path = join(folder, 'history.sqlite');
    const meanBytes = await writeAsks(path, asks);
    const store = new LogStore(path, { readOnly: true });

    const bareStart = performance.now();
    let bare = 0;
    for (let after: string | null = null; ; ) {
      const rows = store.readAll(after, 1000);
      for (const row of rows) if (JSON.parse(row.data) !== null) bare++;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = positionOf(last.position);
    }
    const bareS = (performance.now() - bareStart) / 1000;

    const models = openEmbeddedModels(
      { models: join(folder, 'models.sqlite'), index: join(folder, 'index.sqlite') },
      projections,
    );
    const runner = new ProjectionRunner({
      log: new EmbeddedLog(directLog(store)),
      store: models,
      projections,
      clock: { now: () => new Date() },
    });
    await runner.prepare();
    const start = performance.now();
    await runner.catchUp();
    const replayS = (performance.now() - start) / 1000;
    await models.close();

    const log = new EmbeddedLog(directLog(store));
    const { time } = (await log.readAll(positionOf(asks), 1))[0]!;
    const timeStart = performance.now();
    const until = (await log.lastBefore(time))!;
    const positionMs = performance.now() - timeStart;
    const untilStart = performance.now();
    const past = await openPast(log, until, { dataFolder: folder, signal: new AbortController().signal });
    const untilS = (performance.now() - untilStart) / 1000;
    await past.close();
    store.close();
    return {
      events: bare,
      mean_bytes: Math.round(meanBytes),
      events_per_s: Math.round(bare / replayS),
      bare_events_per_s: Math.round(bare / bareS),
      ratio: bareS / replayS,
      until_events: past.events,
      until_events_per_s: Math.round(past.events / untilS),
      until_to_rebuild: past.events / untilS / (bare / replayS),
      position_of_time_ms: positionMs,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

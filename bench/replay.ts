/** How fast recorded asks pass through all projections, against a bare loop that reads and parses the same events. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projections } from '../projections/index.ts';
import { ProjectionRunner } from '../projections/runner.ts';
import { directLog, EmbeddedLog } from '../src/stores/embedded/log.ts';
import { LogStore } from '../src/stores/embedded/log-store.ts';
import { openEmbeddedModels } from '../src/stores/embedded/models.ts';
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
      after = String(last.position);
    }
    const bareS = (performance.now() - bareStart) / 1000;

    const models = openEmbeddedModels(
      { models: join(folder, 'models.sqlite'), index: join(folder, 'index.sqlite') },
      projections,
    );
    const runner = new ProjectionRunner({
      log: new EmbeddedLog(directLog(store)),
      models,
      projections,
      clock: { now: () => new Date() },
    });
    await runner.prepare();
    const start = performance.now();
    await runner.catchUp();
    const replayS = (performance.now() - start) / 1000;
    models.closeFiles();
    store.close();
    return {
      events: bare,
      mean_bytes: Math.round(meanBytes),
      events_per_s: Math.round(bare / replayS),
      bare_events_per_s: Math.round(bare / bareS),
      ratio: bareS / replayS,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

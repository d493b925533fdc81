/** What sealing and verification cost: events a second through the offline check, and sealing what has come. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportedLines, exportLines, fromLine } from '../src/history/export-file.ts';
import { HistoryCheck } from '../src/history/history-check.ts';
import { sha256 } from '../src/history/merkle.ts';
import { SealedLog } from '../src/history/sealed-log.ts';
import { newSigningKey, readSigningKey } from '../src/history/signed-note.ts';
import { directLog, EmbeddedLog } from '../src/stores/embedded/log.ts';
import { LogStore } from '../src/stores/embedded/log-store.ts';
import { writeAsks } from './history.ts';
import { withFolder } from './speed.ts';

/** Asks recorded; each is two events. */
const asks = 50_000;

export const sealing = (): Promise<Record<string, number>[]> =>
  withFolder(async (folder) => {
    const path = join(folder, 'history.sqlite');
    await writeAsks(path, asks);
    const log = new EmbeddedLog(directLog(new LogStore(path, { readOnly: true })));
    const file = join(folder, 'export.jsonl');
    const pieces: string[] = [];
    for await (const { text } of exportLines(log)) pieces.push(text);
    writeFileSync(file, pieces.join(''));

    const key = readSigningKey(newSigningKey('bench'));
    let [started, events, bytes] = [performance.now(), 0, 0];
    const check = new HistoryCheck({ trusted: [key.verifying] });
    for await (const lines of exportedLines(file)) {
      for (const line of lines) check.add(fromLine(line)!);
    }
    check.finish();
    const verifyMs = performance.now() - started;

    started = performance.now();
    for await (const lines of exportedLines(file)) {
      for (const line of lines) {
        sha256(line);
        events++;
        bytes += line.length;
      }
    }
    const bareMs = performance.now() - started;

    started = performance.now();
    const { size } = await new SealedLog(log).head();
    const sealMs = performance.now() - started;
    await log.close();
    return [
      {
        events,
        bytes_per_event: bytes / events,
        verify_events_per_s: events / (verifyMs / 1000),
        bare_read_and_hash_per_s: events / (bareMs / 1000),
        verify_to_bare: verifyMs / bareMs,
        seal_10000_ms: (sealMs / size) * 10_000,
      },
    ];
  });

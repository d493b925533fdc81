/** What operators do with histories: copying a live folder, and moving from one log to another. */
import { resolve } from 'node:path';
import { copyHistory } from '../event-sourcing/copy-history.ts';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import { backupEmbedded } from '../workers/data-folder.ts';
import { openLogAt } from '../workers/main-log.ts';
import { withBar } from './commands.ts';
import { print } from './output.ts';

/** Copies a data folder that may be in use. */
export async function backup(folder: string, to: string): Promise<undefined> {
  await withBar((onProgress) =>
    backupEmbedded(resolve(folder), resolve(to), (file, share) =>
      onProgress({ done: Math.round(share * 100), total: 100, path: file }),
    ),
  );
  await print(`Copied ${folder} to ${to}. To restore, start with DOCENT_DATA=${to}.`);
}

/** Copies a history, `from` and `to` each a data folder or an EventStoreDB address, and compares it event by event. */
export async function moveHistory(from: string, to: string, namespace: string): Promise<undefined> {
  if (from === to) throw new Failure('invalid', '--from and --to name the same history.');
  const opened: { log: EventLog; close(): Promise<void> }[] = [];
  try {
    for (const place of [from, to]) opened.push(await openLogAt(place, namespace));
    const [source, target] = opened;
    const report = await copyHistory(source!.log, target!.log, {
      onProgress: ({ phase, events }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${phase} ${events} events `);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    await print(`${report.events} events, ${report.copied} of them copied now, all compared and equal.`);
  } finally {
    for (const { close } of opened.toReversed()) await close();
  }
}

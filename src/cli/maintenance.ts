/** Maintenance on the command line: backups, copying a history, and rebuilding and verifying read models. */
import { resolve } from 'node:path';
import type { App } from '../app-port.ts';
import { copyHistory } from '../event-sourcing/copy-history.ts';
import { Failure } from '../failures.ts';
import type { VerificationReport } from '../history/report.ts';
import type { EventLog } from '../ports/event-log.ts';
import { backupEmbedded } from '../workers/data-folder.ts';
import { openLogAt } from '../workers/main-log.ts';
import { interrupted, withBar } from './commands.ts';
import { counted, print, printJson } from './output.ts';

/** Copies a data folder, even while it is in use. */
export async function backup(folder: string, to: string): Promise<undefined> {
  await withBar((onProgress) =>
    backupEmbedded(resolve(folder), resolve(to), (file, share) =>
      onProgress({ done: Math.round(share * 100), total: 100, path: file }),
    ),
  );
  await print(`Copied ${folder} to ${to}. To restore, start with DOCENT_DATA=${to}.`);
}

/** Exit status of a comparison that found a difference. */
const differs = 3;

/** Compares the read models with their history and reports the differences. */
export async function verifyProjections(app: App, { json }: { json?: boolean }): Promise<number> {
  const report = await withBar(
    (onProgress) =>
      app.verifyProjections(
        ({ phase, projection, done, total }) =>
          onProgress({ done, total: Math.max(done, total ?? done + 1), path: projection ?? phase }),
        interrupted(),
      ),
    ({ done }) => String(done),
  );
  if (json) await printJson(report);
  else await print(verificationLines(report));
  return report.same ? 0 : differs;
}

/** Maximum number of differences printed per projection; the JSON output contains all of them. */
const linesMax = 20;

function* verificationLines({ same, events, projections }: VerificationReport): Generator<string> {
  const width = Math.max(...projections.map(({ projection }) => projection.length));
  for (const { projection, entries, differences, more } of projections) {
    const found = `${differences.length}${more ? ' or more' : ''}`;
    yield `${projection.padEnd(width)}  ${differences.length === 0 ? 'same' : `${found} different`}, ${counted(entries, 'entry', 'entries')}`;
    for (const { kind, name, fields } of differences.slice(0, linesMax))
      yield `  ${kind.padEnd(7)}  ${name}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`;
    if (differences.length > linesMax) yield `  … ${differences.length - linesMax} more with --json`;
  }
  yield same
    ? `The read models match the history of ${counted(events, 'event')}.`
    : `The read models do not match the history of ${counted(events, 'event')}.`;
}

/**
 * Copies a history and compares it event by event. `from` and `to` are each a data folder or an EventStoreDB address.
 */
export async function moveHistory(from: string, to: string, namespace: string): Promise<undefined> {
  if (from === to) throw new Failure('invalid', '--from and --to must not be the same history.');
  const opened: { log: EventLog; close(): Promise<void> }[] = [];
  try {
    for (const location of [from, to]) opened.push(await openLogAt(location, namespace, null));
    const [source, target] = opened;
    const report = await copyHistory(source!.log, target!.log, {
      onProgress: ({ phase, events }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${phase} ${counted(events, 'event')} `);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    await print(
      `Compared ${counted(report.events, 'event')}, all equal; ${report.copied} copied in this run.`,
    );
  } finally {
    for (const { close } of opened.toReversed()) await close();
  }
}

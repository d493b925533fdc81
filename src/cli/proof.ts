/** Sealing and proofs on the command line, and their verification without a server. */
import { existsSync, readFileSync } from 'node:fs';
import type { App } from '../app-port.ts';
import type { Config } from '../config.ts';
import { type HistorySource, storedPages } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import { readCheckpoint, type SignedCheckpoint } from '../history/checkpoint.ts';
import { exportedLines, exportedLog, fromLine } from '../history/export-file.ts';
import { HistoryCheck, type HistoryReport } from '../history/history-check.ts';
import { checkProof, proveConsistency, proveEvent } from '../history/proofs.ts';
import {
  newSigningKey,
  readSigningKey,
  readVerifyingKey,
  type VerifyingKey,
} from '../history/signed-note.ts';
import { commandLine } from './command-line.ts';
import { interrupted } from './commands.ts';
import { withLog } from './history.ts';
import { counted, print, printJson, printMessage } from './output.ts';

/** Exit status for an invalid history or proof. */
const differs = 3;

/** Uses the configured history, or an export of one. */
const withHistory = <T>(
  config: Config,
  path: string | undefined,
  work: (log: HistorySource) => Promise<T>,
): Promise<T> => (path === undefined ? withLog(config, work) : work(exportedLog(path)));

/** Prints a new secret key for sealing, and its public key. */
export async function sealKey(name: string): Promise<undefined> {
  const secret = newSigningKey(name);
  await print(secret);
  printMessage('Keep this key secret, and set it as DOCENT_SEAL_KEY. The public key, for verifiers:');
  printMessage(`  ${readSigningKey(secret).verifying.text}`);
}

/** Seals the history and prints its last checkpoint. Fails with `invalid` if no key is configured. */
export async function seal({ sealing }: App): Promise<undefined> {
  if (sealing === null)
    throw new Failure('invalid', `Set DOCENT_SEAL_KEY; ${commandLine('seal-key <name>')} prints a new key.`);
  await sealing.seal();
  await print((sealing.checkpoint ?? 'There is nothing to seal yet.\n').slice(0, -1));
}

/** Reads public keys, each given directly or as a file with one key per line. */
function keysOf(texts: readonly string[]): VerifyingKey[] {
  return texts
    .flatMap((text) => (existsSync(text) ? readFileSync(text, 'utf8').split('\n') : [text]))
    .filter((line) => line.trim() !== '')
    .map(readVerifyingKey);
}

function checkpointOf(path: string): SignedCheckpoint {
  const checkpoint = existsSync(path) ? readCheckpoint(readFileSync(path, 'utf8')) : null;
  if (checkpoint === null) throw new Failure('invalid', `${path} does not contain a checkpoint.`);
  return checkpoint;
}

export interface VerifyHistoryOptions {
  key: string[];
  checkpoint?: string[];
  json?: boolean;
}

/** Verifies an export, or the history itself, against its checkpoints and those kept elsewhere. */
export async function verifyHistory(
  config: Config,
  path: string | undefined,
  { key, checkpoint = [], json }: VerifyHistoryOptions,
): Promise<number> {
  const check = new HistoryCheck({ trusted: keysOf(key), outside: checkpoint.map(checkpointOf) });
  const signal = interrupted();
  if (path === undefined)
    await withLog(config, async (log) => {
      for await (const page of storedPages(log, { signal })) for (const event of page) check.add(event);
    });
  else await checkExport(path, check, signal);
  const report = check.finish();
  if (json) await printJson(report);
  else await print(reportLines(report));
  return report.intact ? 0 : differs;
}

async function checkExport(path: string, check: HistoryCheck, signal: AbortSignal): Promise<void> {
  for await (const lines of exportedLines(path)) {
    for (const line of lines) {
      const event = fromLine(line);
      if (event === null) check.unreadable('The line is not an event.');
      else check.add(event);
    }
    if (signal.aborted) throw new Failure('cancelled', 'The verification was stopped.');
  }
}

function* reportLines(report: HistoryReport): Generator<string> {
  const { intact, events, streams, checkpoints, sealed, outside, problems, more } = report;
  yield `${counted(events, 'event')} in ${counted(streams, 'stream')}, ${counted(checkpoints, 'checkpoint')}; the last valid one covers ${counted(sealed, 'event')}.`;
  if (outside > 0)
    yield `${counted(outside, 'checkpoint')} kept elsewhere ${outside === 1 ? 'was' : 'were'} confirmed.`;
  for (const { kind, event, detail } of problems)
    yield `  ${kind.padEnd(10)} ${event === null ? '' : `event ${event}: `}${detail}`;
  if (more > 0) yield `  … ${more} more`;
  yield intact ? 'The history matches its seals.' : 'The history does not match its seals.';
}

/** Prints the proof that the history contains an event, or that it extends an earlier checkpoint. */
export async function prove(
  config: Config,
  eventId: string | undefined,
  { since, from }: { since?: string; from?: string },
): Promise<undefined> {
  if ((eventId === undefined) === (since === undefined))
    throw new Failure('invalid', 'Give an event, or an earlier checkpoint with --since.');
  const proof = await withHistory(config, from, (log) =>
    eventId === undefined ? proveConsistency(log, readFileSync(since!, 'utf8')) : proveEvent(log, eventId),
  );
  await print(proof.slice(0, -1));
}

/** Checks a proof without the history. */
export async function verifyProof(path: string, { key }: { key: string[] }): Promise<number> {
  if (!existsSync(path)) throw new Failure('not_found', `${path} cannot be read.`);
  const report = checkProof(readFileSync(path, 'utf8'), keysOf(key));
  if (!report.holds) {
    await print(`The proof is invalid. ${report.why}`);
    return differs;
  }
  if (report.of === 'event') {
    const { id, type, stream, revision, data, metadata } = report.event;
    await print(
      `Event ${report.index + 1} of ${report.size} is ${type} ${id}, revision ${revision} of ${stream}:\n` +
        `${Buffer.from(metadata)}\n${Buffer.from(data)}`,
    );
  } else await print(`The history of ${counted(report.to, 'event')} extends that of ${report.from}.`);
  return 0;
}

/** What auditors do with a history on the command line: taking it out, putting it back, holding it against its seals. */

import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { dossierOf } from '../administration/dossier.ts';
import { dossierHtml, dossierMarkdown } from '../administration/dossier-text.ts';
import { type HistoryRequest, history } from '../administration/history.ts';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { copyHistory } from '../event-sourcing/copy-history.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position, StoredEvent } from '../ports/event-log.ts';
import { readCheckpoint, type SignedCheckpoint } from '../transparency/checkpoint.ts';
import { exportedLines, exportedLog, exportLines, fromLine } from '../transparency/export-file.ts';
import { HistoryCheck, type HistoryReport } from '../transparency/history-check.ts';
import { checkProof, proveConsistency, proveEvent } from '../transparency/proofs.ts';
import {
  newSigningKey,
  readSigningKey,
  readVerifyingKey,
  type VerifyingKey,
} from '../transparency/signed-note.ts';
import { openLogAt } from '../workers/main-log.ts';
import { commandLine } from './command-line.ts';
import { interrupted } from './commands.ts';
import { print, printJson, say, writeExactly } from './output.ts';

/** Status of a history or proof that does not hold. */
const differs = 3;

export async function withLog<T>(config: Config, work: (log: EventLog) => Promise<T>): Promise<T> {
  const { log, close } = await openLogAt(
    config.EVENTSTOREDB_URL ?? config.DOCENT_DATA,
    config.DOCENT_NAMESPACE,
  );
  try {
    return await work(log);
  } finally {
    await close();
  }
}

/** The history of the configuration, or of an export. */
const withHistory = <T>(
  config: Config,
  path: string | undefined,
  work: (log: Pick<EventLog, 'readStored'>) => Promise<T>,
): Promise<T> => (path === undefined ? withLog(config, work) : work(exportedLog(path)));

/** A day, or a time, as it is compared with; `end`: the first moment after it. Failure `invalid`. */
function moment(option: string, text: string | undefined, end = false): string | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Failure('invalid', `${option} must be a day or an RFC 3339 time.`);
  const lengthMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayMs : 1;
  return new Date(at + (end ? lengthMs : 0)).toISOString();
}

const dayMs = 86_400_000;

export interface HistoryOptions {
  stream?: string;
  type?: string;
  actor?: string;
  request?: string;
  from?: string;
  to?: string;
  limit: number;
  forwards?: boolean;
  follow?: boolean;
}

/** Prints events, one a line, as JSON; `follow`: then those that come, until Ctrl-C. */
export async function showHistory(config: Config, options: HistoryOptions): Promise<undefined> {
  const { stream, type, actor, request, from, to, limit, forwards, follow } = options;
  const filter = {
    stream,
    type,
    actor,
    correlation_id: request,
    from: moment('--from', from),
    before: moment('--to', to, true),
  };
  // Whoever can read the files needs no leave: what is read with credentials is recorded.
  const acting = { name: '', request_id: '' };
  await withLog(config, async (log) => {
    const { events, followEvents } = history({ log, audit: { read: async () => {} } });
    const direction = forwards || follow ? 'forwards' : 'backwards';
    let [left, position] = [follow ? Number.POSITIVE_INFINITY : limit, null as string | null];
    for (;;) {
      const request = {
        ...filter,
        direction,
        limit: Math.min(left, pageSize),
        ...(position && { position }),
      };
      const page = await events(request as HistoryRequest, acting);
      for (const event of page.items) await print(JSON.stringify(event));
      left -= page.items.length;
      if (page.items.length > 0 || page.next) position = page.next ?? page.items.at(-1)!.position;
      if (page.next === null || left === 0) break;
    }
    if (!follow) return;
    for await (const message of followEvents(
      { ...filter, ...(position && { after: position }) },
      acting,
      interrupted(),
    ))
      if (message.type === 'event') await print(JSON.stringify(message.event));
  });
}

/** Prints all that is recorded of an ask. */
export async function printDossier(
  config: Config,
  requestId: string,
  { json, html }: { json?: boolean; html?: boolean },
): Promise<undefined> {
  const dossier = await withLog(config, (log) => dossierOf(log, requestId));
  if (json) await printJson(dossier);
  else await print((html ? dossierHtml : dossierMarkdown)(dossier).slice(0, -1));
}

/** A secret key for sealing on the output, and what it is called in public beside it. */
export async function sealKey(name: string): Promise<undefined> {
  const secret = newSigningKey(name);
  await print(secret);
  say(`Keep this secret, as DOCENT_SEAL_KEY. The public key, for whoever verifies:`);
  say(`  ${readSigningKey(secret).verifying.text}`);
}

/** Seals the history and prints its last checkpoint. Failure `invalid`: no key is configured. */
export async function seal({ sealing }: App): Promise<undefined> {
  if (sealing === null)
    throw new Failure('invalid', `Set DOCENT_SEAL_KEY; ${commandLine('seal-key <name>')} makes a key.`);
  await sealing.seal();
  await print((sealing.checkpoint ?? 'There is nothing to seal yet.\n').slice(0, -1));
}

/** Writes the history into a file, or to the output. */
export async function exportHistory(config: Config, out: string | undefined): Promise<undefined> {
  if (out !== undefined && existsSync(out)) throw new Failure('invalid', `${out} exists already.`);
  const file = out === undefined ? null : createWriteStream(out, { flags: 'wx', mode: 0o600 });
  const signal = interrupted();
  let events = 0;
  await withLog(config, async (log) => {
    for await (const piece of exportLines(log, signal)) {
      events += piece.events;
      if (file === null) await writeExactly(piece.text);
      else if (!file.write(piece.text)) await once(file, 'drain');
    }
  });
  file?.end();
  if (file) await finished(file);
  say(`${events} events${out === undefined ? '' : ` in ${out}`}.`);
}

/** Puts an export back, into a history that is empty or holds the beginning of it. */
export async function importHistory(config: Config, path: string): Promise<undefined> {
  const report = await withLog(config, (log) =>
    copyHistory(exportedLog(path), log, { signal: interrupted() }),
  );
  await print(`${report.events} events, ${report.copied} of them put back now, all compared and equal.`);
}

/** A public key, or a file that holds some, one a line. */
function keysOf(texts: readonly string[]): VerifyingKey[] {
  return texts
    .flatMap((text) => (existsSync(text) ? readFileSync(text, 'utf8').split('\n') : [text]))
    .filter((line) => line.trim() !== '')
    .map(readVerifyingKey);
}

function checkpointOf(path: string): SignedCheckpoint {
  const checkpoint = existsSync(path) ? readCheckpoint(readFileSync(path, 'utf8')) : null;
  if (checkpoint === null) throw new Failure('invalid', `${path} is no file with a checkpoint.`);
  return checkpoint;
}

export interface VerifyHistoryOptions {
  key: string[];
  checkpoint?: string[];
  json?: boolean;
}

/** Holds an export, or the history itself, against its checkpoints and those kept outside. */
export async function verifyHistory(
  config: Config,
  path: string | undefined,
  { key, checkpoint = [], json }: VerifyHistoryOptions,
): Promise<number> {
  const check = new HistoryCheck({ trusted: keysOf(key), outside: checkpoint.map(checkpointOf) });
  const signal = interrupted();
  if (path === undefined) await withLog(config, (log) => checkLog(log, check, signal));
  else await checkExport(path, check, signal);
  const report = check.finish();
  if (json) await printJson(report);
  else await print(reportLines(report));
  return report.intact ? 0 : differs;
}

const pageSize = 500;

async function checkLog(log: EventLog, check: HistoryCheck, signal: AbortSignal): Promise<void> {
  let after: Position | null = null;
  for (;;) {
    const page: StoredEvent[] = await log.readStored(after, pageSize);
    if (page.length === 0) return;
    for (const event of page) check.add(event);
    after = page.at(-1)!.position;
    signal.throwIfAborted();
  }
}

async function checkExport(path: string, check: HistoryCheck, signal: AbortSignal): Promise<void> {
  for await (const lines of exportedLines(path)) {
    for (const line of lines) {
      const event = fromLine(line);
      if (event === null) check.unreadable('The line is no event.');
      else check.add(event);
    }
    signal.throwIfAborted();
  }
}

function* reportLines(report: HistoryReport): Generator<string> {
  const { intact, events, streams, checkpoints, sealed, outside, problems, more } = report;
  yield `${events} events in ${streams} streams, ${checkpoints} checkpoints; the last sound one stands for ${sealed} events.`;
  if (outside > 0) yield `${outside} checkpoint${outside === 1 ? '' : 's'} kept outside hold.`;
  for (const { kind, event, detail } of problems)
    yield `  ${kind.padEnd(10)} ${event === null ? '' : `event ${event}: `}${detail}`;
  if (more > 0) yield `  … ${more} more`;
  yield intact ? 'The history is what was sealed.' : 'The history is not what was sealed.';
}

/** Prints the proof of an event, or that the history begins with that of an earlier checkpoint. */
export async function prove(
  config: Config,
  eventId: string | undefined,
  { since, from }: { since?: string; from?: string },
): Promise<undefined> {
  if ((eventId === undefined) === (since === undefined))
    throw new Failure('invalid', 'Name an event, or an earlier checkpoint with --since.');
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
    await print(`The proof does not hold. ${report.why}`);
    return differs;
  }
  if (report.of === 'event') {
    const { id, type, stream, revision, data, metadata } = report.event;
    await print(
      `Event ${report.index + 1} of ${report.size} is ${type} ${id}, revision ${revision} of ${stream}:\n` +
        `${Buffer.from(metadata)}\n${Buffer.from(data)}`,
    );
  } else await print(`The history of ${report.to} events begins with that of ${report.from}.`);
  return 0;
}

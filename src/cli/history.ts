/** The history on the command line: events, dossiers, export and import. */
import { dossierOf } from '../admin/dossier.ts';
import { dossierHtml, dossierMarkdown } from '../admin/dossier-formats.ts';
import { type HistoryRequest, history } from '../admin/history.ts';
import { type Config, keysOf } from '../config.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Commands } from '../event-sourcing/commands.ts';
import { copyHistory } from '../event-sourcing/copy-history.ts';
import { exportedLog, exportLines } from '../history/export-file.ts';
import { giveUpMissingKeys } from '../history/forget.ts';
import { momentOf } from '../history/past.ts';
import type { EventLog } from '../ports/event-log.ts';
import { openLogAt } from '../workers/main-log.ts';
import { interrupted } from './commands.ts';
import { counted, print, printJson, printMessage, writeOut } from './output.ts';

/** The number of events per page. */
const pageSize = 500;

/** Opens the configured history with its keys. Missing keys are not an error until they are needed. */
export const openHistory = (config: Config, keys: ReturnType<typeof keysOf> | null = keysOf(config)) =>
  openLogAt(config.EVENTSTOREDB_URL ?? config.DOCENT_DATA, config.DOCENT_NAMESPACE, keys, {
    keysMayMiss: true,
  });

/**
 * Opens only the configured history. If `keys` is null, events are read as stored; otherwise reading an event that was
 * sealed with a missing key fails.
 */
export async function withLog<T>(
  config: Config,
  work: (log: EventLog) => Promise<T>,
  keys: ReturnType<typeof keysOf> | null = keysOf(config),
): Promise<T> {
  const { log, close } = await openHistory(config, keys);
  try {
    return await work(log);
  } finally {
    await close();
  }
}

/** Declares the missing keys lost. The read models drop the data the next time a service runs. */
export async function forgetLostKeys(config: Config): Promise<undefined> {
  const { log, keys, close } = await openHistory(config);
  try {
    const clock = { now: () => new Date() };
    const cause = { actor: 'system', correlation_id: uuidv7() };
    await giveUpMissingKeys({ keys, commands: new Commands(log, clock), clock }, cause);
  } finally {
    await close();
  }
  await print('The missing keys were declared lost: text encrypted with them counts as forgotten.');
}

export interface HistoryOptions {
  stream?: string;
  type?: string;
  actor?: string;
  request?: string;
  from?: string;
  to?: string;
  position?: string;
  limit: number;
  forwards?: boolean;
  follow?: boolean;
}

/** Prints events as JSON, one per line. With `follow`, continues with new events until Ctrl-C. */
export async function showHistory(config: Config, options: HistoryOptions): Promise<undefined> {
  const { stream, type, actor, request, from, to, limit, forwards, follow } = options;
  const filter = {
    stream,
    type,
    actor,
    correlation_id: request,
    from: momentOf('--from', from)?.start,
    before: momentOf('--to', to)?.end,
  };
  // Anyone who can read the files needs no permission; only reads with credentials are recorded.
  const acting = { name: '', request_id: '' };
  await withLog(config, async (log) => {
    const { events, followEvents } = history({ log, audit: { read: async () => {} } });
    const direction = forwards || follow ? 'forwards' : 'backwards';
    let [left, position] = [follow ? Number.POSITIVE_INFINITY : limit, options.position ?? null];
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

/** Prints everything recorded about an ask. */
export async function printDossier(
  config: Config,
  requestId: string,
  { json, html }: { json?: boolean; html?: boolean },
): Promise<undefined> {
  const dossier = await withLog(config, (log) => dossierOf(log, requestId));
  if (json) await printJson(dossier);
  else await print((html ? dossierHtml : dossierMarkdown)(dossier).slice(0, -1));
}

/** Writes the history to a file, or to stdout. */
export async function exportHistory(config: Config, out: string | undefined): Promise<undefined> {
  const signal = interrupted();
  let events = 0;
  const lines = async function* (log: EventLog): AsyncGenerator<string> {
    for await (const piece of exportLines(log, signal)) {
      events += piece.events;
      yield piece.text;
    }
  };
  await withLog(config, (log) => writeOut(lines(log), out), null);
  printMessage(`Exported ${counted(events, 'event')}${out === undefined ? '' : ` to ${out}`}.`);
}

/** Imports an export into a history that is empty or contains the beginning of the export. */
export async function importHistory(config: Config, path: string): Promise<undefined> {
  const putBack = (log: EventLog) => copyHistory(exportedLog(path), log, { signal: interrupted() });
  const report = await withLog(config, putBack, null);
  await print(
    `Compared ${counted(report.events, 'event')}, all equal; ${report.copied} imported in this run.`,
  );
}

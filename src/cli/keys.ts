/** Export and import of the encryption keys of personal data on the command line. */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { storedPages } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { KeyPurpose, StoredKey, SubjectKeys } from '../ports/subject-keys.ts';
import { openHistory } from './history.ts';
import { counted, print, printMessage, writeOut } from './output.ts';

/** Number of keys written at a time. */
const portionMax = 1_000;

async function withKeys<T>(
  config: Config,
  work: (keys: SubjectKeys, log: EventLog) => Promise<T>,
): Promise<T> {
  const { log, keys, close } = await openHistory(config);
  try {
    if (keys === null)
      throw new Failure('conflict', "People's words are not sealed here: set REDIS_URL or DOCENT_KEYS.");
    return await work(keys, log);
  } finally {
    await close();
  }
}

/** Writes the keys, wrapped by the master key, one per line, to stdout or to a file that only its owner can read. */
export async function exportKeys(config: Config, out: string | undefined): Promise<undefined> {
  let written = 0;
  const lines = async function* (keys: SubjectKeys): AsyncGenerator<string> {
    let from: string | null = null;
    do {
      const portion: Awaited<ReturnType<SubjectKeys['stored']>> = await keys.stored(from);
      yield portion.keys.map((key) => `${JSON.stringify(key)}\n`).join('');
      written += portion.keys.length;
      from = portion.next;
    } while (from !== null);
  };
  await withKeys(config, (keys) => writeOut(lines(keys), out));
  printMessage(`Exported ${counted(written, 'key')}${out === undefined ? '' : ` to ${out}`}.`);
}

/**
 * Imports exported keys in addition to the existing ones. People who are listed as forgotten in this history stay
 * forgotten: for their keys up to that day, only the ids are imported.
 */
export async function importKeys(config: Config, path: string): Promise<undefined> {
  const put = await withKeys(config, async (keys, log) => {
    const isForgotten = await forgottenIn(log);
    let added = 0;
    for await (const portion of keysIn(path))
      added += await keys.putBack(
        portion.map((key) =>
          key.of !== null && isForgotten(key.of) ? { id: key.id, of: null, wrapped: null } : key,
        ),
      );
    return added;
  });
  await print(`Imported ${counted(put, 'key')}.`);
}

/**
 * Determines which keys the history lists as forgotten: a person's keys up to a day, or all keys before a day (UTC).
 */
async function forgottenIn(log: EventLog): Promise<(of: KeyPurpose) => boolean> {
  const lastDays = new Map<string, string>();
  let expiredBefore = '';
  for await (const page of storedPages(log))
    for (const { type, data } of page) {
      if (type !== 'SubjectForgotten' && type !== 'WordsExpired') continue;
      const { subject, forgotten_at, before } = JSON.parse(Buffer.from(data).toString('utf8'));
      if (type === 'SubjectForgotten') lastDays.set(subject, String(forgotten_at).slice(0, 10));
      else if (before > expiredBefore) expiredBefore = before;
    }
  return ({ subject, day }) => day < expiredBefore || day.slice(0, 10) <= (lastDays.get(subject) ?? '');
}

async function* keysIn(path: string): AsyncGenerator<StoredKey[]> {
  if (!existsSync(path)) throw new Failure('not_found', `${path} cannot be read.`);
  const file = await open(path);
  let keys: StoredKey[] = [];
  for await (const line of file.readLines()) {
    keys.push(keyOf(line));
    if (keys.length < portionMax) continue;
    yield keys;
    keys = [];
  }
  yield keys;
}

function keyOf(line: string): StoredKey {
  try {
    const { id, of, wrapped } = JSON.parse(line) as StoredKey;
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    if (isText(id) && of === null && wrapped === null) return { id, of, wrapped };
    if (isText(id) && isText(of?.subject) && isText(of?.day) && isText(wrapped)) return { id, of, wrapped };
  } catch {
    // Reported below, without the content of the line.
  }
  throw new Failure('invalid', 'A line of the file is not a key.');
}

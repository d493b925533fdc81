/**
 * The output of commands: results, which programs may read, go to stdout; progress and messages for users go to stderr.
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../failures.ts';

/** The reader of the output has stopped reading (`docent documents | head`). This is an ordinary end, not an error. */
export class ReaderGone extends Error {
  constructor() {
    super('The output is no longer read.');
    this.name = 'ReaderGone';
  }
}

const linesAtOnce = 500;
let gone = false;

/** Keeps the process running when a reader stops reading. Call this once, before anything is written. */
export function surviveReaders(): void {
  const leave = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
  };
  process.stdout.on('error', leave);
  // It is not an error if nobody reads the messages.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * Replaces characters that a terminal could interpret as commands, such as erasing text. File names and document texts
 * may contain them.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced here.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/**
 * Writes to stdout and resolves once the text was accepted. Rejects with ReaderGone if the reader has stopped reading.
 */
export const write = (text: string): Promise<void> => writeExactly(printable(text));

/** Like `write`, for programs that need every character unchanged. */
export async function writeExactly(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    if (gone) reject(new ReaderGone());
    else
      process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        if (!error) resolve();
        else reject(error.code === 'EPIPE' ? new ReaderGone() : error);
      });
  });
}

/**
 * Writes an export to stdout, or to a new file that only its owner can read. Fails with `invalid` if the file exists.
 */
export async function writeOut(pieces: AsyncIterable<string>, out: string | undefined): Promise<void> {
  if (out === undefined) {
    for await (const piece of pieces) await writeExactly(piece);
    return;
  }
  await pipeline(pieces, createWriteStream(out, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new Failure('invalid', `${out} already exists.`);
    throw error;
  });
}

/** Writes one line or several. Rejects with ReaderGone if the reader has stopped reading. */
export async function print(lines: string | Iterable<string>): Promise<void> {
  if (typeof lines === 'string') return write(`${lines}\n`);
  let batch: string[] = [];
  for (const line of lines) {
    if (batch.push(line) < linesAtOnce) continue;
    await write(`${batch.join('\n')}\n`);
    batch = [];
  }
  if (batch.length > 0) await write(`${batch.join('\n')}\n`);
}

export const printJson = (value: unknown): Promise<void> => print(JSON.stringify(value, null, 2));

/** A number with its noun: "1 document", "2 documents". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Prints a message to the user of the command. */
export function printMessage(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

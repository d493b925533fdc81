/** What commands write: results to stdout, for machines too; progress and messages to stderr, for people. */

/** Whoever read the output has stopped reading (`docent documents | head`): that is an end, not an error. */
export class ReaderGone extends Error {
  constructor() {
    super('Nobody reads the output any more.');
    this.name = 'ReaderGone';
  }
}

const linesAtOnce = 500;
let gone = false;

/** Lets the process outlive readers that leave. Once, before anything is written. */
export function surviveReaders(): void {
  const leave = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
  };
  process.stdout.on('error', leave);
  // Nothing is lost with messages that nobody reads.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * Text as it is shown: a file's name, or a text of a document, may hold what a terminal takes for a command of its own
 * (erase this, write there), and stands in one line.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** Writes to stdout and resolves when it has been taken. ReaderGone where nobody reads it. */
export const write = (text: string): Promise<void> => writeExactly(printable(text));

/** The same of a text for programs, in which every character counts. */
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

/** Writes a line, or many of them. ReaderGone where nobody reads them. */
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

/** A message to whoever runs the command. */
export function printMessage(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

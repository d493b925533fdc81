/**
 * `docent hash-password`: hashes a password, which is either entered twice at a prompt without echo or read from a
 * pipe.
 */
import { createInterface } from 'node:readline';
import { Failure } from '../failures.ts';
import { hashPassword } from './admins.ts';

/** Shorter passwords are rejected. */
const lengthMin = 8;

/**
 * Returns the hash for DOCENT_ADMINS. `input` is either a terminal, where a prompt is shown, or a pipe, whose first
 * line is used. Fails with `invalid` if the password is empty or too short or the two entries differ, and with
 * `cancelled` on Ctrl-C.
 */
export async function askAndHash(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  print: (text: string) => void,
): Promise<string> {
  const password = input.isTTY ? await typedTwice(input, print) : await firstLine(input);
  return hashPassword(checkedPassword(password));
}

/** The password. Fails with `invalid` if it is too short. */
export function checkedPassword(password: string): string {
  if ([...password].length < lengthMin)
    throw new Failure('invalid', `A password needs at least ${lengthMin} characters.`);
  return password;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  try {
    return await nextLine(lines[Symbol.asyncIterator]());
  } finally {
    lines.close();
  }
}

async function typedTwice(input: NodeJS.ReadableStream, print: (text: string) => void): Promise<string> {
  // In terminal mode, readline handles each key itself; without an output it echoes nothing.
  const terminal = createInterface({ input, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();
  // Otherwise Ctrl-C would only end the input, and the text typed so far would be used.
  let interrupted = false;
  terminal.once('SIGINT', () => {
    interrupted = true;
    terminal.close();
  });
  const answer = async (): Promise<string> => {
    const line = await nextLine(lines);
    if (!interrupted) return line;
    print('\n');
    throw new Failure('cancelled', 'No password was entered.');
  };
  try {
    print('Password: ');
    const first = await answer();
    print('\nAgain: ');
    const second = await answer();
    print('\n');
    if (first !== second) throw new Failure('invalid', 'The two passwords differ.');
    return first;
  } finally {
    terminal.close();
  }
}

/** The next line; empty at the end of the input. */
async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  return next.done ? '' : next.value;
}

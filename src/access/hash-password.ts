/** `docent hash-password`: a password asked for twice without being shown, or read from a pipe, as its hash. */
import { createInterface } from 'node:readline';
import { Failure } from '../failures.ts';
import { hashPassword } from './admins.ts';

/** Shorter ones are refused. */
const lengthMin = 8;

/**
 * The hash for DOCENT_ADMINS. `input`: a terminal, which is asked, or a pipe, whose first line counts. Failure
 * `invalid`: nothing, too short, or not the same twice.
 */
export async function askAndHash(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  say: (text: string) => void,
): Promise<string> {
  const password = input.isTTY ? await typedTwice(input, say) : await firstLine(input);
  if ([...password].length < lengthMin)
    throw new Failure('invalid', `A password has at least ${lengthMin} characters.`);
  return hashPassword(password);
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  try {
    return await nextLine(lines[Symbol.asyncIterator]());
  } finally {
    lines.close();
  }
}

async function typedTwice(input: NodeJS.ReadableStream, say: (text: string) => void): Promise<string> {
  // As a terminal readline takes each key itself, and without an output it shows none.
  const terminal = createInterface({ input, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    say('Password: ');
    const first = await nextLine(lines);
    say('\nAgain: ');
    const second = await nextLine(lines);
    say('\n');
    if (first !== second) throw new Failure('invalid', 'The two are not the same.');
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

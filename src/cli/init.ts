/**
 * `docent init`: asks for the few settings that a service needs, and writes a commented .env (with a first
 * administrator and new secrets) and a corpus manifest. It never overwrites a file.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { stringify } from 'yaml';
import { hashPassword } from '../access/admins.ts';
import { checkedPassword } from '../access/hash-password.ts';
import { languages } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { parseManifest } from '../ingest/manifest.ts';
import { commandLine } from './command-line.ts';
import { print } from './output.ts';

export interface InitOptions {
  admin?: string;
  /** Whether the first line of stdin is the password. */
  passwordStdin?: boolean;
  corpus?: string;
  title?: string;
  folder?: string;
  public?: 'open' | 'key';
  port?: number;
}

const envFile = '.env';

/** Returns status 0. Fails with `conflict` if there is already a .env, and with `invalid` if an answer is invalid. */
export async function init(
  options: InitOptions,
  input = process.stdin,
  output = process.stderr,
): Promise<number> {
  if (existsSync(envFile))
    throw new Failure('conflict', `${envFile} already exists here and was not changed.`);
  const said = await answers(options, input, output);
  const folder = said.folder;
  const manifest = manifestOf(said);
  const password = said.password ?? randomBytes(12).toString('base64url');
  const text = envOf(said, await hashPassword(password));
  writeFileSync(envFile, text, { flag: 'wx', mode: 0o600 });
  await print(`Wrote ${envFile}. It contains secrets: keep a copy in a safe place.`);
  if (said.password === null)
    await print(`Administrator ${said.admin}, password ${password}   (shown only once)`);
  const path = join(folder, 'corpus.yaml');
  if (existsSync(path)) await print(`${path} already exists and was not changed.`);
  else {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, manifest, { flag: 'wx' });
    await print(`Wrote ${path}. Put your documents next to it.`);
  }
  await print(['Next:', ...['doctor', `ingest ${folder}`, 'serve'].map((next) => `  ${commandLine(next)}`)]);
  return 0;
}

interface InitAnswers {
  admin: string;
  /** If null, a password is generated. */
  password: string | null;
  corpus: string;
  title: string;
  folder: string;
  public: 'open' | 'key';
  port: number;
}

/** On a terminal, asks for values that were not given as options; otherwise uses the defaults. */
async function answers(
  options: InitOptions,
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<InitAnswers> {
  const isAsked = input.isTTY === true && !options.passwordStdin;
  const lines = createInterface({ input, output, terminal: isAsked });
  lines.once('SIGINT', () => lines.close());
  const ask = async (given: string | undefined, question: string, usual: string): Promise<string> => {
    if (given !== undefined || !isAsked) return given ?? usual;
    const line = await lines.question(`${question} [${usual}]: `);
    return line.trim() || usual;
  };
  try {
    const admin = await ask(options.admin, 'Name of the administrator', 'admin');
    if (!/^[^\s:,]{1,64}$/.test(admin))
      throw new Failure('invalid', 'The name of an administrator cannot contain a space, colon or comma.');
    const corpus = await ask(options.corpus, 'Identifier of the corpus', 'handbook');
    const title = await ask(options.title, 'Its title', corpus);
    const folder = await ask(options.folder, 'Folder of its documents', `./${corpus}`);
    const open = await ask(options.public, 'Who may ask: open (anyone) or key (with an API key)', 'open');
    if (open !== 'open' && open !== 'key') throw new Failure('invalid', 'Answer "open" or "key".');
    const password = options.passwordStdin
      ? checkedPassword((await lines[Symbol.asyncIterator]().next()).value ?? '')
      : null;
    return { admin, password, corpus, title, folder, public: open, port: options.port ?? 8080 };
  } finally {
    lines.close();
  }
}

/** Fails with `invalid` if the answers do not form a valid manifest. */
function manifestOf({ corpus, title }: InitAnswers): string {
  const text = [
    '# The corpus of this folder. docs/corpora.md describes layers, dates and rules for files.',
    stringify({ id: corpus, title, languages: [...languages], layers: [{ name: 'main', title }] }),
  ].join('\n');
  const { faults } = parseManifest(text);
  if (faults.length > 0) throw new Failure('invalid', faults.map(({ message }) => message).join('\n'));
  return text;
}

const secret = () => randomBytes(32).toString('hex');

const envOf = (
  { admin, corpus, public: open, port }: InitAnswers,
  hash: string,
): string => `# Settings of Docent. docs/configuration.md lists all of them. This file holds secrets: keep it out of version control.

# The port on this machine.
PORT=${port}
# The public address, for links to sources.
#DOCENT_PUBLIC_URL=https://docent.example.org
# The reverse proxy in front, if there is one.
#DOCENT_TRUST_PROXY=loopback

# name:role:hash, separated by commas; docent hash-password prints a hash.
DOCENT_ADMINS=${admin}:admin:${hash}
# open: anyone may ask; key: only with an API key.
DOCENT_PUBLIC=${open}
# The corpus for questions that name none.
DOCENT_DEFAULT_CORPUS=${corpus}

# Wraps the keys that encrypt people's words. If it is lost, so are the words. Keep it apart from backups.
DOCENT_MASTER_KEY=${secret()}
# Signs the addresses of sources, and pseudonymises chats.
DOCENT_SECRET=${secret()}

# Language models. Without one, answers are quoted from the documents.
#COHERE_API_KEY=
#OPENAI_BASE_URL=http://127.0.0.1:11434/v1
#OPENAI_CHAT_MODEL=

# Chats.
#SLACK_BOT_TOKEN=xoxb-…
#SLACK_APP_TOKEN=xapp-…
#TELEGRAM_BOT_TOKEN=
`;

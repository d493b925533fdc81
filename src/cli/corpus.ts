/** The corpus a command uses if none is named. */
import type { App } from '../app-port.ts';
import { Failure } from '../failures.ts';
import { commandLine } from './command-line.ts';

/**
 * A command needs a corpus: the default one or the only one. Where there are several or none, Failure `not_found` says so
 * and how to go on. `command`: as it is called, without its options.
 */
export async function refuseManyCorpora(app: App, command: string): Promise<void> {
  const corpora = await app.corpora();
  if (corpora.some((corpus) => corpus.is_default)) return;
  if (corpora.length === 0)
    throw new Failure(
      'not_found',
      `There is no corpus yet. Take documents in: ${commandLine('ingest <folder> --corpus <id>')}`,
    );
  const width = Math.max(...corpora.map(({ corpus_id }) => corpus_id.length));
  throw new Failure(
    'not_found',
    [
      'There are several corpora, and the command names none of them:',
      ...corpora.map(({ corpus_id, title }) => `  ${corpus_id.padEnd(width)}  ${title}`),
      `Name one: ${commandLine(`${command} --corpus ${corpora[0]!.corpus_id}`)}`,
      'or set DOCENT_DEFAULT_CORPUS.',
    ].join('\n'),
  );
}

/** Determines the corpus of a command. */
import type { App } from '../app-port.ts';
import { Failure } from '../failures.ts';
import { commandLine } from './command-line.ts';

/**
 * Checks that the corpus of a command exists: the specified one, otherwise the default or the only one. If it does not,
 * fails with `not_found`, lists the existing ones and explains what to do. `command` is the command as typed, without
 * its options.
 */
export async function requireCorpus(app: App, named: string | undefined, command: string): Promise<void> {
  const corpora = await app.corpora();
  if (corpora.some(({ corpus_id, is_default }) => (named === undefined ? is_default : corpus_id === named)))
    return;
  if (corpora.length === 0)
    throw new Failure(
      'not_found',
      `There is no corpus yet. Ingest documents: ${commandLine('ingest <folder> --corpus <id>')}`,
    );
  const width = Math.max(...corpora.map(({ corpus_id }) => corpus_id.length));
  throw new Failure(
    'not_found',
    [
      named === undefined
        ? 'There are several corpora, and the command does not specify one:'
        : `There is no active corpus "${named}". Active corpora:`,
      ...corpora.map(({ corpus_id, title }) => `  ${corpus_id.padEnd(width)}  ${title}`),
      `Specify one: ${commandLine(`${command} --corpus ${corpora[0]!.corpus_id}`)}`,
      ...(named === undefined ? ['or set DOCENT_DEFAULT_CORPUS.'] : []),
    ].join('\n'),
  );
}

/** `docent completion`: prints a shell script that completes commands and options, generated from the commands. */
import type { Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Completed {
  /** The preceding commands, such as `chats set`; empty for the first word. */
  path: string;
  words: { word: string; about: string }[];
}

/** Every command with the words that may follow it: subcommands and long options. */
function completed(command: Command, path: readonly string[] = []): Completed[] {
  const commands = command.commands.map((one) => ({ word: one.name(), about: one.description() }));
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, about: description }] : [],
  );
  return [
    { path: path.join(' '), words: [...commands, ...options] },
    ...command.commands.flatMap((one) => completed(one, [...path, one.name()])),
  ];
}

/** The script to be evaluated by the shell. It completes file names if nothing else fits. */
export function completionScript(program: Command, shell: Shell): string {
  const all = completed(program);
  return shell === 'fish' ? fish(all) : shell === 'zsh' ? `${zshStart}\n${bash(all)}` : bash(all);
}

const zshStart = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit';

/**
 * zsh runs this script too. In zsh, `path` and `words` are shell variables, and `:name` after a variable is a modifier.
 */
function bash(all: readonly Completed[]): string {
  const commands = all.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const cases = all.map(
    ({ path, words }) => `    "${path}") offered="${words.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `_docent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" given="" offered="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${given:+$given }$word" in ${commands.join('|')}) given="\${given:+$given }$word" ;; esac
  done
  case "$given" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _docent docent
`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;

function fish(all: readonly Completed[]): string {
  const commands = all.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const lines = all.flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      // File names are offered where no further command is expected.
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c docent -n ${quoted(`__docent_given ${quoted(path)}`)} ${what} -d ${quoted(about)}`;
    }),
  );
  return `function __docent_given
  set -l given
  for word in (commandline -opc)[2..-1]
    contains -- (string join ' ' $given $word) ${commands.join(' ')}
    and set given (string join ' ' $given $word)
  end
  test "$given" = "$argv"
end
${lines.join('\n')}
`;
}

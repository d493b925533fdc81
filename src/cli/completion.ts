/** `docent completion`: prints a shell script that completes commands and options, generated from the commands. */
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
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

/** The script for the shell to evaluate. It completes file names if nothing else fits. */
export function completionScript(program: Command, shell: Shell): string {
  const all = completed(program);
  return shell === 'fish' ? fish(all) : shell === 'zsh' ? `${zshStart}\n${bash(all)}` : bash(all);
}

const zshStart = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit';

function bash(all: readonly Completed[]): string {
  const commands = all.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const cases = all.map(
    ({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `_docent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in ${commands.join('|')}) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _docent docent
`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;

function fish(all: readonly Completed[]): string {
  return all
    .flatMap(({ path, words }) => {
      const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
      const condition = seen.length === 0 ? '__fish_use_subcommand' : seen.join('; and ');
      return words.map(({ word, about }) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
        return `complete -c docent -n ${quoted(condition)} ${what} -d ${quoted(about)}\n`;
      });
    })
    .join('');
}

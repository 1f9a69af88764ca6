import type { CommandWords } from './command-words.ts';
import { quoteWord } from './quote-word.ts';

/** A script for zsh, to be sourced after compinit, or put into a folder of $fpath as `_vouch`. */
export function writeZsh(commands: readonly CommandWords[]): string {
  const names = commands.filter(({ path }) => path !== '').map(({ path }) => quoteWord(path));
  return `#compdef vouch
# zsh completion for vouch. Put this into ~/.zshrc, after compinit: source <(vouch completion zsh)
_vouch() {
  local command='' word previous=\${words[CURRENT-1]}
  local -a entries
  for word in \${words[2,CURRENT-1]}; do
    case "\${command:+$command }$word" in
      ${names.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${commands.map(zshCase).join('\n')}
  esac
  if (( \${#entries} )); then
    _describe vouch entries
  else
    _files
  fi
}
(( \${+functions[compdef]} )) && compdef _vouch vouch
`;
}

function zshCase({ path, flags, words }: CommandWords): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  const values = valued.map(
    ({ names, values: known = [] }) =>
      `        ${names.join('|')}) entries=(${known.map((value) => entry(value, '')).join(' ')}) ;;`,
  );
  const rest = `        *) if [[ "$PREFIX" == -* ]]; then entries=(${flags.flatMap(({ names, description }) => names.map((name) => entry(name, description))).join(' ')}); else entries=(${words.map(({ word, description }) => entry(word, description)).join(' ')}); fi ;;`;
  return `    ${quoteWord(path)})\n      case "$previous" in\n${[...values, rest].join('\n')}\n      esac ;;`;
}

/** A colon parts a word from its description. */
function entry(word: string, description: string): string {
  return quoteWord(
    description === ''
      ? word.replaceAll(':', '\\:')
      : `${word.replaceAll(':', '\\:')}:${description}`,
  );
}

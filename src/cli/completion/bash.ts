import type { CommandWords, FlagWords } from './command-words.ts';
import { quoteWord } from './quote-word.ts';

/** A script for bash 3.2 and newer, macOS's among them, that needs no package `bash-completion`. */
export function writeBash(commands: readonly CommandWords[]): string {
  const nested = commands.filter(({ path }) => path.includes(' ')).map(({ path }) => path);
  return `# bash completion for vouch. Put this into ~/.bashrc: source <(vouch completion bash)
_vouch() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' word i values='' flags='' words=''
  COMPREPLY=()
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
      ' -'*) ;;
      ${alternatives(commands.filter(({ path }) => path !== '' && !path.includes(' ')).map(({ path }) => ` ${path}`))}) path="$word" ;;
${nested.length === 0 ? '' : `      ${alternatives(nested)}) path="$path $word" ;;\n`}    esac
  done
  case "$path" in
${commands.map(bashCase).join('\n')}
  esac
  if [[ -n "$values" ]]; then
    COMPREPLY=( $(compgen -W "$values" -- "$cur") )
  elif [[ "$cur" == -* ]]; then
    COMPREPLY=( $(compgen -W "$flags" -- "$cur") )
  else
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  fi
}
complete -o default -F _vouch vouch
`;
}

function bashCase({ path, flags, words }: CommandWords): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  return `    ${quoteWord(path)})
      flags=${quoteWord(flags.flatMap(({ names }) => names).join(' '))}
      words=${quoteWord(words.map(({ word }) => word).join(' '))}
${valued.length === 0 ? '' : `      case "$prev" in\n${valueCases(valued).join('\n')}\n      esac\n`}      ;;`;
}

/**
 * Flags with the same values share a line. Behind one whose values nobody can list, files are
 * offered, and no words.
 */
function valueCases(flags: readonly FlagWords[]): string[] {
  return [...Map.groupBy(flags, ({ values = [] }) => values.join(' '))].map(([values, alike]) => {
    const known = values === '' ? `words='' flags=''` : `values=${quoteWord(values)}`;
    return `        ${alike.flatMap(({ names }) => names).join('|')}) ${known} ;;`;
  });
}

function alternatives(words: readonly string[]): string {
  return words.map(quoteWord).join('|');
}

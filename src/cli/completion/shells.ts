import { shellQuote } from '../../http/curl.ts';
import type { CommandCompletion, FlagCompletion } from './completions.ts';

/** A supported shell. */
export interface Shell {
  readonly name: string;
  /** How to enable the completion, for the help. */
  readonly use: string;
  write(commands: readonly CommandCompletion[]): string;
}

/** Every shell, in the order of the help. */
export const shells = [
  { name: 'bash', use: 'source <(vouch completion bash)', write: writeBash },
  { name: 'zsh', use: 'source <(vouch completion zsh)', write: writeZsh },
  { name: 'fish', use: 'vouch completion fish | source', write: writeFish },
  {
    name: 'powershell',
    use: 'vouch completion powershell | Out-String | Invoke-Expression',
    write: writePowershell,
  },
] as const satisfies readonly Shell[];

/** A script for bash 3.2 (macOS) and newer; it does not need the package `bash-completion`. */
function writeBash(commands: readonly CommandCompletion[]): string {
  const paths = commands.map(({ path }) => path);
  const nested = paths.filter((path) => path.includes(' '));
  const top = paths.filter((path) => path !== '' && !path.includes(' ')).map((path) => ` ${path}`);
  return `# bash completion for vouch. Put this into ~/.bashrc: source <(vouch completion bash)
_vouch() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' word i values='' flags='' words=''
  COMPREPLY=()
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word="\${COMP_WORDS[i]}"
    case "$path $word" in
      ' -'*) ;;
      ${alternatives(top)}) path="$word" ;;
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

function bashCase({ path, flags, words }: CommandCompletion): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  const cases =
    valued.length === 0 ? [] : ['      case "$prev" in', ...bashValueCases(valued), '      esac'];
  return [
    `    ${shellQuote(path)})`,
    `      flags=${shellQuote(flags.flatMap(({ names }) => names).join(' '))}`,
    `      words=${shellQuote(words.map(({ word }) => word).join(' '))}`,
    ...cases,
    '      ;;',
  ].join('\n');
}

/** Flags with the same values share a case. A flag that takes any value completes file names. */
function bashValueCases(flags: readonly FlagCompletion[]): string[] {
  return [...Map.groupBy(flags, ({ values = [] }) => values.join(' '))].map(([values, alike]) => {
    const known = values === '' ? `words='' flags=''` : `values=${shellQuote(values)}`;
    return `        ${alike.flatMap(({ names }) => names).join('|')}) ${known} ;;`;
  });
}

function alternatives(words: readonly string[]): string {
  return words.map(shellQuote).join('|');
}

/** A script for zsh, to be sourced after compinit, or put into a folder of $fpath as `_vouch`. */
function writeZsh(commands: readonly CommandCompletion[]): string {
  const names = commands.filter(({ path }) => path !== '').map(({ path }) => shellQuote(path));
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

function zshCase({ path, flags, words }: CommandCompletion): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  const values = valued.map(
    ({ names, values: known = [] }) =>
      `        ${names.join('|')}) ` +
      `entries=(${known.map((value) => entry(value, '')).join(' ')}) ;;`,
  );
  const flagEntries = flags.flatMap(({ names, description }) =>
    names.map((name) => entry(name, description)),
  );
  const rest =
    '        *) if [[ "$PREFIX" == -* ]]; then ' +
    `entries=(${flagEntries.join(' ')}); ` +
    `else entries=(${words.map(({ word, description }) => entry(word, description)).join(' ')}); ` +
    'fi ;;';
  return (
    `    ${shellQuote(path)})\n      case "$previous" ` +
    `in\n${[...values, rest].join('\n')}\n      esac ;;`
  );
}

/** A word with its description, separated by a colon. */
function entry(word: string, description: string): string {
  return shellQuote(
    description === ''
      ? word.replaceAll(':', '\\:')
      : `${word.replaceAll(':', '\\:')}:${description}`,
  );
}

/** A script for fish 3 and newer. */
function writeFish(commands: readonly CommandCompletion[]): string {
  return `# fish completion for vouch. Run once:
# vouch completion fish > ~/.config/fish/completions/vouch.fish
${commands.flatMap((command) => linesOf(command, commands)).join('\n')}
`;
}

function linesOf(
  { path, flags, words }: CommandCompletion,
  commands: readonly CommandCompletion[],
): string[] {
  const condition = quoteFish(conditionOf(path, commands));
  const known = words.map(
    ({ word, description }) =>
      `complete -c vouch -n ${condition} -f -a ${quoteFish(word)}${described(description)}`,
  );
  return [
    ...known,
    ...flags.map(
      (flag) =>
        `complete -c vouch -n ${condition} ${flagWords(flag)}${described(flag.description)}`,
    ),
  ];
}

function conditionOf(path: string, commands: readonly CommandCompletion[]): string {
  if (path === '') return '__fish_use_subcommand';
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = commands
    .filter((other) => other.path.startsWith(`${path} `))
    .map((other) => other.path.slice(path.length + 1));
  return [
    ...seen,
    ...(below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`]),
  ].join('; and ');
}

function flagWords({ names, values }: FlagCompletion): string {
  const words = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  if (values === undefined) return words.join(' ');
  return [
    ...words,
    ...(values.length === 0 ? ['-r'] : ['-x', `-a ${quoteFish(values.join(' '))}`]),
  ].join(' ');
}

function described(description: string): string {
  return description === '' ? '' : ` -d ${quoteFish(description)}`;
}

/** Escapes backslashes and quotes for single quotes in fish. */
function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A script for PowerShell 5.1 and newer. Without a match, PowerShell completes file names. */
function writePowershell(commands: readonly CommandCompletion[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# PowerShell completion for vouch. Put this into $PROFILE:
# vouch completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName vouch -ScriptBlock {
  param($word, $line, $cursor)
  $before = @($line.CommandElements |
    Where-Object { $_.Extent.EndOffset -lt $cursor } |
    Select-Object -Skip 1 |
    ForEach-Object { $_.ToString() })
  $command = ''
  foreach ($each in $before) {
    $longer = "$command $each".Trim()
    if (${listOf(paths)} -ccontains $longer) { $command = $longer }
  }
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }
  $offered = @(switch -CaseSensitive ($command) {
${commands.map(commandCase).join('\n')}
  })
  $offered | Where-Object { $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function commandCase({ path, flags, words }: CommandCompletion): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  const rest =
    `if ($word.StartsWith('-')) { ` +
    `${listOf(flags.flatMap(({ names }) => names))} } else { ` +
    `${listOf(words.map(({ word }) => word))} }`;
  const cases =
    valued.length === 0 ? [rest] : [...powershellValueCases(valued), `else { ${rest} }`];
  return [`    ${quotePowershell(path)} {`, ...cases.map((text) => `      ${text}`), '    }'].join(
    '\n',
  );
}

/** Flags with the same values share a case. */
function powershellValueCases(flags: readonly FlagCompletion[]): string[] {
  const alike = [...Map.groupBy(flags, ({ values = [] }) => listOf(values))];
  return alike.map(
    ([values, group], index) =>
      `${index === 0 ? 'if' : 'elseif'} ` +
      `(${listOf(group.flatMap(({ names }) => names))} -ccontains $previous) { ` +
      `${values} }`,
  );
}

function listOf(words: readonly string[]): string {
  return `@(${words.map(quotePowershell).join(', ')})`;
}

/** Quotes a text for PowerShell: within single quotes, only the quote itself is doubled. */
function quotePowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

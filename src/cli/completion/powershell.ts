import type { CommandWords, FlagWords } from './command-words.ts';

/** A script for PowerShell 5.1 and newer. Where it offers nothing, PowerShell offers files. */
export function writePowershell(commands: readonly CommandWords[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# PowerShell completion for vouch. Put this into $PROFILE: vouch completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName vouch -ScriptBlock {
  param($word, $line, $cursor)
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $command = ''
  foreach ($each in $before) {
    $longer = "$command $each".Trim()
    if (${listOf(paths)} -ccontains $longer) { $command = $longer }
  }
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }
  $offered = @(switch -CaseSensitive ($command) {
${commands.map(commandCase).join('\n')}
  })
  $offered | Where-Object { $_.StartsWith($word) } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

function commandCase({ path, flags, words }: CommandWords): string {
  const valued = flags.filter(({ values }) => values !== undefined);
  const rest = `if ($word.StartsWith('-')) { ${listOf(flags.flatMap(({ names }) => names))} } else { ${listOf(words.map(({ word }) => word))} }`;
  return `    ${quote(path)} {\n${[...valueCases(valued), `else { ${rest} }`].map((text, index) => `      ${index === 0 && valued.length === 0 ? rest : text}`).join('\n')}\n    }`;
}

/** Flags with the same values share a line. */
function valueCases(flags: readonly FlagWords[]): string[] {
  const alike = [...Map.groupBy(flags, ({ values = [] }) => listOf(values))];
  return alike.map(
    ([values, group], index) =>
      `${index === 0 ? 'if' : 'elseif'} (${listOf(group.flatMap(({ names }) => names))} -ccontains $previous) { ${values} }`,
  );
}

function listOf(words: readonly string[]): string {
  return `@(${words.map(quote).join(', ')})`;
}

/** Within single quotes PowerShell takes everything as it is, but for a quote, which is doubled. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

import type { CommandWords, FlagWords } from './command-words.ts';

/** A script for fish 3 and newer. */
export function writeFish(commands: readonly CommandWords[]): string {
  return `# fish completion for vouch. Run once: vouch completion fish > ~/.config/fish/completions/vouch.fish
${commands.flatMap((command) => linesOf(command, commands)).join('\n')}
`;
}

function linesOf(
  { path, flags, words }: CommandWords,
  commands: readonly CommandWords[],
): string[] {
  const condition = quote(conditionOf(path, commands));
  const known = words.map(
    ({ word, description }) =>
      `complete -c vouch -n ${condition} -f -a ${quote(word)}${described(description)}`,
  );
  return [
    ...known,
    ...flags.map(
      (flag) =>
        `complete -c vouch -n ${condition} ${flagWords(flag)}${described(flag.description)}`,
    ),
  ];
}

function conditionOf(path: string, commands: readonly CommandWords[]): string {
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

function flagWords({ names, values }: FlagWords): string {
  const words = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  if (values === undefined) return words.join(' ');
  return [
    ...words,
    ...(values.length === 0 ? ['-r'] : ['-x', `-a ${quote(values.join(' '))}`]),
  ].join(' ');
}

function described(description: string): string {
  return description === '' ? '' : ` -d ${quote(description)}`;
}

/** In fish a backslash and a quote are escaped within single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

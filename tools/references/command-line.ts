import { commands } from '../../src/cli/commands/index.ts';
import { main } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/io.ts';

const width = 100;

/** The whole help of every command, as a terminal shows it. */
export async function commandLineReference(): Promise<string> {
  const helpOf = async (...words: readonly string[]): Promise<string> => {
    let text = '';
    const take = (more: string): void => {
      text += more;
    };
    await main([...words, '--help-all'], { ...nowhere, width, out: take, err: take });
    return text.trimEnd();
  };
  const pages = [];
  for (const name of ['', ...commands.map((command) => command.name)])
    pages.push(
      `## vouch${name === '' ? '' : ` ${name}`}`,
      '',
      '```',
      await helpOf(...(name === '' ? [] : [name])),
      '```',
      '',
    );
  return [
    '# The command line',
    '',
    'Generated from `src/cli/commands/` by `npm run docs`. `-h` prints what is used most, ' +
      '`--help-all` this.',
    '',
    ...pages,
  ].join('\n');
}

/** Help reads and writes no files. */
const refuse = (): never => {
  throw new Error('Help touched a file.');
};
const nowhere: Omit<Io, 'out' | 'err' | 'width'> = {
  env: {},
  clock: () => new Date(0),
  isTTY: { out: false, err: false },
  signal: new AbortController().signal,
  readFile: refuse,
  writeFile: refuse,
  openFile: refuse,
  appendFile: refuse,
};

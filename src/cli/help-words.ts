import { InvalidArgumentError, type Command, type Option } from 'commander';
import { meantWord } from '../nearest-word.ts';

/** The flags that `-h` shows of commands that have many; `--help` shows all. */
const oftenUsed: Readonly<Record<string, readonly string[]>> = {
  check: [
    '--auth',
    '--header',
    '--server',
    '--self',
    '--mode',
    '--include',
    '--only',
    '--plan',
    '--seed',
    '--reporter',
    '--fail-on',
    '--baseline',
    '--config',
    '--help',
  ],
  mock: [
    '--port',
    '--host',
    '--auth',
    '--scenario',
    '--persist',
    '--watch',
    '--quiet',
    '--prism',
    '--explain',
    '--config',
    '--help',
  ],
};

/** Whether a flag stands in the short help of its command. */
export function isOftenUsed(command: Command, { long }: Option): boolean {
  return oftenUsed[command.name()]?.includes(long ?? '') ?? true;
}

/** What the help says of a flag: what it may be, and what it is when nobody says so. */
export function describeOption({
  description,
  argChoices,
  defaultValue,
  required,
  optional,
}: Option): string {
  const isTold =
    (required || optional) &&
    (typeof defaultValue === 'string' || typeof defaultValue === 'number');
  const more = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(isTold ? [`default: ${String(defaultValue)}`] : []),
  ].join('; ');
  return more === '' ? description : `${description} (${more})`;
}

/** A flag that takes one of a few words; a wrong one is answered with the nearest right one. */
export function oneOf(option: Option, words: readonly string[]): Option {
  return option.choices(words).argParser((given) => {
    if (words.includes(given)) return given;
    const nearest = meantWord(given, words);
    throw new InvalidArgumentError(
      nearest === undefined
        ? `Allowed choices are ${words.join(', ')}.`
        : `Did you mean ${nearest}?`,
    );
  });
}

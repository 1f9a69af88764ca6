import { countOf } from '../text/counts.ts';
import { cutText } from '../text/safe-text.ts';

const longestText = 600;
const longestValue = 200;
const longestCommand = 1000;
/** Texts in quotes, also the short ones, so that what stands between two of them is none. */
const values = new RegExp(String.raw`"([^"]*)"|\S{${String(longestValue + 1)},}`, 'g');

/** A sentence of a finding for people: each value in it, and the whole, has a bounded length. */
export function shownText(text: string): string {
  return cutText(text.replaceAll(values, shortenValue), longestText);
}

/** A text in quotes keeps them, so that it is seen where it ends. */
function shortenValue(value: string, inQuotes: string | undefined): string {
  return inQuotes === undefined
    ? cutText(value, longestValue)
    : `"${cutText(inQuotes, longestValue)}"`;
}

/**
 * The commands of a finding for logs and comments. One that is cut does not work, so the longest
 * are only named.
 */
export function shownCommands(commands: readonly string[]): string[] {
  return commands.map((command) =>
    command.length <= longestCommand
      ? command
      : `# a curl command of ${countOf(command.length, 'character')}: see the HTML report`,
  );
}

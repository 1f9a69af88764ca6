import { columnsOf } from './wrap-text.ts';

/** A shell's word with the blanks before it: quoted parts belong together. */
const shellWords = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g;
const indent = '  ';

/**
 * A command on lines of at most `width` columns, broken between its words with the backslash that a
 * POSIX shell goes on after, so that it can still be pasted whole. A flag of one letter, or an
 * option, keeps its value. A longer word keeps a line of its own.
 */
export function breakCommand(command: string, width: number): string[] {
  if (columnsOf(command) <= width) return [command];
  const lines: string[] = [];
  for (const part of joinFlags(command.match(shellWords) ?? [command])) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(part);
    // The blank and the backslash behind it take two columns.
    else if (columnsOf(last) + 1 + columnsOf(part) + 2 <= width)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(indent + part);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/** `-H` and what follows it are one. */
function joinFlags(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last !== undefined && takesValue.test(last) && !word.startsWith('-'))
      parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** Those of curl's flags that vouch writes and that take a value. */
const takesValue = /^(?:-[HXdub]|--(?:data-raw|data-binary|data|cacert|form|request|url))$/;

import { cleanLine, cutText } from '../../text/safe-text.ts';

const longest = 600;

/**
 * One line of text that Markdown shows as it stands: no markup, no HTML, no table cell, no link, no
 * `@mention`. Punctuation becomes character references, which keep their meaning in text, tables
 * and HTML alike (CommonMark, section 6.2).
 */
export function escapeMarkdown(text: string): string {
  return cleanLine(cutText(text, longest)).replaceAll(
    /[&<>"'`*_[\]{}()#+!|~@\\]|(?<=:)\/\/|(?<=www)\./gi,
    (found) => [...found].map((character) => `&#${String(character.codePointAt(0))};`).join(''),
  );
}

/** A fenced block whose fence is longer than any run of backticks in it, so that nothing in it can end it. */
export function fence(text: string, language: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(Math.max(3, longestRun + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

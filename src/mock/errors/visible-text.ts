import { nameCharacter } from '../../json/json-problem.ts';

/** The longest sentence that goes into an answer, in characters. */
const longestMessage = 500;

/**
 * A text cut to so many characters, never through the middle of one; where it is cut it ends in an
 * ellipsis.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

/**
 * A sentence fit to be shown: invisible characters written as their numbers, and cut to 500
 * characters.
 */
export function showMessage(message: string): string {
  return cutText(showInvisible(message), longestMessage);
}

/**
 * A text in which characters that nobody sees, or that turn others round, are written as their
 * numbers.
 */
export function showInvisible(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, nameCharacter);
}

/**
 * As many whole sentences as fit into a message, and how many more there are: `total` counts those
 * that are not given too.
 */
export function joinSentences(
  sentences: readonly string[],
  total: number = sentences.length,
): string {
  let message = cutText(sentences[0] ?? '', longestMessage);
  for (const [index, sentence] of sentences.entries()) {
    if (index === 0) continue;
    const longer = `${message} ${sentence}`;
    // The closing words are at most about 30 characters long.
    if (longer.length > longestMessage - 30) return `${message} (${String(total - index)} more)`;
    message = longer;
  }
  return total > sentences.length
    ? `${message} (${String(total - sentences.length)} more)`
    : message;
}

/**
 * A header field value that can be written: characters outside visible ASCII are replaced by `?`
 * (RFC 9110, section 5.5).
 */
export function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]/gu, '?').trim();
}

/** A quoted string of a header field (RFC 9110, section 5.6.4). */
export function quoteHeaderText(text: string): string {
  return `"${headerText(text).replaceAll(/["\\]/g, '\\$&')}"`;
}

import { nameCharacter } from '../../json/json-problem.ts';

/** The maximum length of a sentence in a response, in characters. */
const longestMessage = 500;

/**
 * A text cut to a number of characters, never inside a surrogate pair; a cut text ends in an
 * ellipsis.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

/** A sentence for display: invisible characters escaped, and cut to 500 characters. */
export function showMessage(message: string): string {
  return cutText(showInvisible(message), longestMessage);
}

/** A text in which invisible and direction-changing characters are escaped by their code points. */
export function showInvisible(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, nameCharacter);
}

/**
 * The complete sentences that fit into a message, and the number of the others; `total` also counts
 * those that are not given.
 */
export function joinSentences(
  sentences: readonly string[],
  total: number = sentences.length,
): string {
  let message = cutText(sentences[0] ?? '', longestMessage);
  for (const [index, sentence] of sentences.entries()) {
    if (index === 0) continue;
    const longer = `${message} ${sentence}`;
    // The closing words have at most about 30 characters.
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

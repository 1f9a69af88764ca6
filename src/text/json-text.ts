/**
 * Beyond what `JSON.stringify` escapes: what a terminal would obey or hide, and the mark of a CI
 * log's command.
 */
const hidden =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]|#(?=#\[)/gu;

/**
 * JSON that can be shown anywhere: a parser gives back the same value, a terminal and a CI log see
 * nothing to obey.
 */
export function writeJson(value: unknown, indent = 0): string {
  // Outside its strings JSON has none of these characters, so that an escape always stands inside
  // one.
  return JSON.stringify(value, null, indent).replaceAll(hidden, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

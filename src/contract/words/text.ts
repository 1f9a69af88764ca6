/** The sentences and clauses of a text of a contract, each on one line unless it is a list. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.;!?])\s+|\n{2,}/)
    .map((sentence) => sentence.trim().replaceAll(/[ \t]*\n(?!\s*(?:[-*+|#>]|\d+[.)])\s)\s*/g, ' '))
    .filter((sentence) => sentence !== '');
}

/** A text without the marks of HTML and Markdown, with single blanks. */
export function plainText(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
    .replaceAll(/[`'"*“”]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:])/g, '')
    .trim();
}

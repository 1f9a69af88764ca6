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

/**
 * What the description of an API says of a family of parameters to which a name belongs: `since_…
 * is this moment or later, before_… is earlier`.
 */
export function wordsOfFamily(description: string, name: string): string | undefined {
  const clauses = description.split(/(?<=[.;!?])\s+|\n{2,}|,\s+(?=`)/);
  return clauses.find((clause) =>
    clause.matchAll(families).some(({ groups: { start = '', end = '' } = {} }) => {
      const isLong = name.length > start.length + end.length;
      return isLong && name.startsWith(start) && name.endsWith(end);
    }),
  );
}

/** `since_…`, `min*`, `…_after`. */
const families = /`(?:(?<start>\w+)(?:…|\.{3}|\*)|(?:…|\.{3}|\*)(?<end>\w+))`/g;

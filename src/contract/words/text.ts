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
 * What the description of an API says of a family of parameters, by a name that belongs to it:
 * `since_… is this moment or later, before_… is earlier`.
 */
export function familiesIn(description: string): (name: string) => string | undefined {
  const told = description.split(/(?<=[.;!?])\s+|\n{2,}|,\s+(?=`)/).flatMap((clause) =>
    [...clause.matchAll(families)].map(({ groups: { start = '', end = '' } = {} }) => {
      const isOf = (name: string): boolean => name.startsWith(start) && name.endsWith(end);
      return { isOf, least: start.length + end.length, clause };
    }),
  );
  return (name) => told.find(({ isOf, least }) => name.length > least && isOf(name))?.clause;
}

/** `since_…`, `min*`, `…_after`. */
const families = /`(?:(?<start>\w+)(?:…|\.{3}|\*)|(?:…|\.{3}|\*)(?<end>\w+))`/g;

/**
 * The known word that a wrong one was probably meant to be, or undefined where none is near (an
 * edit in three letters).
 */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  return wholeWord(word.toLowerCase(), [...known])?.word;
}

/**
 * The same for a person who chooses a word: the only one that begins nearly so will do too, as
 * `body-matches-schema` for `body-maches`.
 */
export function meantWord(word: string, known: readonly string[]): string | undefined {
  const [whole, begun] = [
    wholeWord(word.toLowerCase(), known),
    begunWord(word.toLowerCase(), known),
  ];
  return whole === undefined || (begun !== undefined && begun.distance < whole.distance)
    ? begun?.word
    : whole.word;
}

function wholeWord(wanted: string, words: readonly string[]): Near | undefined {
  const whole = nearest(words, (candidate) => editDistance(wanted, candidate.toLowerCase()));
  return whole !== undefined && whole.distance <= Math.max(1, Math.floor(wanted.length / 3))
    ? whole
    : undefined;
}

interface Near {
  readonly word: string;
  readonly distance: number;
}

function nearest(words: readonly string[], distanceOf: (word: string) => number): Near | undefined {
  return words.reduce<Near | undefined>((best, word) => {
    const distance = distanceOf(word);
    return best === undefined || distance < best.distance ? { word, distance } : best;
  }, undefined);
}

/** A shorter beginning fits too many words. */
const shortestBeginning = 4;

/** One wrong letter in five at most. */
function begunWord(wanted: string, words: readonly string[]): Near | undefined {
  if (wanted.length < shortestBeginning) return undefined;
  const begun = words
    .filter((word) => word.length > wanted.length)
    .map((word) => ({
      word,
      distance: editDistance(wanted, word.slice(0, wanted.length).toLowerCase()),
    }));
  const [only, ...others] = begun.filter(({ distance }) => distance <= wanted.length / 5);
  return others.length > 0 ? undefined : only;
}

/** More words than this are not read one by one. */
const maxChoices = 40;

/**
 * A clause that can follow any complaint about a wrong word: the nearest right one, or all of them;
 * of a long list, a dozen that are nearest, and how many more there are.
 */
export function suggestWord(word: string, known: readonly string[]): string {
  const meant = meantWord(word, known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const choices = [...new Set(known)];
  if (choices.length === 0) return 'There is none to choose from.';
  if (choices.length <= maxChoices) return `Choose one of: ${choices.join(', ')}.`;
  const near = choices
    .map((choice) => ({ choice, distance: editDistance(word, choice) }))
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, 12)
    .map(({ choice }) => choice);
  const more = String(choices.length - near.length);
  return `Choose one of: ${near.join(', ')}, or one of ${more} more.`;
}

/** The same for the id of one of some things. */
export function suggestId(id: string, things: readonly { readonly id: string }[]): string {
  return suggestWord(
    id,
    things.map((thing) => thing.id),
  );
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbour (optimal string
 * alignment).
 */
export function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1)
      current.push(stepCost(left, right, { rows, current, row, column }));
    rows.push(current);
  }
  return rows[left.length]?.[right.length] ?? 0;
}

interface Step {
  readonly rows: readonly (readonly number[])[];
  readonly current: readonly number[];
  readonly row: number;
  readonly column: number;
}

function stepCost(left: string, right: string, { rows, current, row, column }: Step): number {
  const at = (up: number, back: number): number => rows[row - up]?.[column - back] ?? Infinity;
  const same = left[row - 1] === right[column - 1];
  const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
  return Math.min(
    at(1, 0) + 1,
    (current[column - 1] ?? Infinity) + 1,
    at(1, 1) + (same ? 0 : 1),
    swapped ? at(2, 2) + 1 : Infinity,
  );
}

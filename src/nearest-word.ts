/** The known word that a wrong one was probably meant to be, or undefined where none is near (an edit in three letters). */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return best !== undefined && best.distance <= allowed ? best.word : undefined;
}

/** A clause that can follow any complaint about a wrong word: the nearest right one, or all of them. */
export function suggestWord(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return known.length === 0 ? 'There is none to choose from.' : `Choose one of: ${known.join(', ')}.`;
}

/** The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) current.push(stepCost(left, right, { rows, current, row, column }));
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
  return Math.min(at(1, 0) + 1, (current[column - 1] ?? Infinity) + 1, at(1, 1) + (same ? 0 : 1), swapped ? at(2, 2) + 1 : Infinity);
}

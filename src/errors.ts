/**
 * Every way in which vouch itself can fail to do what it was asked. What a deployment does wrong is
 * a finding, never one of these.
 */
export type ErrorCode =
  | 'usage'
  | 'config-invalid'
  | 'contract-missing'
  | 'contract-unreadable'
  | 'contract-not-openapi'
  | 'contract-unsupported'
  | 'contract-reference'
  | 'contract-invalid'
  | 'overlay-invalid'
  | 'workflow-invalid'
  | 'fixture-invalid'
  | 'scenario-invalid'
  | 'handler-invalid'
  | 'handler-failed'
  | 'refused-for-safety'
  | 'port-taken'
  | 'prism-missing'
  | 'prism-failed'
  | 'types-missing'
  | 'store-unusable'
  | 'store-unavailable'
  | 'store-full'
  | 'store-out-of-bytes'
  | 'record-too-large'
  | 'target-unreachable'
  | 'claim-refuted'
  | 'value-impossible'
  | 'internal';

/** A place in a file that a person can open: 1-based line and column. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * What an error may carry besides its sentence: the way out, the place, the text around it, what
 * caused it.
 */
export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly place?: Place | undefined;
  readonly frame?: string | undefined;
  readonly cause?: unknown;
}

/**
 * vouch failed, or was asked wrongly. The message says what happened, `place` where, `hint` what to
 * do next.
 */
export class VouchError extends Error {
  override readonly name = 'VouchError';
  readonly code: ErrorCode;
  declare readonly hint: string | undefined;
  declare readonly place: Place | undefined;
  /** A few lines of the file around `place`, ready to print. */
  declare readonly frame: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    const { hint, place, frame } = details;
    // Test runners print each member that an error has, also the undefined ones.
    if (hint !== undefined) this.hint = hint;
    if (place !== undefined) this.place = place;
    if (frame !== undefined) this.frame = frame;
  }
}

/** An error of usage: a wrong option, file or argument. */
export function usage(message: string, details?: ErrorDetails): VouchError {
  return new VouchError('usage', message, details);
}

/**
 * The same error with its place and its hint in the message, for callers that print only the
 * message and the stack, such as test runners. Other errors are returned as they are.
 */
export function withHint(error: unknown): unknown {
  if (!(error instanceof VouchError)) return error;
  const { code, message, hint, place, frame } = error;
  const lines = [
    message,
    ...(place === undefined ? [] : [`  ${formatPlace(place)}`]),
    ...(frame === undefined ? [] : [frame]),
  ];
  const sentence = lines.join('\n');
  const text = [sentence, hint ?? ''].join(sentence.includes('\n') ? '\n' : ' ').trim();
  const made = new VouchError(code, text, { hint, place, cause: error.cause });
  if (made.stack !== undefined) made.stack = withoutInnerFrames(made.stack);
  originals.set(made, error);
  return made;
}

/** Not the cause of what `withHint` made: test runners would print it again. */
const originals = new WeakMap<VouchError, VouchError>();

/** The error that `withHint` was given, for callers that show place and hint by themselves. */
export function withoutHint(error: unknown): unknown {
  return error instanceof VouchError ? (originals.get(error) ?? error) : error;
}

/** The folder of a frame of a stack, in Node and in browsers; undefined for other lines. */
const folderOfFrame = /(?:^\s+at (?:async )?|\(|@)([^\s()]*[\\/])[^\s()\\/]*:\d+:\d+\)?$/;

/** A stack without the frames of vouch at its top, which say nothing to those who called it. */
function withoutInnerFrames(stack: string): string {
  const lines = stack.split('\n');
  const folders = lines.map(folderOf);
  const own = new Error('here').stack?.split('\n').map(folderOf).find(isKnown);
  const outer = folders.findIndex(
    (folder) => folder !== undefined && own !== undefined && !folder.startsWith(own),
  );
  if (outer === -1) return stack;
  return [...lines.slice(0, folders.findIndex(isKnown)), ...lines.slice(outer)].join('\n');
}

function folderOf(line: string): string | undefined {
  return folderOfFrame.exec(line)?.[1];
}

function isKnown(folder: string | undefined): folder is string {
  return folder !== undefined;
}

/** Writes a place as editors and terminals link it: `file:line:column`. */
export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** The code that Node gives an error, such as `ENOENT`; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

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

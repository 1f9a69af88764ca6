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

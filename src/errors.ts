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
  readonly hint: string | undefined;
  readonly place: Place | undefined;
  /** A few lines of the file around `place`, ready to print. */
  readonly frame: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.place = details.place;
    this.frame = details.frame;
  }
}

/**
 * The same error with its place and its hint in the message, for callers that print only the
 * message, such as test runners. Other errors are returned as they are.
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
  return new VouchError(code, text, { hint, place, frame, cause: error });
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

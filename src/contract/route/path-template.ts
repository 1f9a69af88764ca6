/** A decoded query: names and values in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** What a template asks of the query: a name, with a certain value where it gives one. */
export interface Condition {
  readonly name: string;
  readonly value?: string;
}

/** A path template in its parts. */
export interface PathTemplate {
  readonly segments: readonly string[];
  readonly conditions: readonly Condition[];
}

/**
 * Reads a path template. What stands behind `?` or `#` is no part of a path (OpenAPI 3.1, section
 * 4.8.8): documents that describe AWS-like services have it to tell operations on one path apart,
 * by what a request has in its query.
 */
export function readTemplate(path: string): PathTemplate {
  const mark =
    /[?#]/.exec(path.replaceAll(/\{[^{}]*\}/g, (name) => '_'.repeat(name.length)))?.index ??
    path.length;
  const pieces = path
    .slice(mark + 1)
    .split(/[?#&]/)
    .filter((piece) => piece !== '');
  return {
    segments: path.slice(0, mark).split('/').slice(1),
    conditions: pieces.map(readCondition),
  };
}

function readCondition(piece: string): Condition {
  const equals = piece.indexOf('=');
  const value = equals === -1 ? undefined : piece.slice(equals + 1);
  return value === undefined || value.includes('{')
    ? { name: piece.slice(0, equals === -1 ? piece.length : equals) }
    : { name: piece.slice(0, equals), value };
}

/** Whether a query has all that is asked of it. */
export function fits(query: Query, conditions: readonly Condition[]): boolean {
  return conditions.every(({ name, value }) =>
    query.some(([given, text]) => given === name && (value === undefined || value === text)),
  );
}

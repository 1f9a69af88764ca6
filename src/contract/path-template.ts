import { encodePercent } from '../http/target.ts';

/** A decoded query: names and values in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** What a template asks of the query: a name, with a certain value where it gives one. */
export interface Condition {
  readonly name: string;
  readonly value?: string;
  /** The path parameter that the value is: `ip` in `/current?address={ip}`. */
  readonly parameter?: string;
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
  const name = piece.slice(0, equals === -1 ? piece.length : equals);
  if (value === undefined) return { name };
  const parameter = /^\{([^{}]+)\}$/.exec(value)?.[1];
  if (parameter !== undefined) return { name, parameter };
  return value.includes('{') ? { name } : { name, value };
}

/** Whether a query has all that is asked of it. */
export function meetsConditions(query: Query, conditions: readonly Condition[]): boolean {
  return conditions.every(({ name, value }) =>
    query.some(([given, text]) => given === name && (value === undefined || value === text)),
  );
}

/** Takes values out of one segment of a path. */
export interface SegmentMatcher {
  /** How much of the template is not a parameter: the more, the more precise. */
  readonly literalLength: number;
  /** The values by name, or undefined where the segment does not fit. Linear in the segment. */
  match(segment: string): readonly (readonly [name: string, value: string])[] | undefined;
}

/**
 * A matcher for a template of one segment, such as `{id}`, `{name}.{ending}` or `{id}:cancel`. No
 * value is empty; where a segment can be read in several ways, each value is as short as it can be,
 * but for the last, and for those before a dot: there it is the last dot that counts.
 */
export function makeSegmentMatcher(template: string): SegmentMatcher {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const literals = template.split(/\{[^{}]+\}/);
  const [begin = '', ...between] = literals;
  const end = between.pop() ?? '';
  return {
    literalLength: literals.reduce((length, literal) => length + literal.length, 0),
    match: (segment) => matchParts(segment, { names, begin, between, end }),
  };
}

/** A template: `begin`, then parameters with the literals `between` them, then `end`. */
interface Parts {
  readonly names: readonly string[];
  readonly begin: string;
  readonly between: readonly string[];
  readonly end: string;
}

function matchParts(
  segment: string,
  { names, begin, between, end }: Parts,
): [string, string][] | undefined {
  if (!segment.startsWith(begin) || !segment.endsWith(end)) return undefined;
  const ending = between.length - between.findLastIndex((literal) => !literal.startsWith('.')) - 1;
  const right = cutFromRight(
    segment.slice(0, segment.length - end.length),
    between.slice(between.length - ending),
    begin.length,
  );
  const left =
    right && cutFromLeft(right.rest, between.slice(0, between.length - ending), begin.length);
  if (left === undefined || right === undefined) return undefined;
  return [...left, ...right.values].map((value, index) => [names[index] ?? '', value]);
}

/**
 * What stands before a dot goes on as far as it can: `a.tar.gz` is `a.tar` with the ending `gz`.
 */
function cutFromRight(
  text: string,
  literals: readonly string[],
  from: number,
): { readonly rest: string; readonly values: readonly string[] } | undefined {
  const values: string[] = [];
  let rest = text;
  for (const literal of literals.toReversed()) {
    const at = rest.lastIndexOf(literal, rest.length - literal.length - 1);
    if (at <= from) return undefined;
    values.unshift(rest.slice(at + literal.length));
    rest = rest.slice(0, at);
  }
  return { rest, values };
}

function cutFromLeft(
  text: string,
  literals: readonly string[],
  from: number,
): readonly string[] | undefined {
  const values: string[] = [];
  let at = from;
  for (const literal of literals) {
    const next = text.indexOf(literal, at + 1);
    if (next === -1) return undefined;
    values.push(text.slice(at, next));
    at = next + literal.length;
  }
  return at >= text.length ? undefined : [...values, text.slice(at)];
}

/** Fills one path template in, many times: the values of its parameters by name. */
export type FillPath = (valueOf: (parameter: string) => string | undefined) => string | undefined;

/** Reads a path template once. */
export function preparePath(template: string): FillPath {
  // Split at a group that is captured, the parameters stand at the odd places: each with the text
  // behind it.
  const [start = '', ...rest] = template.split(/\{([^{}]+)\}/);
  const parameters = rest.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, behind: rest[index + 1] ?? '' }] : [],
  );
  return (valueOf) => {
    let filled = start;
    for (const { name, behind } of parameters) {
      const value = valueOf(name);
      if (value === undefined) return undefined;
      filled += encodePercent(value) + behind;
    }
    return filled;
  };
}

import { inPairs } from '../http/message.ts';
import { encodePercent } from '../http/target.ts';

/** A decoded query: names and values in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A condition on the query: a name, with a certain value if given. */
export interface QueryCondition {
  readonly name: string;
  readonly value?: string;
  /** The path parameter that the value fills: `ip` in `/current?address={ip}`. */
  readonly parameter?: string;
}

export interface PathTemplate {
  readonly segments: readonly string[];
  readonly conditions: readonly QueryCondition[];
}

/**
 * Parses a path template. The text after `?` or `#` is not part of a path (OpenAPI 3.1, section
 * 4.8.8): documents of AWS-like services use it to distinguish operations on one path by the query
 * of a request.
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

function readCondition(piece: string): QueryCondition {
  const equals = piece.indexOf('=');
  const value = equals === -1 ? undefined : piece.slice(equals + 1);
  const name = piece.slice(0, equals === -1 ? piece.length : equals);
  if (value === undefined) return { name };
  const parameter = /^\{([^{}]+)\}$/.exec(value)?.[1];
  if (parameter !== undefined) return { name, parameter };
  return value.includes('{') ? { name } : { name, value };
}

export function meetsConditions(query: Query, conditions: readonly QueryCondition[]): boolean {
  return conditions.every(({ name, value }) =>
    query.some(([given, text]) => given === name && (value === undefined || value === text)),
  );
}

/** Extracts values from one segment of a path. */
export interface SegmentMatcher {
  /** The number of characters outside of parameters: more is more precise. */
  readonly literalLength: number;
  /** The values in order, or undefined if the segment does not match. Linear in the segment. */
  match(segment: string): readonly string[] | undefined;
}

/** The values that parameters are limited to, by their names. */
type Choices = ReadonlyMap<string, readonly string[]>;

/**
 * A matcher for a template of one segment, such as `{id}`, `{name}.{ending}` or `{id}:cancel`. No
 * value is empty. If a segment matches in several ways, each value is as short as possible, except
 * for the last value, and for a value before a dot, which extends to the last dot. Of two
 * parameters side by side, the second has one of its choices, if it is limited to some.
 */
export function makeSegmentMatcher(template: string, choices: Choices = new Map()): SegmentMatcher {
  const plain = makePlainMatcher(template);
  const [, before = '', name = ''] = /^(.*\})\{([^{}]+)\}/.exec(template) ?? [];
  const limited = choices.get(name) ?? [];
  if (limited.length === 0) return plain;
  const at = before.split('{').length - 1;
  const chosen = limited
    .toSorted((left, right) => right.length - left.length)
    .map((value) => ({
      value,
      ...makePlainMatcher(before + value + template.slice(before.length + name.length + 2)),
    }));
  return {
    literalLength: plain.literalLength,
    match(segment) {
      for (const { value, match } of chosen) {
        const values = match(segment);
        if (values !== undefined) return values.toSpliced(at, 0, value);
      }
      return plain.match(segment);
    },
  };
}

function makePlainMatcher(template: string): SegmentMatcher {
  const literals = template.split(/\{[^{}]+\}/);
  const [begin = '', ...between] = literals;
  const end = between.pop() ?? '';
  return {
    literalLength: literals.reduce((length, literal) => length + literal.length, 0),
    match: (segment) => matchParts(segment, begin, between, end),
  };
}

function matchParts(
  segment: string,
  begin: string,
  between: readonly string[],
  end: string,
): readonly string[] | undefined {
  if (!segment.startsWith(begin) || !segment.endsWith(end)) return undefined;
  const ending = between.length - between.findLastIndex((literal) => !literal.startsWith('.')) - 1;
  const right = cutFromRight(
    segment.slice(0, segment.length - end.length),
    between.slice(between.length - ending),
    begin.length,
  );
  const left =
    right && cutFromLeft(right.rest, between.slice(0, between.length - ending), begin.length);
  return left === undefined || right === undefined ? undefined : [...left, ...right.values];
}

/** A value before a dot is as long as possible: `a.tar.gz` is `a.tar` with the ending `gz`. */
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

/** Fills a prepared path template with the values of its parameters by name. */
export type FillPath = (valueOf: (parameter: string) => string | undefined) => string | undefined;

/** Parses a path template once. */
export function preparePath(template: string): FillPath {
  // A split at a captured group puts the parameters at the odd indexes, each followed by its text.
  const [start = '', ...rest] = template.split(/\{([^{}]+)\}/);
  const parameters = inPairs(rest);
  return (valueOf) => {
    let filled = start;
    for (const [name, behind] of parameters) {
      const value = valueOf(name);
      if (value === undefined) return undefined;
      filled += encodePercent(value) + behind;
    }
    return filled;
  };
}

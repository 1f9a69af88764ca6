/** Takes values out of one segment of a path. */
export interface SegmentMatcher {
  /** How much of the template is not a parameter: the more, the more precise. */
  readonly literalLength: number;
  /** The values by name, or undefined where the segment does not fit. Linear in the segment. */
  match(segment: string): readonly (readonly [name: string, value: string])[] | undefined;
}

/**
 * A matcher for a template of one segment, such as `{id}`, `{name}.{ending}` or `{id}:cancel`. No value is empty; where a segment
 * can be read in several ways, each value is as short as it can be, but for the last.
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

function matchParts(segment: string, { names, begin, between, end }: Parts): [string, string][] | undefined {
  if (!segment.startsWith(begin) || !segment.endsWith(end)) return undefined;
  const last = segment.length - end.length;
  const values: [string, string][] = [];
  let at = begin.length;
  for (const [index, literal] of between.entries()) {
    const next = segment.indexOf(literal, at + 1);
    if (next === -1) return undefined;
    values.push([names[index] ?? '', segment.slice(at, next)]);
    at = next + literal.length;
  }
  if (at >= last) return undefined;
  return [...values, [names.at(-1) ?? '', segment.slice(at, last)]];
}

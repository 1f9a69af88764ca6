import { headerValues } from '../../http/message.ts';
import { splitQuery } from '../../http/query.ts';
import { readDelimiter } from './delimiter.ts';
import type { ExpectedValue } from './expected-value.ts';
import type { ParameterForm, WireParameters } from './parameter-form.ts';
import { splitPairs } from './split-pairs.ts';
import { splitPath } from './split-path.ts';
import { gatherPieces, givenTimes, splitEntry } from './split-pieces.ts';
import type { Entry, Split, SplitInto } from './split.ts';

/**
 * Finds a parameter on the wire and cuts it at the delimiters of its style (OpenAPI 3.1, section
 * 4.8.12).
 */
export function splitParameter(
  form: ParameterForm,
  wire: WireParameters,
  into: SplitInto,
  expected: ExpectedValue,
): Split {
  switch (form.in) {
    case 'path': {
      const raw = wire.path.get(form.name);
      return raw === undefined ? { kind: 'absent' } : splitPath(form, raw, into);
    }
    case 'query':
      if (form.wholeQuery === true && into === 'text')
        return wire.rawQuery === '' ? { kind: 'absent' } : { kind: 'text', text: wire.rawQuery };
      return splitPairs(form, splitQuery(wire.rawQuery), into, expected);
    case 'cookie':
      return splitPairs(form, cookiePairs(wire), into, expected);
    case 'header':
      return splitHeader(form, headerValues(wire.headers, form.name), into);
  }
}

/** Cookies as RFC 6265, section 4.2.1 writes them: `a=1; b=2`. */
function cookiePairs(wire: WireParameters): Entry[] {
  const pieces = headerValues(wire.headers, 'Cookie')
    .flatMap((value) => value.split(';'))
    .map((piece) => piece.trim());
  return pieces.filter((piece) => piece !== '').map(splitEntry);
}

/**
 * Several fields of one name are one list (RFC 9110, section 5.3), and a fault where a single value
 * is expected.
 */
function splitHeader(form: ParameterForm, values: readonly string[], into: SplitInto): Split {
  const [first] = values;
  if (first === undefined) return { kind: 'absent' };
  if (into !== 'text')
    return gatherPieces(
      values
        .join(',')
        .split(readDelimiter(form))
        .map((piece) => piece.trim()),
      into,
      form.explode,
    );
  return values.length > 1 ? givenTimes(values.length) : { kind: 'text', text: first.trim() };
}

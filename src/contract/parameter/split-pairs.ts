import { decodePiece } from './decode-piece.ts';
import { readDelimiter } from './delimiter.ts';
import type { ExpectedValue } from './expected-value.ts';
import type { ParameterForm } from './parameter-form.ts';
import type { Entry, Split, SplitInto } from './split.ts';
import { gatherPieces, givenTimes } from './split-pieces.ts';

/**
 * Cuts what a query or a `Cookie` header says of a parameter, in `form`, a delimited style or
 * `deepObject`.
 */
export function splitPairs(
  form: ParameterForm,
  pairs: readonly Entry[],
  into: SplitInto,
  expected: ExpectedValue,
): Split {
  if (into === 'members' && form.style === 'deepObject') return splitDeepObject(form, pairs);
  if (into === 'members' && form.explode) return splitOwnMembers(form, pairs, expected);
  const texts = pairs
    .filter(([name]) => decodePiece(form, name) === form.name)
    .map(([, text]) => text);
  const [first] = texts;
  if (first === undefined || (first === '' && texts.length === 1 && form.allowEmptyValue))
    return { kind: 'absent' };
  if (into === 'list' && form.explode) return { kind: 'list', texts };
  if (texts.length > 1) return givenTimes(texts.length);
  return into === 'text'
    ? { kind: 'text', text: first }
    : gatherPieces(first.split(readDelimiter(form)), into, false);
}

/**
 * `R=100&G=200`: the parameter's own name never comes up. An object that declares no names takes
 * every pair, and so does one that is the whole query.
 */
function splitOwnMembers(
  form: ParameterForm,
  pairs: readonly Entry[],
  expected: ExpectedValue,
): Split {
  const takesAll = form.wholeQuery === true || (expected.names.size === 0 && !expected.isClosed);
  const entries = pairs.filter(
    ([name]) => takesAll || expected.names.has(decodePiece(form, name) ?? ''),
  );
  return entries.length === 0 ? { kind: 'absent' } : { kind: 'members', entries };
}

/** `color[R]=100&color[G]=200`, brackets plain or percent-encoded. */
function splitDeepObject(form: ParameterForm, pairs: readonly Entry[]): Split {
  const entries: Entry[] = [];
  for (const [rawName, text] of pairs) {
    const name = decodePiece(form, rawName) ?? '';
    if (name === form.name)
      return {
        kind: 'unreadable',
        message: `must name its members, as in \`${form.name}[name]=value\``,
      };
    if (!name.startsWith(`${form.name}[`) || !name.endsWith(']')) continue;
    const member = name.slice(form.name.length + 1, -1);
    if (/[[\]]/.test(member))
      return { kind: 'unreadable', message: `must have one level of members, but has \`${name}\`` };
    entries.push([encodeURIComponent(member), text]);
  }
  return entries.length === 0 ? { kind: 'absent' } : { kind: 'members', entries };
}

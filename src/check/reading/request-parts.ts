import { equalJson } from '../../json/equal-json.ts';
import { type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue, editParts } from '../../json/value.ts';
import { withoutMark } from './request-changes.ts';
import { type Case, controlOf } from '../model/case.ts';
import { membersOf } from '../../json/body-members.ts';

/**
 * The planned parts of a request by name: its arguments, and the members of its body. A body that
 * is no object is the part `''`; a value that only a response has is named after its source.
 */
export function partsOf({ request }: Pick<Case, 'request'>): ReadonlyMap<string, JsonValue> {
  const { body, arguments: given } = request;
  const value = body === undefined || body.kind === 'bytes' ? undefined : body.value;
  const members = isJsonObject(value)
    ? Object.entries(value)
    : value === undefined
      ? []
      : [['', value] as const];
  const values = given.map(
    ({ parameter, source }) =>
      [parameter.name, source.kind === 'value' ? source.value : source.kind] as const,
  );
  return new Map([...members, ...values]);
}

/**
 * The names of the parts in which a request differs from its control, apart from the marks of a
 * run; undefined if it has no control.
 */
export function partsBesideControl(testCase: Case): string[] | undefined {
  const control = controlOf(testCase);
  if (control === undefined) return undefined;
  const [own, usual] = [partsOf(testCase), partsOf({ request: control })];
  return [...new Set([...own.keys(), ...usual.keys()])].filter(
    (name) => !isSamePart(own.get(name), usual.get(name)),
  );
}

/**
 * The texts of a request by their places, without the indexes of lists: `lines.product`. Without
 * the marks of a run.
 */
export function textsOf(testCase: Pick<Case, 'request'>): ReadonlyMap<string, string> {
  const members = membersOf(Object.fromEntries(partsOf(testCase)));
  return new Map(
    members.flatMap(({ at, value }) =>
      typeof value === 'string' ? [[pathOf(at), withoutMark(value)] as const] : [],
    ),
  );
}

/** A place in a request as people write it, without the indexes of lists. */
export function pathOf(at: Pointer): string {
  return namesIn(at).join('.');
}

/** The names of members that lead to a place. */
export function namesIn(at: Pointer): string[] {
  return splitPointer(at).filter((token) => !/^\d+$/.test(token));
}

/** Whether two parts are the same, apart from the marks of a run in their texts. */
export function isSamePart(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return equalJson(unmarked(left), unmarked(right));
}

function unmarked(value: JsonValue): JsonValue {
  return typeof value === 'string' ? withoutMark(value) : editParts(value, unmarked);
}

import type { Contract, Rule } from '../../../contract/model.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { type BodyPlace, editAt, successBodies } from '../../mutants/places.ts';

/** The number of mutations per rule: more add little. */
const maxOfRule = 3;

/** A service that violates an owner's rule about a schema. */
export const ruleMutators: readonly Mutator[] = [
  mutantsOf('body')('breaks-rule', {
    rule: 'A response breaks a rule that the owner of the contract states.',
    where: breakable,
    max: Infinity,
    says: ({ rule }) =>
      `returns a body that violates the rule: ${(rule.says ?? rule.rule).replace(/[.]$/, '')}`,
    body: (body, { rule, schema, rules }) =>
      breakRule(rule, body, (changed) =>
        rules.judgeBody(schema, changed).filter((one) => one.rule === rule),
      ),
  }),
];

/** The operations in whose responses each rule can be violated. */
function breakable(
  contract: Contract,
): (Pick<BodyPlace, 'operation' | 'schema'> & Pick<Contract, 'rules'> & { readonly rule: Rule })[] {
  const { rules } = contract;
  const bodies = rules.all.length === 0 ? [] : successBodies(contract);
  return rules.all
    .filter(({ operation }) => operation === undefined)
    .flatMap((rule) =>
      bodies
        .filter(({ schema }) => rules.speaksOf(rule, schema))
        .slice(0, maxOfRule)
        .map(({ operation, schema }) => ({ operation, schema, rules, rule })),
    );
}

/** Evaluates one rule for a body. */
type Judge = (body: JsonValue) => ReturnType<Contract['rules']['judgeBody']>;

/**
 * The body with the first change of one member that violates the rule; undefined if no change does.
 */
function breakRule(rule: Rule, body: JsonValue, judge: Judge): JsonValue | undefined {
  const kept = judge(body).filter(({ outcome }) => outcome === 'kept');
  return kept
    .flatMap(({ at }) => rule.members.flatMap((member) => changesOf(body, at, member)))
    .find((changed) => judge(changed).some(({ outcome }) => outcome === 'broken'));
}

/** The body with changed values of a member of the object at a place. */
function changesOf(body: JsonValue, at: Pointer, member: string): readonly JsonValue[] {
  const found = valueAt(body, joinPointer(at, member));
  const way = [...splitPointer(at), member];
  return (found === undefined ? [] : othersOf(found))
    .map((other) => editAt(body, way, () => other))
    .filter((changed) => changed !== undefined);
}

/** Values of the same kind: near ones, then distant ones. */
function othersOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'bigint') return [value + 1n, -value];
  if (typeof value === 'number') return [value + 1, value - 1, -value - 1, value * 1000 + 1];
  if (isJsonArray(value)) return [value.slice(0, -1), [...value, ...value], []];
  if (typeof value !== 'string' || isJsonObject(value)) return [];
  if (/^-?\d+(\.\d+)?$/.test(value)) return [value.replace(/^(-?)/, '$11'), '0'];
  if (/^\d{4}-\d\d/.test(value)) return [`1970${value.slice(4)}`, `2999${value.slice(4)}`];
  return [`${value}2`, ''];
}

import { type Comparison, comparisonsIn } from '../../contract/words/read-comparisons.ts';
import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { compareJson } from '../../store/field-values.ts';
import { whenReady } from '../../store/store.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { givenMembers } from '../records/make/request-members.ts';
import { recordIn } from './in-state.ts';

/**
 * A change that is refused where a field is on the wrong side of another one, as the contract
 * states: `end must be after start`, `An amount above the balance of the account is refused`.
 */
export const comparing: Convention = (plan, resource) => {
  const { operation, recordParameter } = plan;
  const isOwn = recordParameter !== undefined;
  const above = isOwn ? undefined : resource.parents.at(-1)?.resource;
  const comparisons = comparisonsIn(operation, above);
  if (comparisons.length === 0) return undefined;
  const isReplaced = plan.role?.action !== 'update';
  return {
    before: (on) => {
      const given = givenMembers(on.request, resource);
      const asked = comparisons.filter((one) => isAsked(one, given));
      if (asked.length === 0) return undefined;
      return whenReady(recordIn(on, isOwn), (around = {}) => {
        const whole = isReplaced ? given : { ...around, ...given };
        const broken = asked.find(
          ({ field, other, op, isAbove }) =>
            holds(whole[field], op, (isAbove ? around : whole)[other]) === false,
        );
        return broken && faultOf(broken);
      });
    },
  };
};

function isAsked({ field, other, isAbove }: Comparison, given: JsonObject): boolean {
  return Object.hasOwn(given, field) || (!isAbove && Object.hasOwn(given, other));
}

function faultOf({ field, other, op, fact: { sentence } }: Comparison): Fault {
  const conflict = /\b409\b/.test(sentence);
  const message = `The field ${field} must be ${words[op]} ${other}.`;
  return makeFault(
    conflict ? 'conflict' : 'body-value',
    conflict ? 'conflict' : 'invalid_value',
    message,
    { issues: [{ location: 'body', name: field, rule: 'comparison', message }] },
  );
}

const words: Readonly<Record<Comparison['op'], string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** Undefined where the values cannot be compared. */
function holds(
  left: JsonValue = null,
  op: Comparison['op'],
  right: JsonValue = null,
): boolean | undefined {
  if (left === null || right === null || isJsonObject(left)) return undefined;
  const order = orderOf(left, right);
  if (order === undefined || Number.isNaN(order)) return undefined;
  if (order === 0) return op === 'gte' || op === 'lte';
  return op.startsWith('g') === order > 0;
}

function orderOf(left: JsonValue, right: JsonValue): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    if (isDecimalText(left) && isDecimalText(right)) return compareDecimals(left, right);
    return Date.parse(left) - Date.parse(right);
  }
  return typeof left === typeof right ? compareJson(left, right) : undefined;
}

import { type Comparison, comparisonsIn } from '../../contract/words/read-comparisons.ts';
import type { Resource } from '../../contract/model.ts';
import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { compareJson } from '../../store/field-values.ts';
import { type Store, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import { oncePerPlan } from '../records/find-record.ts';
import { givenMembers } from '../records/make/request-members.ts';
import { recordIn } from './in-state.ts';

/**
 * A change that is refused where a field is on the wrong side of another one, as the contract
 * states: `end must be after start`, `An amount above the balance of the account is refused`.
 */
export function comparing(change: Behaviour): Behaviour {
  return (request, resource, store) => {
    const comparisons = comparisonsOf(request.plan, resource);
    const given = comparisons.length === 0 ? {} : givenMembers(request, resource);
    const asked = comparisons.filter((one) => isAsked(one, given));
    if (asked.length === 0) return change(request, resource, store);
    const refusal = refusalOf(given, asked, { request, resource, store });
    return whenReady(refusal, (refused) => refused ?? change(request, resource, store));
  };
}

const comparisonsOf = oncePerPlan(({ operation, recordParameter }, { parents }) =>
  comparisonsIn(operation, recordParameter === undefined ? parents.at(-1)?.resource : undefined),
);

function isAsked({ field, other, isAbove }: Comparison, given: JsonObject): boolean {
  return Object.hasOwn(given, field) || (!isAbove && Object.hasOwn(given, other));
}

interface Changing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

/** The refusal by the first comparison that does not hold in the record after the change. */
function refusalOf(
  given: JsonObject,
  comparisons: readonly Comparison[],
  { request, resource, store }: Changing,
): Fault | undefined | Promise<Fault | undefined> {
  const isOwn = request.plan.recordParameter !== undefined;
  return whenReady(recordIn(request, { resource, isOwn }, store), (around = {}) => {
    const isReplaced = request.plan.role?.action !== 'update';
    const whole = isReplaced ? given : { ...around, ...given };
    const broken = comparisons.find(
      ({ field, other, op, isAbove }) =>
        holds(whole[field], op, (isAbove ? around : whole)[other]) === false,
    );
    return broken && faultOf(broken);
  });
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

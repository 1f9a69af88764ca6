import type { Operation } from '../../contract/model.ts';
import { headerValue } from '../../http/message.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { type Role, roleOf, type Step } from '../model/step.ts';
import { sameIdentifier } from './list-page.ts';
import { shownRecord } from './shown-records.ts';
import { argumentNamed } from './find-request-fault.ts';

/** A change that a read shows to be applied. */
export interface VisibleChange {
  readonly change: Step;
  /** The last read before the change. */
  readonly before: Step;
}

/**
 * The last change of a record whose effect a read of it shows; undefined if the step is not such a
 * read, or shows none.
 */
export function visibleChange(
  { contract }: Pick<CheckInput, 'contract'>,
  earlier: readonly Step[],
  read: Step,
): VisibleChange | undefined {
  const role = roleOf(contract, read.case.operation);
  const after = role && recordRead(role, read);
  if (role === undefined || after === undefined) return undefined;
  const { replace, update } = role.resource.operations;
  const changes = (operation: Operation): boolean =>
    operation === replace ||
    operation === update ||
    contract.inference.actions.some(
      (action) => action.operation === operation && action.resource === role.resource,
    );
  const change = earlier.findLast(
    (step) => isDone(step) && changes(step.case.operation) && isSame(role, step, read),
  );
  const before =
    change &&
    earlier
      .slice(0, earlier.indexOf(change))
      .findLast(
        (step) =>
          step.case.operation === read.case.operation &&
          step.exchange.request.target === read.exchange.request.target &&
          recordRead(role, step) !== undefined,
      );
  const former = before && recordRead(role, before);
  const sent = change?.sent.body;
  if (change === undefined || before === undefined || former === undefined || !isJsonObject(sent))
    return undefined;
  const isShown = Object.entries(sent).some(
    ([name, value]) =>
      Object.hasOwn(after, name) &&
      equalJson(after[name] ?? null, value) &&
      !equalJson(former[name] ?? null, value),
  );
  return isShown ? { change, before } : undefined;
}

/** Whether a step took effect immediately: 202 only promises it. */
export function isDone({ exchange: { response } }: Step): boolean {
  return response !== undefined && [200, 201, 204].includes(response.status);
}

function recordRead(
  { resource, action }: Role,
  { exchange: { response }, answer }: Step,
): JsonObject | undefined {
  return action === 'read' && response?.status === 200 ? shownRecord(resource, answer) : undefined;
}

function isSame({ resource: { identifier } }: Role, left: Step, right: Step): boolean {
  const [one, other] = [left, right].map(({ sent }) => argumentNamed(sent, identifier.parameter));
  return one !== undefined && sameIdentifier(String(one), String(other));
}

/** The entity tag of a response (RFC 9110, section 8.8.3), as written; undefined if it has none. */
export function tagOf({ exchange: { response } }: Pick<Step, 'exchange'>): string | undefined {
  const tag = response && headerValue(response.headers, 'etag')?.trim();
  return tag === '' ? undefined : tag;
}

/**
 * Whether a tag is weak: it may stay the same after a small change, and never matches If-Match (RFC
 * 9110, section 8.8.3.2).
 */
export function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

/**
 * Whether two tags are equal by the weak comparison. Quotes, which many services omit, are ignored.
 */
export function sameTag(left: string, right: string): boolean {
  return opaque(left) === opaque(right);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replaceAll('"', '');
}

import type { EarlierRecord } from './created-record.ts';
import type { Resource } from '../../contract/model.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { showsDeleted } from '../../contract/protocols/soft-delete.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf } from '../model/step.ts';
import { shownRecord } from './shown-records.ts';
import { sameIdentifier } from './list-page.ts';
import { argumentNamed } from './find-request-fault.ts';
import { isStateName, isUseFlag, saysGone } from '../../contract/words/names.ts';

/**
 * The record that the sequence deleted last, if the server confirmed it: a 202 only promises it
 * (RFC 9110, section 15.3.3).
 */
export function removedEarlier({
  contract,
  operation,
  earlier,
}: CheckInput): EarlierRecord | undefined {
  if (earlier.length === 0) return undefined;
  const role = roleOf(contract, operation);
  const deletion = role?.resource.operations.delete;
  if (role === undefined || deletion === undefined) return undefined;
  const step = earlier.findLast(
    (candidate) =>
      candidate.case.operation === deletion &&
      roleOf(contract, deletion)?.resource === role.resource,
  );
  const status = step?.exchange.response?.status;
  if (step?.case.intent.kind !== 'valid' || (status !== 200 && status !== 204)) return undefined;
  const identifier = argumentNamed(step.sent, role.resource.identifier.parameter);
  return identifier === undefined ? undefined : { resource: role.resource, step, identifier };
}

/**
 * Whether an operation shows deleted records when it is asked for them: then a plain request has to
 * hide them, and `asked` is the value of the flag.
 */
export function deletedFlag({
  operation,
  sent,
}: Pick<CheckInput, 'operation' | 'sent'>): { readonly asked: boolean } | undefined {
  const flag = operation.parameters.find(showsDeleted);
  return flag && { asked: sent.arguments.get(flag) === true };
}

/**
 * Whether a read shows a record that the sequence deleted as one that is only marked, where the
 * contract has an operation that restores it (AIP-164), and the read no flag that asks for it.
 */
export function isDeletedSoftly(subject: CheckInput): boolean {
  const removed = removedEarlier(subject);
  if (removed === undefined || deletedFlag(subject) !== undefined) return false;
  const { resource } = removed;
  const record = shownRecord(resource, subject.answer);
  const facts = protocolsOf(subject.contract, resource).softDelete;
  return facts !== undefined && record !== undefined && isMarkedAsGone(record);
}

/** The record with an identifier in a list of records. */
export function withIdentifier(
  records: readonly JsonObject[],
  resource: Resource,
  identifier: JsonValue,
): JsonObject | undefined {
  return records.find((record) => sameIdentifier(record[resource.identifier.field], identifier));
}

/**
 * Whether a deletion changed a state of a record that is still shown: a text or a flag, at any
 * depth, such as `status.state` from `active` to `expired`. Times and numbers change by themselves.
 */
export function wasMarked(before: JsonObject, after: JsonObject): boolean {
  return Object.entries(before).some(([name, was]) => {
    const is = after[name];
    if (isJsonObject(was) && isJsonObject(is)) return wasMarked(was, is);
    if (typeof was === 'boolean') return typeof is === 'boolean' && was !== is;
    return isWord(was) && isWord(is) && was !== is;
  });
}

function isWord(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && Number.isNaN(Date.parse(value));
}

/** Whether the records of a resource have a member that can mark them as deleted. */
export function canBeMarked({ record }: Resource): boolean {
  return [...record.flatten().properties].some(([name, place]) => {
    if (saysGone(name) || isUseFlag(name)) return true;
    const states = record.flatten(place).node.enum ?? [];
    return isStateName(name) && states.some((state) => saysGone(String(state)));
  });
}

/** Whether a record is marked as deleted: many servers keep deleted records. */
export function isMarkedAsGone(record: JsonObject): boolean {
  return Object.entries(record).some(([name, value]) => {
    if (saysGone(name)) return value !== null && value !== false && value !== '';
    if (isUseFlag(name)) return value === false;
    return isStateName(name) && !isJsonObject(value) && saysGone(String(value));
  });
}

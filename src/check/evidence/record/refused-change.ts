import { asksToWait, isRefusal, isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { type Role, roleOf, type Step } from '../../model/step.ts';
import { sameIdentifier } from '../list/list-page.ts';
import { argumentNamed } from '../request/argument-named.ts';
import { compareRecords, type Difference } from './compare-records.ts';
import { namesInPath } from './created-record.ts';
import { isKeptByServer } from './kept-by-server.ts';
import { shownRecord } from './shown-records.ts';

/** A replacement or an update that was refused, and what it changed in the record all the same. */
export interface RefusedChange {
  readonly refused: Step;
  readonly differences: readonly Difference[];
}

/**
 * What a record has otherwise than it had just before a change of it that was refused; undefined
 * where the step is no such read. Fields that clients cannot set, and those that servers keep by
 * themselves, are let be; so is what an earlier change may only now have reached.
 */
export function changesAfterRefusal(subject: CheckInput): RefusedChange | undefined {
  if (subject.earlier.length < 2) return undefined;
  const role = roleOf(subject.contract, subject.operation);
  if (role?.action !== 'read') return undefined;
  const [before, refused] = [subject.earlier.at(-2), subject.earlier.at(-1)];
  if (before === undefined || refused === undefined || !isRefusedChange(role, refused))
    return undefined;
  const schema = mediaOf(refused.case)?.schema;
  const [former, latter] = [recordOf(role, before), recordOf(role, subject)];
  const { field, parameter } = role.resource.identifier;
  const asked = argumentNamed(subject.sent, parameter);
  const isOne = [before, refused].every(({ sent }) =>
    sameIdentifier(argumentNamed(sent, parameter), asked),
  );
  if (
    before.case.operation !== subject.operation ||
    schema === undefined ||
    former === undefined ||
    latter === undefined ||
    !isOne
  )
    return undefined;
  const comparison = {
    schema,
    absent: 'different',
    except: [field, ...namesInPath(refused.case.operation, subject.operation)],
  } as const;
  const come = Object.fromEntries(
    Object.entries(latter).filter(([name]) => !Object.hasOwn(former, name)),
  );
  const differences = [
    ...compareRecords(former, latter, comparison),
    ...compareRecords(come, former, comparison).map(
      ({ wanted, got, ...difference }): Difference => ({
        ...difference,
        wanted: got ?? null,
        got: wanted,
      }),
    ),
  ];
  return {
    refused,
    differences: differences.filter((difference) => !isExplained(subject, refused, difference)),
  };
}

function isRefusedChange(
  { resource: { operations } }: Role,
  { case: { operation, intent }, exchange: { response } }: Step,
): boolean {
  const isChange = operation === operations.replace || operation === operations.update;
  return (
    isChange &&
    intent.kind === 'invalid' &&
    response !== undefined &&
    isRefusal(response.status) &&
    !asksToWait(response)
  );
}

function recordOf(
  { resource }: Role,
  { answer, exchange, case: { intent } }: Step,
): JsonObject | undefined {
  return intent.kind === 'valid' && isSuccess(exchange.response?.status ?? 0)
    ? shownRecord(resource, answer)
    : undefined;
}

function isExplained({ earlier }: CheckInput, refused: Step, { field, got }: Difference): boolean {
  const given = isJsonObject(refused.sent.body) ? refused.sent.body[field] : undefined;
  if (given === undefined && isKeptByServer(field)) return true;
  // A slow replica shows only now what a change before this one set.
  return earlier.some(
    ({ sent: { body }, exchange: { response } }) =>
      isJsonObject(body) &&
      isSuccess(response?.status ?? 0) &&
      equalJson(body[field] ?? null, got ?? null),
  );
}

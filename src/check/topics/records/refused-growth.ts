import { asksToWait, isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, membersWhere, memberOf, type JsonObject } from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { type Role, roleOf, type Step, hasSuccess } from '../../model/step.ts';
import { isUnpaged, isAllThereIs, pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { isSameRequestAs } from '../../reading/list-query.ts';
import { countsMore, totalOf } from '../../reading/list-total.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { compareRecords, type Difference } from '../../reading/compare-records.ts';
import { namesInPath } from '../../reading/created-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { looksLike } from '../../../words-in.ts';

/** A record that appeared in a list right after a refused create, with the values that it sent. */
export interface RefusedGrowth {
  readonly refused: Step;
  readonly record: JsonObject;
}

/**
 * The records of two refused creates that a list shows one after the other: it was stable before,
 * and grew by one record after each, with the values sent. A single record may be another client's.
 * Undefined if the sequence is not such a test; empty if it shows no growth.
 */
export function growthAfterRefusals(subject: CheckInput): RefusedGrowth[] | undefined {
  const refusals = refusedBefore(subject);
  const looks = refusals.length < 2 ? [] : looksAt(subject);
  if (looks.length < 4) return undefined;
  const pages = looks.map((step) => pageOf(subject, step)?.records);
  const [before, quiet] = pages;
  if (
    before === undefined ||
    quiet === undefined ||
    newcomers(subject, before, quiet).length > 0 ||
    newcomers(subject, quiet, before).length > 0
  )
    return [];
  return refusals.flatMap((refused, index) => {
    const [former, latter] = [pages[index + 1], pages[index + 2]];
    const fresh =
      former === undefined || latter === undefined ? [] : newcomers(subject, former, latter);
    const [record, ...others] = fresh;
    return record !== undefined && others.length === 0 && isOf(subject, refused, record)
      ? [{ refused, record }]
      : [];
  });
}

/**
 * The refused creates after each of which the total grew by one, for any records: the list was
 * stable before them, and is stable again after them. Undefined if the sequence is not such a test;
 * empty if it shows no growth.
 */
export function countedGrowth(subject: CheckInput): Step[] | undefined {
  const refusals = refusedBefore(subject);
  const looks = refusals.length < 2 ? [] : looksAt(subject);
  if (looks.length !== refusals.length + 3) return undefined;
  const sizes = looks.map((step) => sizeOf(subject, step));
  const first = sizes[0];
  if (first === undefined) return undefined;
  // Twice before the first create, once after each, and once more.
  const expected = looks.map(
    (_look, index) => first + Math.min(refusals.length, Math.max(0, index - 1)),
  );
  return sizes.every((size, index) => size === expected[index]) ? refusals : [];
}

/**
 * How many records match: the documented total, otherwise the number in a complete page. A list
 * without pages that grows is not cut off.
 */
function sizeOf(subject: CheckInput, step: Step): number | undefined {
  const page = pageOf(subject, step);
  if (page === undefined) return undefined;
  return (
    totalOf(page.resource, step)?.value ??
    (isAllThereIs(subject, page, step) ||
    (isUnpaged(page.resource) && !countsMore(step, page.records.length))
      ? page.records.length
      : undefined)
  );
}

/** The same request for the list, after the last create that succeeded. */
function looksAt(subject: CheckInput): Step[] {
  const steps = [...subject.earlier, subject];
  const made = steps.findLastIndex(
    ({ case: { operation }, exchange: { response } }) =>
      roleOf(subject.contract, operation)?.action === 'create' && isSuccess(response?.status ?? 0),
  );
  return steps.slice(made + 1).filter(isSameRequestAs(subject));
}

function refusedBefore(subject: CheckInput): Step[] {
  return subject.earlier.filter((step) => isRefusedCreate(subject, step));
}

function isRefusedCreate({ contract, operation }: CheckInput, step: Step): boolean {
  const role = roleOf(contract, step.case.operation);
  return (
    role?.action === 'create' &&
    role.resource === roleOf(contract, operation)?.resource &&
    step.case.intent.kind === 'invalid' &&
    isRefusal(step.exchange.response?.status ?? 0)
  );
}

/** The records of the later page that the earlier one does not have. */
function newcomers(
  { contract, operation }: CheckInput,
  earlier: readonly JsonObject[],
  later: readonly JsonObject[],
): JsonObject[] {
  const field = roleOf(contract, operation)?.resource.identifier.field ?? '';
  const known = new Set(earlier.map((record) => String(record[field])));
  return later.filter((record) => record[field] !== undefined && !known.has(String(record[field])));
}

/**
 * Whether a record has the values of a request in at least one field, and no other values in the
 * fields that it shows, except for the invalid one.
 */
function isOf({ contract, operation }: CheckInput, refused: Step, record: JsonObject): boolean {
  const resource = roleOf(contract, operation)?.resource;
  const schema = mediaOf(refused.case)?.schema;
  const { body } = refused.sent;
  if (resource === undefined || schema === undefined || !isJsonObject(body)) return false;
  const wrong = schema
    .validate(body, 'request')
    .map(({ at, property }) => property ?? at.split('/')[1] ?? '');
  const sent = membersWhere(
    body,
    (name) =>
      !wrong.includes(name) && record[name] !== undefined && name !== resource.identifier.field,
  );
  return (
    Object.keys(sent).length > 0 &&
    compareRecords(sent, record, { schema, absent: 'fine', except: [] }).length === 0
  );
}

/** A refused replacement or update, and what it changed in the record. */
export interface RefusedChange {
  readonly refused: Step;
  readonly differences: readonly Difference[];
}

/**
 * The fields of a record that changed with a refused change; undefined if the step is no such read.
 * Ignores fields that clients cannot set, those that servers maintain, and values that an earlier
 * change may have set with delay.
 */
export function changesAfterRefusal(subject: CheckInput): RefusedChange | undefined {
  if (subject.earlier.length < 2) return undefined;
  const role = roleOf(subject.contract, subject.operation);
  if (role?.action !== 'read') return undefined;
  const refused = subject.earlier.at(-1);
  if (refused === undefined || !isRefusedChange(role, refused)) return undefined;
  const before = readBefore(role, subject);
  if (before === undefined) return undefined;
  // The body of a JSON Patch, or of instructions, does not declare the fields of the record.
  const { record } = role.resource;
  const own = isJsonObject(refused.sent.body) ? mediaOf(refused.case)?.schema : undefined;
  const fields = record.flatten().properties;
  const declared = [...(own?.flatten().properties.keys() ?? [])];
  const schema = declared.some((name) => fields.has(name)) ? own : record;
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
  const come = membersWhere(latter, (name) => !Object.hasOwn(former, name));
  const differences = [
    ...compareRecords(former, latter, comparison),
    ...compareRecords(come, former, comparison).map(
      ({ expected, got, ...difference }): Difference => ({
        ...difference,
        expected: got ?? null,
        got: expected,
      }),
    ),
  ];
  return {
    refused,
    differences: differences.filter((difference) => !isExplained(subject, refused, difference)),
  };
}

/** The last plain read before the refused change, with nothing after it that was done. */
function readBefore({ resource }: Role, { earlier, operation }: CheckInput): Step | undefined {
  const { operations } = resource;
  for (const step of earlier.slice(0, -1).toReversed()) {
    const isRead = step.case.operation === operations.read;
    if (isRead && step.case.intent.kind === 'valid')
      return step.case.operation === operation ? step : undefined;
    if (!isRead && hasSuccess(step)) return undefined;
  }
  return undefined;
}

function isRefusedChange(
  { resource: { operations } }: Role,
  { case: { operation, intent }, exchange: { response } }: Step,
): boolean {
  const isChange = operation === operations.replace || operation === operations.update;
  return (
    isChange &&
    ['valid', 'invalid', 'condition', 'relation'].includes(intent.kind) &&
    response !== undefined &&
    isRefusal(response.status) &&
    !asksToWait(response)
  );
}

function recordOf(
  { resource }: Role,
  { answer, exchange, case: { intent } }: Step,
): JsonObject | undefined {
  return intent.kind === 'valid' && hasSuccess({ exchange })
    ? shownRecord(resource, answer)
    : undefined;
}

function isExplained({ earlier }: CheckInput, refused: Step, { field, got }: Difference): boolean {
  const given = memberOf(refused.sent.body, field);
  if (given === undefined && isKeptByServer(field)) return true;
  // A slow replica may show the values of an earlier change only now.
  return earlier.some(
    ({ sent: { body }, exchange: { response } }) =>
      isJsonObject(body) &&
      isSuccess(response?.status ?? 0) &&
      equalJson(body[field] ?? null, got ?? null),
  );
}

/**
 * Whether a server maintains a field itself, judging by its name: the time and the number of
 * changes.
 */
export const isKeptByServer = looksLike(
  /updat|modif|chang|version|revision|etag|time|date|_at$|At$/,
);

import { isRefusal } from '../../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { isWholePage, pageOf } from '../list/list-page.ts';
import { asksTheSame } from '../list/list-query.ts';
import { totalOf } from '../list/list-total.ts';
import { compareRecords } from './compare-records.ts';

/**
 * A record that turned up in a list right after a create that was refused, and that has what the
 * create sent.
 */
export interface RefusedGrowth {
  readonly refused: Step;
  readonly record: JsonObject;
}

/**
 * The records of two refused creates of a sequence that a list holds one after the other: it was
 * quiet before, and grew by one record after each, with what was sent. One of them alone may be
 * another client's. Undefined where the sequence shows no such thing; empty where it shows that
 * there is none.
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
 * The refused creates of a sequence after each of which a list counted one record more, whatever is
 * in it: it was quiet before them, and is quiet again after them. Undefined where the sequence
 * shows no such thing; empty where it shows that there is none.
 */
export function countedGrowth(subject: CheckInput): Step[] | undefined {
  const refusals = refusedBefore(subject);
  const looks = refusals.length < 2 ? [] : looksAt(subject);
  if (looks.length !== refusals.length + 3) return undefined;
  const sizes = looks.map((step) => sizeOf(subject, step));
  const first = sizes[0];
  if (first === undefined) return undefined;
  // Twice before the first create, once after each, and once more.
  const wanted = looks.map(
    (_look, index) => first + Math.min(refusals.length, Math.max(0, index - 1)),
  );
  return sizes.every((size, index) => size === wanted[index]) ? refusals : [];
}

/** How many records match in all: what the list says, or else what a whole page holds. */
function sizeOf(subject: CheckInput, step: Step): number | undefined {
  const page = pageOf(subject, step);
  if (page === undefined) return undefined;
  return (
    totalOf(page.resource, step)?.value ??
    (isWholePage(subject, page, step) ? page.records.length : undefined)
  );
}

function looksAt(subject: CheckInput): Step[] {
  return [...subject.earlier, subject].filter(asksTheSame(subject));
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

/** The records of the later page that the earlier one does not hold. */
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
 * Whether a record has what a request sent, in at least one field, and nothing else in those that
 * it shows: but for what was wrong.
 */
function isOf({ contract, operation }: CheckInput, refused: Step, record: JsonObject): boolean {
  const resource = roleOf(contract, operation)?.resource;
  const schema = mediaOf(refused.case)?.schema;
  const { body } = refused.sent;
  if (resource === undefined || schema === undefined || !isJsonObject(body)) return false;
  const wrong = schema
    .validate(body, 'request')
    .map(({ at, property }) => property ?? at.split('/')[1] ?? '');
  const sent = Object.fromEntries(
    Object.entries(body).filter(
      ([name]) =>
        !wrong.includes(name) && record[name] !== undefined && name !== resource.identifier.field,
    ),
  );
  return (
    Object.keys(sent).length > 0 &&
    compareRecords(sent, record, { schema, absent: 'fine', except: [] }).length === 0
  );
}

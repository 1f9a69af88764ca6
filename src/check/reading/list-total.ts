import type { PageMember } from '../../contract/protocols/pages.ts';
import { isContentName, successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { plainName } from '../../contract/infer/infer-names.ts';
import { isDigits } from '../../contract/infer/record-fields.ts';
import type { HeaderSpec, LocatedNode, Operation, Resource, Schema } from '../../contract/model.ts';
import { selectResponse, successResponses } from '../../contract/select-response.ts';
import { membersOf } from '../../json/body-members.ts';
import { headerValue } from '../../http/message.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';
import { fieldSays, headerSays } from '../../contract/words/facts.ts';
import { looksLike } from '../../words-in.ts';

/**
 * The total number of records that a list returns, and the place in the contract that documents it.
 */
export interface ListTotal {
  readonly value: number;
  /** Its name in a sentence: `total`, `the header X-Total-Count`. */
  readonly name: string;
  readonly pointer: Pointer;
}

const counted =
  'count items records elements results resources entries objects rows size hits'.split(' ');
const bodyNames = new RegExp(`^(total(${counted.join('|')})?|numfound|numbermatched|odatacount)$`);
/** Whether a member of a list's body holds the number of all records: `total`, `@odata.count`. */
export function namesTotal(member: string): boolean {
  return bodyNames.test(plainName(member));
}

/** Whether a header holds the number of all records: `X-Total-Count`. */
export const headerNamesTotal = looksLike(
  /^x-(total|total-count|totalcount|total-items|pagination-total|pagination-total-count)$/i,
);

/** Whether a member of an answer counts records: all of them, or those that it shows. */
function namesCount(member: string): boolean {
  return namesTotal(member) || plainName(member).endsWith('count');
}

/** Whether an answer itself says, in whatever member or header, that there are more records. */
export function countsMore({ answer, exchange: { response } }: Step, shown: number): boolean {
  const inHeaders = (response?.headers ?? []).flatMap(([name, value]) =>
    headerNamesTotal(name) ? [Number(value)] : [],
  );
  const inBody = membersOf(jsonOf(answer) ?? null).flatMap(({ at, name, value }) =>
    // The records and their parts count other things.
    !/\/\d+(\/|$)/.test(at) && namesCount(name) ? [{ name, count: Number(value) }] : [],
  );
  // Beside the number of those that pass the filter, that of all says nothing of these.
  const filtered = inBody.filter(({ name }) => /filter/i.test(name));
  const counts = (filtered.length > 0 ? filtered : inBody).map(({ count }) => count);
  return [...inHeaders, ...counts].some((count) => count > shown);
}

const wrapperNames = /^(?:meta|paging|pagination|page|result)(?:data|info|information)?$/;

/**
 * A total that the contract documents: a member beside the records, or a header. An undocumented
 * one may mean anything.
 */
export function totalOf(resource: Resource, step: Step): ListTotal | undefined {
  return bodyTotal(resource, step) ?? headerCount(step, isTotalHeader);
}

/** Whether the contract documents a total for a list. */
export function documentsTotal({ operations }: Resource): boolean {
  const { list } = operations;
  return (
    list !== undefined &&
    (totalMembers(list).length > 0 ||
      successResponses(list).some(({ headers }) => headers.some(isTotalHeader)))
  );
}

function bodyTotal({ operations }: Resource, { answer }: Step): ListTotal | undefined {
  const body = jsonOf(answer);
  const { list } = operations;
  if (body === undefined || list === undefined) return undefined;
  return totalMembers(list).flatMap(({ at, name, pointer }) => {
    const value = valueAt(body, at);
    const isWhole = typeof value === 'number' && Number.isInteger(value) && value >= 0;
    const isWritten = typeof value === 'string' && /^\d{1,15}$/.test(value);
    return isWhole || isWritten ? [{ value: Number(value), name, pointer }] : [];
  })[0];
}

interface TotalMember {
  readonly at: Pointer;
  readonly name: string;
  readonly pointer: Pointer;
}

function totalMembers(list: Operation): readonly TotalMember[] {
  return successSchema(list)?.derive(readTotalMembers) ?? [];
}

function readTotalMembers(schema: Schema): TotalMember[] {
  return membersOfPage(schema, schema, '').flatMap(({ at, name, place }) => {
    const flat = schema.flatten(place);
    const counts =
      namesTotal(name) &&
      (flat.types.some((type) => type === 'integer' || type === 'number') || isDigits(flat)) &&
      !fieldSays(flat, 'of-one-page');
    return counts ? [{ at, name, pointer: place.pointer }] : [];
  });
}

/** The members of a body, and of the objects in it that hold a page or tell of it. */
function membersOfPage(schema: Schema, around: LocatedNode, above: Pointer): PageMember[] {
  const { properties } = schema.flatten(around);
  return [...properties].flatMap(([name, place]) => {
    const at = joinPointer(above, name);
    const isAround = wrapperNames.test(plainName(name)) || isContentName(name);
    const inner =
      isAround && splitPointer(at).length < deepest ? membersOfPage(schema, place, at) : [];
    return [{ at, name, place }, ...inner];
  });
}

const deepest = 3;

/** The number of records in an answer itself, as a header says by its description. */
export function pageCountOf(step: Step): ListTotal | undefined {
  return headerCount(step, (header) => headerSays(header, 'counts-its-page'));
}

function headerCount(
  { case: { operation }, exchange: { response } }: Step,
  isWanted: (header: HeaderSpec) => boolean,
): ListTotal | undefined {
  if (response === undefined) return undefined;
  const spec = selectResponse(operation, response.status)?.headers.find(isWanted);
  const text = spec === undefined ? undefined : headerValue(response.headers, spec.name);
  if (spec === undefined || text === undefined || !/^\d{1,15}$/.test(text.trim())) return undefined;
  return { value: Number(text), name: `the header ${spec.name}`, pointer: spec.pointer };
}

function isTotalHeader(header: HeaderSpec): boolean {
  return headerNamesTotal(header.name) && !headerSays(header, 'of-one-page');
}

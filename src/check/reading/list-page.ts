import type { ListShape, Parameter, Resource } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { type Answer, roleOf, type Step, hasSuccess } from '../model/step.ts';
import { isLargeAnswer } from './read-answer.ts';
import { Recent } from './recent.ts';
import { isSameText } from './compare-records.ts';
import { listedRecords } from './shown-records.ts';
import { requestsFirstPage } from './list-query.ts';
import { countsMore, documentsTotal } from './list-total.ts';
import { leadsOn } from './next-page.ts';

/** One successful page of a resource's list. */
export interface ListPage {
  readonly resource: Resource;
  readonly records: readonly JsonObject[];
  /** The identifiers of its records, in their order, as texts; undefined if a record has none. */
  readonly identifiers: readonly string[] | undefined;
  /**
   * The position of each identifier; of one that occurs twice, the last. Empty if a record has no
   * identifier.
   */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * The page in the response to a step; undefined if the step is not a list, was refused, or the body
 * has no records where the contract declares them.
 */
export function pageOf(
  { contract }: Pick<CheckInput, 'contract'>,
  step: Step,
): ListPage | undefined {
  const role = roleOf(contract, step.case.operation);
  if (role?.action !== 'list' || step.case.intent.kind !== 'valid' || !hasSuccess(step))
    return undefined;
  const { resource } = role;
  const before = known.get(step.answer);
  if (before?.resource === resource) return before;
  const records = listedRecords(resource, step.answer);
  return records && known.set(step.answer, new ReadPage(resource, records));
}

// A dozen callers read the page of every list.
const known = new Recent<Answer, ListPage>(isLargeAnswer);

/** A page whose identifiers are computed on first use. */
class ReadPage implements ListPage {
  readonly resource: Resource;
  readonly records: readonly JsonObject[];
  #identifiers: readonly string[] | 'unread' | undefined = 'unread';
  #places: ReadonlyMap<string, number> | undefined;

  constructor(resource: Resource, records: readonly JsonObject[]) {
    this.resource = resource;
    this.records = records;
  }

  get identifiers(): readonly string[] | undefined {
    if (this.#identifiers === 'unread')
      this.#identifiers = identifiersOf(this.records, this.resource.identifier.field);
    return this.#identifiers;
  }

  get places(): ReadonlyMap<string, number> {
    return (this.#places ??= placesOf(this.identifiers ?? []));
  }
}

function placesOf(identifiers: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, identifier] of identifiers.entries()) places.set(identifier, place);
  return places;
}

function identifiersOf(records: readonly JsonObject[], field: string): string[] | undefined {
  const identifiers: string[] = [];
  for (const record of records) {
    const identifier = record[field];
    if (identifier === undefined || identifier === null) return undefined;
    identifiers.push(String(identifier));
  }
  return identifiers;
}

/**
 * The page size that a step requested, or the default of the contract; undefined if there is
 * neither.
 */
export function limitOf(
  resource: Resource,
  step: Step,
): { readonly parameter: Parameter; readonly value: number; readonly asked: boolean } | undefined {
  const limit = resource.list?.limit;
  if (limit === undefined) return undefined;
  const asked = step.sent.arguments.get(limit.parameter);
  // A limit below one record has no defined meaning.
  if (typeof asked === 'number' && asked < 1) return undefined;
  if (typeof asked === 'number') return { parameter: limit.parameter, value: asked, asked: true };
  return asked === undefined && limit.default !== undefined
    ? { parameter: limit.parameter, value: limit.default, asked: false }
    : undefined;
}

/**
 * Whether a page certainly has every matching record. Having fewer than the limit is not enough,
 * because a server may cap its pages: another page of the list in this run must be longer, and this
 * one must be the first and name no next page.
 */
export function isWholePage(
  subject: Pick<CheckInput, 'contract' | 'operation' | 'knowledge' | 'earlier'>,
  { resource, records }: ListPage,
  step: Step,
): boolean {
  const limit = limitOf(resource, step)?.value ?? Infinity;
  if (
    records.length >= limit ||
    (limit === Infinity && mayBeCut(resource.list, records.length)) ||
    resource.list === undefined ||
    asksForNothing(resource.list, step) ||
    !requestsFirstPage(resource.list, step) ||
    leadsOn(subject, step)
  )
    return false;
  // The replays of the run have created more records since its summary.
  const since = subject.earlier.map((other) =>
    other.case.operation === step.case.operation
      ? (pageOf(subject, other)?.records.length ?? 0)
      : 0,
  );
  const largest = Math.max(subject.knowledge.largestPages.get(subject.operation.id) ?? 0, ...since);
  return records.length < Math.min(limit, largest);
}

/**
 * The same of a page that counts no more records either. A documented total beside documented pages
 * is itself in doubt.
 */
export function isAllThereIs(
  subject: Parameters<typeof isWholePage>[0],
  page: ListPage,
  step: Step,
): boolean {
  const { resource, records } = page;
  const isBelieved = isUnpaged(resource) || !documentsTotal(resource);
  return isWholePage(subject, page, step) && !(isBelieved && countsMore(step, records.length));
}

/** Whether as many records as this may be a page of the usual size, which no document states. */
function mayBeCut(list: ListShape | undefined, count: number): boolean {
  return list?.limit !== undefined && usualSizes.has(count);
}

const usualSizes: ReadonlySet<number> = new Set([10, 15, 20, 25, 30, 50, 100]);

/** Whether a request asks for a page without records, which `limitOf` does not count as a limit. */
function asksForNothing({ limit }: ListShape, { sent }: Step): boolean {
  const asked = limit && sent.arguments.get(limit.parameter);
  return typeof asked === 'number' && asked < 1;
}

/** Whether the contract gives a list neither pages nor a limit of records. */
export function isUnpaged({ list }: Resource): boolean {
  return list !== undefined && list.limit === undefined && list.paging.length === 0;
}

/** Whether two identifiers are equal as text: a path has only text. A UUID has no case. */
export function sameIdentifier(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [String(left), String(right)];
  return one === other || (one.length === 36 && isSameText(one, other));
}

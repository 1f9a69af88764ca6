import type { Parameter, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { type Answer, roleOf, type Step } from '../../model/step.ts';
import { Recent } from '../recent.ts';
import { listedRecords } from '../record/shown-records.ts';
import { asksBeginning } from './list-query.ts';
import { leadsOn } from './next-page.ts';

/** One successful page of a resource's list. */
export interface ListPage {
  readonly resource: Resource;
  readonly records: readonly JsonObject[];
  /** Those of its records, in their order, as texts; undefined where a record shows none. */
  readonly identifiers: readonly string[] | undefined;
  /**
   * Where each of its identifiers stands; the last place of one that stands there twice. Empty
   * where a record shows none.
   */
  readonly places: ReadonlyMap<string, number>;
}

/**
 * The page that a step of a list got, or undefined where it is no list, was refused, or has no
 * records in its place.
 */
export function pageOf(
  { contract }: Pick<CheckInput, 'contract'>,
  step: Step,
): ListPage | undefined {
  const role = roleOf(contract, step.case.operation);
  if (
    role?.action !== 'list' ||
    step.case.intent.kind !== 'valid' ||
    !isSuccess(step.exchange.response?.status ?? 0)
  )
    return undefined;
  const { resource } = role;
  const before = known.get(step.answer);
  if (before?.resource === resource) return before;
  const records = listedRecords(resource, step.answer);
  if (records === undefined) return undefined;
  return known.set(step.answer, new ReadPage(resource, records));
}

// A dozen ask for the page of every list.
const known = new Recent<Answer, ListPage>();

/** A page whose identifiers are gathered once, for the first who asks for them. */
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
 * The page size that a step asked for, or that the contract gives where none is asked for;
 * undefined where neither is.
 */
export function limitOf(
  resource: Resource,
  step: Step,
): { readonly parameter: Parameter; readonly value: number; readonly asked: boolean } | undefined {
  const limit = resource.list?.limit;
  if (limit === undefined) return undefined;
  const asked = step.sent.arguments.get(limit.parameter);
  // What fewer than one record would mean, nobody says.
  if (typeof asked === 'number' && asked < 1) return undefined;
  if (typeof asked === 'number') return { parameter: limit.parameter, value: asked, asked: true };
  return asked === undefined && limit.default !== undefined
    ? { parameter: limit.parameter, value: limit.default, asked: false }
    : undefined;
}

/**
 * Whether a page certainly holds every record that matches. Fewer than the limit is not enough, for
 * a server may cap its pages below: only a page that is shorter than another one which the list
 * gave in this run proves it, and only where it is the first and names no other.
 */
export function isWholePage(
  subject: Pick<CheckInput, 'contract' | 'operation' | 'knowledge' | 'earlier'>,
  { resource, records }: ListPage,
  step: Step,
): boolean {
  const limit = limitOf(resource, step)?.value ?? Infinity;
  if (
    records.length >= limit ||
    resource.list === undefined ||
    !asksBeginning(resource.list, step) ||
    leadsOn(subject, step)
  )
    return false;
  // Since the run was added up, its replays have made more records.
  const since = subject.earlier.map((other) =>
    other.case.operation === step.case.operation
      ? (pageOf(subject, other)?.records.length ?? 0)
      : 0,
  );
  const largest = Math.max(subject.knowledge.largestPages.get(subject.operation.id) ?? 0, ...since);
  return records.length < Math.min(limit, largest);
}

/** Whether two identifiers are the same, however they are written: a path carries text. */
export function sameIdentifier(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && String(left) === String(right);
}

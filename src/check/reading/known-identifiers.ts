import { countsMore } from './list-total.ts';
import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import type { RunKnowledge } from '../model/knowledge.ts';
import { type Role, roleOf, type Sent, type Step, hasSuccess } from '../model/step.ts';
import { namedResource } from './path-names.ts';
import { limitOf, type ListPage } from './list-page.ts';
import { isFiltered, requestsFirstPage } from './list-query.ts';
import { membersOf } from '../../json/body-members.ts';
import { shownRecord } from './shown-records.ts';

/** Further records are not stored: a reference to one of them counts as unknown. */
const maxRecords = 20_000;

/** The identifiers of one resource, and whether one page showed all of them. */
interface Gathered {
  readonly identifiers: Map<string, JsonValue>;
  isWhole: boolean;
  /** The sizes of unfiltered first pages that were shorter than their limit. */
  readonly roomy: { readonly operation: Operation; readonly count: number }[];
}

/**
 * Collects the identifiers of the resources that rules of the contract read (`ids("customers")`).
 * They are known only if some page certainly held all records: of a list without pages, or one that
 * was shorter than its limit and than another page of the run.
 */
export class IdentifierGatherer {
  readonly #byResource: ReadonlyMap<string, Gathered>;
  readonly #contract: Contract;
  readonly #named = new Map<string, Resource | undefined>();
  readonly #records = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
    const wanted = new Set(contract.rules.all.flatMap(({ resources }) => resources));
    this.#byResource = new Map(
      [...wanted].map((name) => [name, { identifiers: new Map(), isWhole: false, roomy: [] }]),
    );
  }

  /** Adds a step; `page` is the list page in its response. */
  note(step: Step, role: Role | undefined, page: ListPage | undefined): void {
    if (!hasSuccess(step)) return;
    this.#noteReferences(step);
    if (role !== undefined) this.#noteShown(role.resource, step, page);
  }

  #noteShown(resource: Resource, step: Step, page: ListPage | undefined): void {
    const gathered = this.#byResource.get(resource.name);
    if (gathered === undefined && resource.parents.length > 0) return;
    const records = page?.records ?? [shownRecord(resource, step.answer) ?? {}];
    for (const { [resource.identifier.field]: value } of records) {
      if (value === undefined) continue;
      gathered?.identifiers.set(String(value), value);
      this.#noteRecord(resource.collection, value);
    }
    if (gathered !== undefined && page !== undefined) noteExtent(gathered, page, step);
  }

  /**
   * A reference that was accepted identifies a record, or a value that the service treats as one.
   */
  #noteReferences({ case: { operation, intent }, sent }: Step): void {
    if (intent.kind !== 'valid') return;
    const named = (name: string): Resource | undefined => {
      if (!this.#named.has(name)) this.#named.set(name, namedResource(this.#contract, name));
      return this.#named.get(name);
    };
    for (const { resource, value } of referencesIn(this.#contract, operation, sent, named))
      this.#noteRecord(resource.collection, value);
  }

  #noteRecord(collection: string, value: JsonValue): void {
    if (this.#records.size < maxRecords) this.#records.add(`${collection} ${String(value)}`);
  }

  /**
   * The records that responses showed, or that accepted requests referred to: `collection
   * identifier`.
   */
  get records(): ReadonlySet<string> {
    return this.#records;
  }

  /** The identifiers by resource, if all are known. */
  identifiers(largestPages: RunKnowledge['largestPages']): RunKnowledge['identifiers'] {
    return new Map(
      [...this.#byResource]
        .filter(
          ([, { isWhole, roomy }]) =>
            isWhole ||
            roomy.some(({ operation, count }) => count < (largestPages.get(operation.id) ?? 0)),
        )
        .map(([name, { identifiers }]) => [name, [...identifiers.values()]]),
    );
  }
}

function noteExtent(gathered: Gathered, { resource, records }: ListPage, step: Step): void {
  const { list } = resource;
  if (list === undefined || isFiltered(list, step) || countsMore(step, records.length)) return;
  const limit = limitOf(resource, step)?.value;
  if (list.limit === undefined && list.paging.length === 0) gathered.isWhole = true;
  else if (requestsFirstPage(list, step) && records.length < (limit ?? Infinity))
    gathered.roomy.push({ operation: step.case.operation, count: records.length });
}

/** A record that a request refers to besides that of its path. */
export interface Reference {
  readonly resource: Resource;
  readonly value: JsonValue;
}

/**
 * The records that the query and the body of a request refer to, by the names of parameters and
 * members: `siteName`, `customerId`. A create does not refer to the record that it creates.
 */
export function referencesIn(
  contract: Contract,
  operation: Operation,
  { arguments: given, body }: Sent,
  namedBy: (name: string) => Resource | undefined = (name) => namedResource(contract, name),
): Reference[] {
  const own = roleOf(contract, operation)?.resource;
  const inQuery = [...given].flatMap(([parameter, value]) =>
    parameter.in === 'query' ? [{ name: parameter.name, value }] : [],
  );
  const inBody = body === undefined ? [] : membersOf(body);
  return [...inQuery, ...inBody].flatMap(({ name, value }) => {
    const resource = namedBy(name);
    const isOwn = resource !== undefined && resource.collection === own?.collection;
    if (resource === undefined || isOwn) return [];
    return (isJsonArray(value) ? value : [value])
      .filter((one) => one !== null && typeof one !== 'object')
      .map((one) => ({ resource, value: one }));
  });
}

import type { Contract, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { RunKnowledge } from '../../model/knowledge.ts';
import type { Role, Step } from '../../model/step.ts';
import { limitOf, type ListPage } from '../list/list-page.ts';
import { askedFilters, asksBeginning } from '../list/list-query.ts';
import { shownRecord } from './shown-records.ts';

/** The identifiers of one resource, and whether one page showed all there were. */
interface Gathered {
  readonly identifiers: Map<string, JsonValue>;
  isWhole: boolean;
  /** How many records unfiltered first pages had that were shorter than their limit. */
  readonly roomy: { readonly operation: Operation; readonly count: number }[];
}

/**
 * Gathers the identifiers of the resources that rules of the contract ask for (`ids("customers")`).
 * They are known only where some page certainly held all records: of a list that has no pages, or
 * one that was shorter than its limit and than another page of the run.
 */
export class IdentifierGatherer {
  readonly #byResource: ReadonlyMap<string, Gathered>;

  constructor({ rules }: Contract) {
    const wanted = new Set(rules.all.flatMap(({ resources }) => resources));
    this.#byResource = new Map(
      [...wanted].map((name) => [name, { identifiers: new Map(), isWhole: false, roomy: [] }]),
    );
  }

  /** Takes in a step; `page` is what it shows of a list. */
  note(step: Step, role: Role | undefined, page: ListPage | undefined): void {
    const gathered = role && this.#byResource.get(role.resource.name);
    if (role === undefined || gathered === undefined) return;
    if (!isSuccess(step.exchange.response?.status ?? 0)) return;
    const { field } = role.resource.identifier;
    const records = page?.records ?? [shownRecord(role.resource, step.answer) ?? {}];
    for (const { [field]: identifier } of records)
      if (identifier !== undefined) gathered.identifiers.set(String(identifier), identifier);
    if (page !== undefined) noteExtent(gathered, page, step);
  }

  /** The identifiers by resource, as far as all are known. */
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
  if (list === undefined || askedFilters(list, step).length > 0) return;
  const limit = limitOf(resource, step)?.value;
  if (list.limit === undefined && list.paging.length === 0) gathered.isWhole = true;
  else if (asksBeginning(list, step) && records.length < (limit ?? Infinity))
    gathered.roomy.push({ operation: step.case.operation, count: records.length });
}

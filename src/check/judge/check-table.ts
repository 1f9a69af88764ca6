import type { Contract, Operation, ResourceAction } from '../../contract/model.ts';
import type { Check } from '../checks/check.ts';
import type { Case, Intent } from '../model/case.ts';
import { roleOf } from '../model/role.ts';

/** Checks that are to be held against the answers to requests of a contract. */
export interface Charge {
  readonly contract: Contract;
  readonly checks: readonly Check[];
}

/** A check, and its place among all that are held. */
export interface PlacedCheck {
  readonly check: Check;
  readonly place: number;
}

/**
 * The checks that look at a request, in their order: by what it is sent for, and by the part that
 * its operation has in a resource.
 */
export function checksOf(
  { contract, checks }: Charge,
  { operation, intent }: Case,
): readonly Check[] {
  const action = roleOf(contract, operation)?.action;
  return checks.filter(
    ({ intents, actions }) =>
      (intents === undefined || intents.includes(intent.kind)) &&
      (actions === undefined || (action !== undefined && actions.includes(action))),
  );
}

/**
 * Which checks look at which requests, and how often: most look at few, and a run sends thousands
 * of one kind.
 */
export class CheckTable {
  readonly #charge: Charge;
  // A contract of many operations has few kinds of requests: what is chosen for one is chosen for
  // all of them.
  readonly #rows = new Map<
    ResourceAction | undefined,
    Map<Intent['kind'], readonly PlacedCheck[]>
  >();
  readonly #looked = new Map<Operation, Uint32Array>();

  constructor(charge: Charge) {
    this.#charge = charge;
  }

  /** Those that look at a request. */
  of(tried: Case): readonly PlacedCheck[] {
    const action = roleOf(this.#charge.contract, tried.operation)?.action;
    let rows = this.#rows.get(action);
    if (rows === undefined) this.#rows.set(action, (rows = new Map()));
    let row = rows.get(tried.intent.kind);
    if (row === undefined)
      rows.set(
        tried.intent.kind,
        (row = checksOf(this.#charge, tried).map((check) => ({
          check,
          place: this.#charge.checks.indexOf(check),
        }))),
      );
    return row;
  }

  /** Counts that a check had something to look at in an answer of an operation. */
  count(operation: Operation, { place }: PlacedCheck): void {
    let looked = this.#looked.get(operation);
    if (looked === undefined)
      this.#looked.set(operation, (looked = new Uint32Array(this.#charge.checks.length)));
    looked[place] = (looked[place] ?? 0) + 1;
  }

  /** How often each check had something to look at: by operation, then by check. */
  counts(): Map<string, Map<string, number>> {
    const counts = new Map<string, Map<string, number>>();
    for (const [{ id }, looked] of this.#looked) {
      const own = counts.get(id) ?? new Map<string, number>();
      counts.set(id, own);
      for (const [place, check] of this.#charge.checks.entries())
        if ((looked[place] ?? 0) > 0)
          own.set(check.id, (own.get(check.id) ?? 0) + (looked[place] ?? 0));
    }
    return counts;
  }
}

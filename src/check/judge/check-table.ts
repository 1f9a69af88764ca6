import type { Contract, Operation } from '../../contract/model.ts';
import type { Case, Intent } from '../case.ts';
import type { Check } from '../checks/check.ts';
import { roleOf } from '../subject.ts';

/** Checks that are to be held against the answers to requests of a contract. */
export interface Charge {
  readonly contract: Contract;
  readonly checks: readonly Check[];
}

/** A check, and how often it had something to look at in the answers to one kind of request. */
export interface CountedCheck {
  readonly check: Check;
  looked: number;
}

/** The checks that look at a request, in their order: by what it is sent for, and by the part that its operation has in a resource. */
export function checksOf({ contract, checks }: Charge, { operation, intent }: Case): readonly Check[] {
  const action = roleOf(contract, operation)?.action;
  return checks.filter(({ intents, actions }) => (intents === undefined || intents.includes(intent.kind)) && (actions === undefined || (action !== undefined && actions.includes(action))));
}

/** Which checks look at which requests, and how often: most look at few, and a run sends thousands of one kind. */
export class CheckTable {
  readonly #charge: Charge;
  readonly #rows = new Map<Operation, Map<Intent['kind'], readonly CountedCheck[]>>();

  constructor(charge: Charge) {
    this.#charge = charge;
  }

  /** Those that look at a request, the same each time: whoever asks them counts. */
  of(tried: Case): readonly CountedCheck[] {
    let rows = this.#rows.get(tried.operation);
    if (rows === undefined) this.#rows.set(tried.operation, (rows = new Map()));
    let row = rows.get(tried.intent.kind);
    if (row === undefined) rows.set(tried.intent.kind, (row = checksOf(this.#charge, tried).map((check) => ({ check, looked: 0 }))));
    return row;
  }

  /** How often each check had something to look at: by operation, then by check. */
  counts(): Map<string, Map<string, number>> {
    const counts = new Map<string, Map<string, number>>();
    for (const [{ id }, rows] of this.#rows) {
      const own = counts.get(id) ?? new Map<string, number>();
      counts.set(id, own);
      for (const { check, looked } of [...rows.values()].flat()) if (looked > 0) own.set(check.id, (own.get(check.id) ?? 0) + looked);
    }
    return counts;
  }
}

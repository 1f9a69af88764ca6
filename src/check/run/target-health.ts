import type { Operation } from '../../contract/model.ts';
import { isRedirect } from '../../http/status.ts';
import { hasSpoken } from '../evidence/latency.ts';
import { isTelling } from '../judge/readings.ts';
import type { Case } from '../model/case.ts';
import type { Exchange, TransportFault } from '../model/exchange.ts';
import type { Step } from '../model/step.ts';
import type { Unreachable, WrongBaseUrl } from '../model/stop.ts';

/** Faults after which nothing more can be hoped for from the same address. */
const nobodyThere: readonly TransportFault[] = [
  'connection.refused',
  'dns.failed',
  'tls.failed',
  'proxy.failed',
];
const mostInARow = 3;

/**
 * Watches for a target that stops answering altogether, which is no finding against any operation.
 */
export class TargetHealth {
  readonly #faulty = new Set<Operation>();
  #last: Exchange | undefined;
  #answered: Step | undefined;
  #faults = 0;
  readonly #operations: number;

  /**
   * `operations` is how many get requests in this run: where there are fewer than three, all of
   * them have to fail.
   */
  constructor(operations: number) {
    this.#operations = operations;
  }

  /** Takes in a step. An answer that cannot be read is one all the same: somebody is there. */
  note(step: Step): void {
    if (hasSpoken(step.exchange)) {
      this.#faulty.clear();
      if (this.#answered === undefined || step.exchange.request.method === 'GET')
        this.#answered = step;
      return;
    }
    this.#faults += 1;
    this.#faulty.add(step.case.operation);
    this.#last = step.exchange;
  }

  /**
   * Whether the last requests failed on so many operations, or in such a way, that the target
   * itself may be gone.
   */
  isSuspicious(): boolean {
    if (this.#faulty.size === 0) return false;
    if (this.isNobody) return true;
    if (this.#answered === undefined) return this.#faults >= mostInARow;
    return this.#faulty.size >= Math.min(mostInARow, this.#operations);
  }

  /** Whether no other operation has to be tried to know that nobody is there. */
  get isNobody(): boolean {
    return this.#last?.fault !== undefined && nobodyThere.includes(this.#last.fault.kind);
  }

  /** The operations that failed since something was answered. */
  get faulty(): ReadonlySet<Operation> {
    return this.#faulty;
  }

  /**
   * A request that was answered before: whether it still is tells a dead target from a dead
   * operation.
   */
  get answered(): Step | undefined {
    return this.#answered;
  }

  /** The exchange that failed last. */
  get failed(): Exchange | undefined {
    return this.#last;
  }

  /** Forgets the faults: the target was seen to answer. */
  calm(): void {
    this.#faulty.clear();
  }
}

/** The stop of a target that does not answer: what became of the request that shows it. */
export function unreachable({ baseUrl, fault }: Exchange, answeredBefore: boolean): Unreachable {
  const told = { code: 'unreachable', baseUrl, answeredBefore } as const;
  return fault === undefined ? told : { ...told, fault };
}

/**
 * So many operations without a record in their path have to be missing before others are asked in
 * the middle of a stage.
 */
const enough = 5;

/**
 * Watches whether any path of the contract is found on the target: where none is, the base URL is
 * wrong.
 */
export class PathHealth {
  readonly #missing = new Map<Operation, 'not-found' | 'redirects'>();
  #isFound = false;

  /** Takes in a step. Only valid requests show whether a path is there. */
  note(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined || step.case.intent.kind !== 'valid') return;
    const { operation } = step.case;
    if (response.status === 404) this.#missing.set(operation, 'not-found');
    else if (isRedirect(response.status) && !isTelling(step))
      this.#missing.set(operation, 'redirects');
    else this.#isFound = true;
  }

  /** Whether nothing was found so far, and something was missing that needs no record to exist. */
  get isNothingFound(): boolean {
    return !this.#isFound && [...this.#missing.keys()].some(needsNoRecord);
  }

  /** The same of so many operations that the rest of a stage need not be sent. */
  get isSuspicious(): boolean {
    return this.isNothingFound && [...this.#missing.keys()].filter(needsNoRecord).length >= enough;
  }

  /** The operations whose paths are missing. */
  get missing(): ReadonlySet<Operation> {
    return new Set(this.#missing.keys());
  }

  /**
   * The cases, those first whose paths begin otherwise than those that are missing: half of a
   * service may be deployed.
   */
  farthestFirst(cases: readonly Case[]): Case[] {
    const near = new Set([...this.#missing.keys()].map(firstSegment));
    const rank = ({ operation }: Case): number => Number(near.has(firstSegment(operation)));
    return cases.toSorted((left, right) => rank(left) - rank(right));
  }

  /** The stop that says so. */
  stop(baseUrl: string): WrongBaseUrl {
    const kinds = new Set(this.#missing.values());
    const [kind = 'not-found'] = kinds;
    return { code: 'wrong-base-url', baseUrl, answers: kinds.size > 1 ? 'mixed' : kind };
  }
}

function needsNoRecord({ path }: Operation): boolean {
  return !path.includes('{');
}

function firstSegment({ path }: Operation): string {
  return path.split('/')[1] ?? '';
}

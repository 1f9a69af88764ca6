import type { Operation } from '../../../contract/model.ts';
import { isRedirect } from '../../../http/message.ts';
import { hasSpoken } from '../../reading/latency.ts';
import { isTelling, isWebPage } from '../judge/readings.ts';
import type { Case } from '../../model/case.ts';
import type { Exchange, TransportFault } from '../../model/exchange.ts';
import type { Step } from '../../model/step.ts';
import type { Unreachable, WrongBaseUrl } from '../../model/stop.ts';

/** Faults after which further requests to the same address are useless. */
const unreachableFaults: readonly TransportFault[] = [
  'connection.refused',
  'dns.failed',
  'tls.failed',
  'proxy.failed',
];
const maxInARow = 3;

/** Detects a target that stops responding altogether, which is no finding for any operation. */
export class TargetHealth {
  readonly #faulty = new Set<Operation>();
  #last: Exchange | undefined;
  #answered: Step | undefined;
  #faults = 0;
  readonly #operations: number;

  /**
   * `operations` is the number of operations that get requests in this run: with fewer than three,
   * all of them have to fail.
   */
  constructor(operations: number) {
    this.#operations = operations;
  }

  /** Adds a step. An unreadable response is a response too. */
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
   * Whether the last requests failed for so many operations, or in such a way, that the target
   * itself may be unreachable.
   */
  isSuspicious(): boolean {
    if (this.#faulty.size === 0) return false;
    if (this.isUnreachable) return true;
    if (this.#answered === undefined) return this.#faults >= maxInARow;
    return this.#faulty.size >= Math.min(maxInARow, this.#operations);
  }

  /**
   * Whether the last fault proves that no server listens, so that no other operation has to be
   * tried.
   */
  get isUnreachable(): boolean {
    return this.#last?.fault !== undefined && unreachableFaults.includes(this.#last.fault.kind);
  }

  /** The operations that failed since the last response. */
  get faulty(): ReadonlySet<Operation> {
    return this.#faulty;
  }

  /**
   * A request that had a response before: repeating it distinguishes an unreachable target from one
   * failing operation.
   */
  get answered(): Step | undefined {
    return this.#answered;
  }

  /** The last exchange that failed. */
  get failed(): Exchange | undefined {
    return this.#last;
  }

  /** Resets the faults: the target has responded. */
  calm(): void {
    this.#faulty.clear();
  }
}

/** The stop for a target that does not respond, with the fault of the request that shows it. */
export function unreachable({ baseUrl, fault }: Exchange, answeredBefore: boolean): Unreachable {
  const facts = { code: 'unreachable', baseUrl, answeredBefore } as const;
  return fault === undefined ? facts : { ...facts, fault };
}

/**
 * If so many operations without a record in their path are missing, others are tried in the middle
 * of a stage.
 */
const enough = 5;

/** Detects that no path of the contract exists on the target: the base URL is wrong. */
export class PathHealth {
  readonly #missing = new Map<Operation, 'not-found' | 'redirects' | 'pages'>();
  #isFound = false;

  /** Adds a step. Only valid requests show whether a path exists. */
  note(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined || step.case.intent.kind !== 'valid') return;
    const { operation } = step.case;
    if (response.status === 404) this.#missing.set(operation, 'not-found');
    else if (isRedirect(response.status) && !isTelling(step))
      this.#missing.set(operation, 'redirects');
    else if (isWebPage(step)) this.#notePage(operation);
    else this.#isFound = true;
  }

  /** What an operation answers that documents no content at all, a page may be. */
  #notePage(operation: Operation): void {
    if (operation.responses.some(({ content }) => content.length > 0))
      this.#missing.set(operation, 'pages');
  }

  /**
   * Whether no path was found so far, and an operation that needs no record is missing. A web page
   * has to answer several operations: a single one may be what that operation does wrong.
   */
  get isNothingFound(): boolean {
    const missing = [...this.#missing].filter(([operation]) => needsNoRecord(operation));
    const isOnePage = this.#missing.size === 1 && missing[0]?.[1] === 'pages';
    return !this.#isFound && missing.length > 0 && !isOnePage;
  }

  /** Whether web pages answer where operations are expected. */
  get isSite(): boolean {
    return [...this.#missing.values()].includes('pages');
  }

  /** Whether so many operations are missing that the rest of a stage need not be sent. */
  get isSuspicious(): boolean {
    return this.isNothingFound && [...this.#missing.keys()].filter(needsNoRecord).length >= enough;
  }

  /** The operations whose paths are missing. */
  get missing(): ReadonlySet<Operation> {
    return new Set(this.#missing.keys());
  }

  /**
   * The cases, first those whose paths begin differently from the missing ones: a service may be
   * deployed in part.
   */
  farthestFirst(cases: readonly Case[]): Case[] {
    const near = new Set([...this.#missing.keys()].map(firstSegment));
    const rank = ({ operation }: Case): number => Number(near.has(firstSegment(operation)));
    return cases.toSorted((left, right) => rank(left) - rank(right));
  }

  /** The stop with this reason. */
  stop(baseUrl: string): WrongBaseUrl {
    const kinds = new Set(this.#missing.values());
    const [kind = 'not-found'] = kinds;
    const several = kinds.has('pages') ? 'pages-and-mixed' : 'mixed';
    return { code: 'wrong-base-url', baseUrl, answers: kinds.size > 1 ? several : kind };
  }
}

function needsNoRecord({ path }: Operation): boolean {
  return !path.includes('{');
}

function firstSegment({ path }: Operation): string {
  return path.split('/')[1] ?? '';
}

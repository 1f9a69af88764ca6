import type { Operation } from '../../contract/model.ts';
import { isRedirect } from '../../http/status.ts';
import { isTelling } from '../judge/readings.ts';
import type { Case } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import type { WrongBaseUrl } from '../model/stop.ts';

/**
 * So many operations without a record in their path have to be missing before others are asked in
 * the middle of a stage.
 */
const enough = 5;

/**
 * Watches whether any path of the contract is found on the target: where none is, the base URL is
 * wrong.
 */
export class PathWatch {
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

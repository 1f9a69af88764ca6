import type { Contract } from '../../contract/model.ts';
import { roleOf, type Step } from '../subject.ts';
import { identifiersOf, pageOf } from './list/list-page.ts';
import { rowAsked } from './list/list-query.ts';
import { asksToWait, isRefusal, isSuccess } from '../../http/status.ts';

/** How often one and the same request was accepted and refused. */
export interface Flicker {
  readonly accepted: number;
  readonly refused: number;
}

/** More rows than that are not compared: what a server does with its order shows in fewer. */
const mostRows = 500;

/** Gathers whether a server answers alike: which lists come in an order of their own each time, and which requests are accepted now and refused then. */
export class SteadinessGatherer {
  readonly #contract: Contract;
  readonly #rows = new Map<string, readonly string[]>();
  readonly #unordered = new Set<string>();
  readonly #flickers = new Map<string, Flicker>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The ids of the lists in which the same records came in another order. */
  get unordered(): ReadonlySet<string> {
    return this.#unordered;
  }

  /** By request: `flickerKey`. */
  get flickers(): ReadonlyMap<string, Flicker> {
    return this.#flickers;
  }

  /** Takes in a step, in any order. */
  note(step: Step): void {
    this.#noteOutcome(step);
    const page = pageOf({ contract: this.#contract }, step);
    const identifiers = page && identifiersOf(page);
    if (page?.resource.list === undefined || identifiers === undefined || identifiers.length < 2) return;
    const { sort } = page.resource.list;
    // A record that was changed meanwhile rightly stands elsewhere in the order that was asked for.
    if (sort !== undefined && step.sent.arguments.has(sort.by)) return;
    const { id } = step.case.operation;
    const key = `${id}\n${rowAsked(page.resource.list, step)}`;
    const before = this.#rows.get(key);
    if (before !== undefined && !sameOrder(before, identifiers)) this.#unordered.add(id);
    if (before === undefined ? this.#rows.size < mostRows : before.length < identifiers.length) this.#rows.set(key, identifiers);
  }

  #noteOutcome(step: Step): void {
    const key = flickerKey(this.#contract, step);
    const { response } = step.exchange;
    if (key === undefined || response === undefined || asksToWait(response)) return;
    const { accepted, refused } = this.#flickers.get(key) ?? { accepted: 0, refused: 0 };
    this.#flickers.set(key, { accepted: accepted + (isSuccess(response.status) ? 1 : 0), refused: refused + (isRefusal(response.status) ? 1 : 0) });
  }
}

/** A request that ought to fare the same each time, as a text: a valid read of no single record, which somebody else might delete. */
export function flickerKey(contract: Contract, { case: { operation, intent, request }, exchange }: Pick<Step, 'case' | 'exchange'>): string | undefined {
  const isRead = exchange.request.method === 'GET' && intent.kind === 'valid' && request.credential === 'given';
  const named = roleOf(contract, operation)?.action !== 'list' && operation.parameters.some(({ in: place }) => place === 'path');
  return isRead && !named ? `${operation.id} ${exchange.baseUrl} ${exchange.request.target}` : undefined;
}

/** Whether what two lists have in common comes in the same order in both. */
function sameOrder(left: readonly string[], right: readonly string[]): boolean {
  const inRight = new Map(right.map((identifier, index) => [identifier, index]));
  const places = left.flatMap((identifier) => inRight.get(identifier) ?? []);
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}

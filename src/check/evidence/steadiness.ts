import type { Contract } from '../../contract/model.ts';
import { asksToWait, isRefusal, isSuccess } from '../../http/status.ts';
import type { Flicker } from '../model/knowledge.ts';
import { roleOf, type Step } from '../model/step.ts';
import type { ListPage } from './list/list-page.ts';
import { rowAsked } from './list/list-query.ts';

/** More rows than that are not compared: what a server does with its order shows in fewer. */
const mostRows = 500;

/**
 * Gathers whether a server answers alike: which lists come in an order of their own each time, and
 * which requests are accepted now and refused then.
 */
export class SteadinessGatherer {
  readonly #contract: Contract;
  readonly #rows = new Map<string, readonly string[]>();
  readonly #unordered = new Set<string>();
  readonly #flickers = new Map<string, { accepted: number; refused: number }>();

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

  /** Takes in a step, in any order, with the page of a list that it got. */
  note(step: Step, page: ListPage | undefined): void {
    this.#noteOutcome(step);
    const identifiers = page?.identifiers;
    if (page?.resource.list === undefined || identifiers === undefined || identifiers.length < 2)
      return;
    const { sort } = page.resource.list;
    // A record that was changed meanwhile rightly stands elsewhere in the order that was asked for.
    if (sort !== undefined && step.sent.arguments.has(sort.by)) return;
    const { id } = step.case.operation;
    const key = `${id}\n${rowAsked(page.resource.list, step)}`;
    const before = this.#rows.get(key);
    if (before !== undefined && !sameOrder(before, page.places)) this.#unordered.add(id);
    if (before === undefined ? this.#rows.size < mostRows : before.length < identifiers.length)
      this.#rows.set(key, identifiers);
  }

  #noteOutcome(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined || asksToWait(response) || !isSteadyRead(this.#contract, step))
      return;
    const key = flickerKey(step);
    let flicker = this.#flickers.get(key);
    if (flicker === undefined) this.#flickers.set(key, (flicker = { accepted: 0, refused: 0 }));
    if (isSuccess(response.status)) flicker.accepted += 1;
    if (isRefusal(response.status)) flicker.refused += 1;
  }
}

/**
 * Whether a request ought to fare the same each time: a valid read of no single record, which
 * somebody else might delete.
 */
export function isSteadyRead(
  contract: Contract,
  { case: { operation, intent, request }, exchange }: Pick<Step, 'case' | 'exchange'>,
): boolean {
  const isRead =
    exchange.request.method === 'GET' && intent.kind === 'valid' && request.credential === 'given';
  return (
    isRead &&
    (roleOf(contract, operation)?.action === 'list' ||
      operation.parameters.every(({ in: place }) => place !== 'path'))
  );
}

/** A request as a text: the same for one that is sent again. */
export function flickerKey({
  case: { operation },
  exchange: { baseUrl, request },
}: Pick<Step, 'case' | 'exchange'>): string {
  return `${operation.id} ${baseUrl} ${request.target}`;
}

/**
 * Whether what a list has in common with another comes in the same order in both; `places` are
 * those of the other.
 */
function sameOrder(left: readonly string[], places: ReadonlyMap<string, number>): boolean {
  let last = 0;
  for (const identifier of left) {
    const place = places.get(identifier) ?? last;
    if (place < last) return false;
    last = place;
  }
  return true;
}

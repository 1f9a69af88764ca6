import type { BreachKind, TransportFault, WireBreach } from '../../../model/exchange.ts';

/** What a fault of the answer is, before the exchange is put together. */
export interface Fault {
  readonly kind: TransportFault;
  readonly message: string;
}

/** Collects what an answer does that HTTP forbids, each kind once: the first shows it. */
export class Breaches {
  #list: WireBreach[] | undefined;

  add(kind: BreachKind, message: string): void {
    const list = (this.#list ??= []);
    if (!list.some((known) => known.kind === kind)) list.push({ kind, message });
  }

  /** Undefined where there are none, which is nearly always. */
  get list(): readonly WireBreach[] | undefined {
    return this.#list;
  }

  clear(): void {
    this.#list = undefined;
  }
}

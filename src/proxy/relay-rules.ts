import type { ByteBudget } from '../check/transport/wire/answer/byte-store.ts';
import type { Route } from '../check/transport/wire/socket/open-socket.ts';
import type { HttpResponse } from '../http/message.ts';
import type { RequestHead } from '../server/guard/guard.ts';
import type { MaybePromise } from '../store/store.ts';
import type { ProxiedExchange } from './proxied-exchange.ts';

/** Judges requests before they reach the service. */
export interface Gate {
  /** The refusal of a request whose header shows that it cannot be judged. */
  readonly beforehand: (head: RequestHead) => HttpResponse | undefined;
  /** The refusal of a complete request; undefined: the service gets it in canonical form. */
  readonly refuse: (exchange: ProxiedExchange) => MaybePromise<HttpResponse | undefined>;
  /** Whether requests that cannot be judged pass as they are. */
  readonly passesUnjudged: boolean;
}

/** How the connections of a proxy treat requests and responses. */
export interface RelayRules {
  readonly route: Route;
  /** Replaces the host that the client names; undefined: it stays. */
  readonly host: string | undefined;
  readonly budget: ByteBudget;
  /** After this time without a complete response, `slow` is called. */
  readonly timeoutMs: number;
  readonly nextNumber: () => number;
  readonly gate?: Gate;
  /** Statuses of the service that `replace` may replace; such responses wait until complete. */
  readonly replaceable: ReadonlySet<number>;
  /** The response in place of the service's, or of a service that cannot be reached. */
  readonly replace?: (exchange: ProxiedExchange) => MaybePromise<HttpResponse | undefined>;
  /** Header fields with the verdict, complete lines. All responses then wait until complete. */
  readonly fields?: (exchange: ProxiedExchange) => string;
  readonly settled: (exchange: ProxiedExchange) => void;
  readonly slow: (exchange: ProxiedExchange) => void;
  /** Something happened that belongs to no exchange, as a sentence. */
  readonly note: (text: string) => void;
  /** A request was refused before it was understood; why, as a sentence. */
  readonly turnedAway: (why: string) => void;
}

import type { Operation } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';

/**
 * Another service of the same contract, which the owner of the mock has named: a page can choose
 * it, and never give its address.
 */
export interface OtherService {
  readonly name: string;
  readonly kind: 'prism' | 'target';
  /** Its base URL, fit to be shown. */
  readonly url: string;
  /**
   * Where an operation stands there, and the credential for it; undefined where the configuration
   * does not say where it stands.
   */
  addressOf(operation: Operation | undefined): OtherAddress | undefined;
}

/** Where requests go, and what lets them in. */
export interface OtherAddress {
  /** A base URL without a trailing slash. */
  readonly url: string;
  readonly headers: HeaderList;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A finding as the console shows it; redacted. */
export interface CheckFinding {
  readonly id: string;
  readonly check: string;
  readonly severity: string;
  readonly operation: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** File, line and column in the contract. */
  readonly place: string;
  readonly frame: string;
  readonly curl: readonly string[];
}

/** What a check tells on its way; `finished` is always the last. */
export type CheckNews =
  | { readonly type: 'planned'; readonly requests: number }
  | { readonly type: 'progress'; readonly done: number }
  | { readonly type: 'finding'; readonly finding: CheckFinding }
  | {
      readonly type: 'finished';
      readonly verdict: string;
      readonly reason: string;
      readonly requests: number;
    };

/** What is to be checked: a service by its name, or a base URL on this machine. */
export interface CheckWish {
  readonly target?: string;
  readonly url?: string;
  readonly mode: 'read-only' | 'read-write';
}

/** What the console can do beyond the mock, handed in by whoever starts it. */
export interface ConsoleOutside {
  /**
   * Where the mock answers, where that is not where the console stands: `http://127.0.0.1:4010`.
   */
  readonly mockOrigin?: () => string | undefined;
  /** The services that are there now; none unless told. */
  readonly others?: () => readonly OtherService[];
  /**
   * Checks a service; without it the console shows the command that does. Throws a VouchError for
   * what cannot be checked.
   */
  readonly check?: (wish: CheckWish, signal: AbortSignal) => AsyncIterable<CheckNews>;
}

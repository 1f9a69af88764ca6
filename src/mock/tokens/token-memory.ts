import { RecentMap } from '../../store/recent-map.ts';

/** The number of stored used and revoked tokens; the oldest are dropped first. */
const capacity = 10_000;

/** The used codes and refresh tokens, and the revoked tokens. */
export class Ledger {
  readonly #spent = new RecentMap<string, true>(capacity);
  readonly #revoked = new RecentMap<string, true>(capacity);

  /** Marks a single-use token as used; returns false if it already was. */
  spend(id: string): boolean {
    if (this.isSpent(id)) return false;
    this.#spent.set(id, true);
    return true;
  }

  /** Whether a single-use token was used. */
  isSpent(id: string): boolean {
    return this.#spent.get(id) === true;
  }

  /** Revokes a token by its `jti`, or all tokens of a grant by the grant's id. */
  revoke(id: string): void {
    this.#revoked.set(id, true);
  }

  /** Whether any of the ids, of a token or a grant, is revoked. */
  isRevoked(...ids: readonly string[]): boolean {
    return ids.some((id) => this.#revoked.get(id) === true);
  }
}

/** The token state of the process. It survives reloads of the contract. */
export class TokenMemory {
  /** The source of the signing key if none is configured: 256 random bits. */
  readonly secret: string;
  readonly ledger = new Ledger();

  constructor(random: (length: number) => Uint8Array) {
    this.secret = Array.from(random(32), String).join(' ');
  }
}

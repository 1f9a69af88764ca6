import { RecentMap } from '../../store/recent-map.ts';

/** How many used and revoked tokens are remembered; the oldest are forgotten first. */
const capacity = 10_000;

/** Which codes and refresh tokens were used, and which tokens are revoked. */
export class Ledger {
  readonly #spent = new RecentMap<string, true>(capacity);
  readonly #revoked = new RecentMap<string, true>(capacity);

  /** Marks a single-use token as used; false where it was used before. */
  spend(id: string): boolean {
    if (this.isSpent(id)) return false;
    this.#spent.set(id, true);
    return true;
  }

  /** Whether a single-use token was used. */
  isSpent(id: string): boolean {
    return this.#spent.get(id) === true;
  }

  /** Revokes a token by its `jti`, or everything that came of one grant by the grant's id. */
  revoke(id: string): void {
    this.#revoked.set(id, true);
  }

  /** Whether any of the ids, a token's or a grant's, is revoked. */
  isRevoked(...ids: readonly string[]): boolean {
    return ids.some((id) => this.#revoked.get(id) === true);
  }
}

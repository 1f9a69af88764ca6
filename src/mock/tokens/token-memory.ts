import { RecentMap } from '../../store/recent-map.ts';
import { DeviceLogins } from './device/device-logins.ts';

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

/**
 * What is remembered of tokens for as long as the program runs, however often the contract is read
 * again meanwhile.
 */
export class TokenMemory {
  /** What the signing key is made from where the configuration names nothing: 256 random bits. */
  readonly secret: string;
  readonly ledger = new Ledger();
  readonly devices = new DeviceLogins();

  constructor(random: (length: number) => Uint8Array) {
    this.secret = Array.from(random(32), String).join(' ');
  }
}

import { RecentMap } from '../../store/recent-map.ts';

/** A device that waits for a person to let it in (RFC 8628). */
export interface WaitingDevice {
  readonly deviceCode: string;
  /** What the person types: `BCDF-GHJK`. */
  readonly userCode: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The name of who let it in, once somebody did. */
  readonly decision:
    | { readonly kind: 'pending' }
    | { readonly kind: 'denied' }
    | { readonly kind: 'allowed'; readonly person: string };
}

/** How many devices may wait at one time; the oldest are forgotten first. */
const mostLogins = 1000;

/** The devices that wait. They are known to this process alone. */
export class DeviceLogins {
  readonly #devices = new RecentMap<string, WaitingDevice>(mostLogins);
  readonly #codes = new RecentMap<string, string>(mostLogins);

  add(device: WaitingDevice): void {
    this.#devices.set(device.deviceCode, device);
    this.#codes.set(device.userCode, device.deviceCode);
  }

  find(deviceCode: string): WaitingDevice | undefined {
    return this.#devices.get(deviceCode);
  }

  /** By what a person typed: case, blanks and dashes do not count (RFC 8628, section 6.1). */
  findByUserCode(typed: string, now: Date): WaitingDevice | undefined {
    const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
    const code = this.#codes.get(`${letters.slice(0, 4)}-${letters.slice(4)}`);
    const device = code === undefined ? undefined : this.#devices.get(code);
    return device !== undefined &&
      device.expires > now.getTime() &&
      device.decision.kind === 'pending'
      ? device
      : undefined;
  }

  decide(device: WaitingDevice, decision: WaitingDevice['decision']): void {
    this.#devices.set(device.deviceCode, { ...device, decision });
  }

  remove({ deviceCode, userCode }: WaitingDevice): void {
    this.#devices.delete(deviceCode);
    this.#codes.delete(userCode);
  }
}

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

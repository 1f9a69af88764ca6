import { RecentMap } from '../../store/recent-map.ts';

/** A device that waits for approval (RFC 8628). */
export interface WaitingDevice {
  readonly deviceCode: string;
  /** The code that the person types: `BCDF-GHJK`. */
  readonly userCode: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The decision, with the name of the person. */
  readonly decision:
    | { readonly kind: 'pending' }
    | { readonly kind: 'denied' }
    | { readonly kind: 'allowed'; readonly person: string };
}

/** The maximum number of waiting devices; the oldest are dropped first. */
const maxLogins = 1000;

/** The waiting devices. Only this process knows them. */
export class DeviceLogins {
  readonly #devices = new RecentMap<string, WaitingDevice>(maxLogins);
  readonly #codes = new RecentMap<string, string>(maxLogins);

  add(device: WaitingDevice): void {
    this.#devices.set(device.deviceCode, device);
    this.#codes.set(device.userCode, device.deviceCode);
  }

  find(deviceCode: string): WaitingDevice | undefined {
    return this.#devices.get(deviceCode);
  }

  /** By the typed code: case, blanks and dashes are ignored (RFC 8628, section 6.1). */
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
  readonly devices = new DeviceLogins();

  constructor(random: (length: number) => Uint8Array) {
    this.secret = Array.from(random(32), String).join(' ');
  }
}

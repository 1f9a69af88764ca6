import { RecentMap } from '../../../store/recent-map.ts';

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
const capacity = 1000;

/** The devices that wait. They are known to this process alone. */
export class DeviceLogins {
  readonly #devices = new RecentMap<string, WaitingDevice>(capacity);
  readonly #codes = new RecentMap<string, string>(capacity);

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

import { DeviceDesk } from './device/device-desk.ts';
import { Ledger } from './ledger.ts';

/**
 * What is remembered of tokens for as long as the program runs, however often the contract is read
 * again meanwhile.
 */
export class TokenMemory {
  /** What the signing key is made from where the configuration names nothing: 256 random bits. */
  readonly secret: string;
  readonly ledger = new Ledger();
  readonly devices = new DeviceDesk();

  constructor(random: (length: number) => Uint8Array) {
    this.secret = Array.from(random(32), String).join(' ');
  }
}

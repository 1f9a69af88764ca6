import type { Client, Got } from './client.ts';

/** Whether a defect shows to this client. */
export type Show = (client: Client) => Promise<boolean>;

let last = 0;

/** A text of small letters, digits and hyphens that no other record has. */
export function unique(prefix: string): string {
  last += 1;
  return `${prefix}-${String(last)}-${String(process.pid)}`;
}

/** Whether the response has another status. */
export async function isOther(got: Promise<Got<unknown>>, status: number): Promise<boolean> {
  return (await got).status !== status;
}

/** The path and query of an address that a response has, whole or not. */
export function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/]+/, '');
}

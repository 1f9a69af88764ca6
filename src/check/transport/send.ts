import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest } from '../../http/message.ts';
import type { Exchange } from '../model/exchange.ts';

/**
 * Sends one request to the origin of a base URL and returns the result, faults included. Rejects
 * only if the signal is aborted, or with an UnsendableRequest; redirects are not followed and
 * bodies are not decoded.
 */
export type Send = (
  baseUrl: string,
  request: HttpRequest,
  signal: AbortSignal,
) => Promise<Exchange>;

/** A way to send, and the connections behind it. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}

/** The maximum size of one body, both as received and after decoding: 8 MiB. */
export const maxBodyBytes = 8 * 1024 * 1024;

/** The maximum size of the header of one response: 64 KiB. */
export const maxHeaderBytes = 64 * 1024;

/** The maximum number of interim responses (RFC 9110, section 15.2) before the final one. */
export const maxInterimAnswers = 100;

/** A number of bytes in readable form: `8 MiB`, `64 KiB`. */
export function sizeWords(bytes: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['MiB', 1024 * 1024],
    ['KiB', 1024],
  ];
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${String(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}

/** The request cannot be written as HTTP/1.1: a fault of the client, not the server. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}

/** Waits this many milliseconds. Rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits by the system clock. */
export const waitFor: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal });
};

import type Http from 'node:http';
import { ServerResponse } from './node-http.ts';

/**
 * A response that needs no listeners to be followed, and whose errors end nothing: each listener
 * costs as much as a header field.
 */
export class ServedResponse extends ServerResponse {
  /** Told once, when the response is out or can no longer be sent. */
  whenOver: ((response: Http.ServerResponse) => void) | undefined;

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event === 'close') this.whenOver?.(this);
    // Without a listener an error would end the process when a client resets its connection.
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return super.emit(event as string, ...given);
  }
}

/** Has somebody told when a response is over, whatever server it is of. */
export function followResponse(
  response: Http.ServerResponse,
  whenOver: (response: Http.ServerResponse) => void,
): void {
  if (response instanceof ServedResponse) response.whenOver = whenOver;
  else response.on('close', () => whenOver(response));
}

/** Has errors of a response end nothing, whatever server it is of. */
export function bearErrors(response: Http.ServerResponse): void {
  if (!(response instanceof ServedResponse)) response.on('error', ignore);
}

function ignore(): void {}

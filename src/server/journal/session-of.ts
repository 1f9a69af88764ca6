import type { HttpRequest } from '../../http/message.ts';
import { readSession } from '../../mock/request/request-context.ts';

/** The session of a request; undefined if its name is invalid. */
export function sessionOf({ headers }: HttpRequest): string | undefined {
  const session = readSession(headers);
  return typeof session === 'string' ? session : undefined;
}

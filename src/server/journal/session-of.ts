import type { HttpRequest } from '../../http/message.ts';
import { readSession } from '../../mock/request/request-context.ts';

/** The session that a request was of; undefined where it named one that cannot be. */
export function sessionOf({ headers }: HttpRequest): string | undefined {
  const session = readSession(headers);
  return typeof session === 'string' ? session : undefined;
}

import { VouchError } from '../errors.ts';

/**
 * The end of an exhaustive switch over the events: a new event does not compile until the reporter
 * answers it.
 */
export function unanswered(event: never): never {
  throw new VouchError(
    'internal',
    `A reporter met an event that it does not know: ${JSON.stringify((event as { readonly type?: unknown }).type)}.`,
  );
}

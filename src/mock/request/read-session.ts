import { headerValues, type HeaderList } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { makeFault, type Fault } from '../model/fault.ts';

/** The session of requests that name none. */
export const defaultSession = 'default';

const name = /^[A-Za-z0-9._-]{1,64}$/;

/** The session that a request names with `Vouch-Session`, or what is wrong with the name. */
export function readSession(headers: HeaderList): string | Fault {
  const named = headerValues(headers, 'vouch-session');
  const [session] = named;
  if (session === undefined) return defaultSession;
  if (named.length > 1)
    return makeFault(
      'session',
      'invalid_session',
      'The header Vouch-Session is given twice. Send it once.',
    );
  if (name.test(session)) return session;
  return makeFault(
    'session',
    'invalid_session',
    'The header Vouch-Session must be 1 to 64 letters, digits, dots, underscores ' +
      `and hyphens, but is ${quoteExcerpt(session)}.`,
  );
}

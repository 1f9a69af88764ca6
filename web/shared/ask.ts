import { keyHeader } from './console-key.ts';
import { readJson } from '../shared/text.ts';

/**
 * Asks the control API, relative to the folder of the page: a POST where there is a body, unless
 * another method is given. These routes need no token. Rejects if the mock does not succeed; the
 * caller knows the type from the route, which is undefined where there is no body.
 */
export async function ask<Answer>(
  route: string,
  body?: unknown,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const response = await fetch(new URL(route, location.href), {
    method,
    credentials: 'same-origin',
    headers: {
      ...keyHeader(),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The mock answered ${String(response.status)}.`);
  return readJson((await response.text()) || 'null') as Answer;
}

import { readJson } from '../shared/text.ts';

/**
 * Asks the control API, whose folder is that of the page: a POST where there is a body. These
 * routes need no token. Rejects if the mock does not answer with 200; the caller knows the type
 * from the route.
 */
export async function ask<Answer>(route: string, body?: unknown): Promise<Answer> {
  const response = await fetch(new URL(route, location.href), {
    credentials: 'omit',
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
  });
  if (!response.ok) throw new Error(`The mock answered ${String(response.status)}.`);
  return readJson(await response.text()) as Answer;
}

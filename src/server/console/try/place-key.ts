import type { Operation, SecurityScheme } from '../../../contract/model.ts';
import type { HeaderList } from '../../../http/message.ts';

/** Where a key goes in a request. */
export interface PlacedKey {
  readonly headers: HeaderList;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/**
 * Puts one of the mock's own keys where an operation's first requirement wants it; nowhere, where
 * it wants none.
 */
export function placeKey(operation: Operation, key: string | undefined): PlacedKey {
  const none = { headers: [], query: [], cookies: [] };
  const open = operation.security.some((requirement) => requirement.length === 0);
  if (key === undefined || open) return none;
  const schemes = (
    operation.security.find((requirement) =>
      requirement.every(({ scheme }) => placeable.has(scheme.kind)),
    ) ?? []
  ).map(({ scheme }) => scheme);
  return {
    headers: schemes.flatMap((scheme) => headerOf(scheme, key)),
    query: schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'query'
        ? [`${encodeURIComponent(scheme.key)}=${encodeURIComponent(key)}`]
        : [],
    ),
    cookies: schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'cookie' ? [`${scheme.key}=${key}`] : [],
    ),
  };
}

const placeable: ReadonlySet<SecurityScheme['kind']> = new Set<SecurityScheme['kind']>([
  'bearer',
  'basic',
  'apiKey',
]);

/** RFC 6750, section 2.1; RFC 7617, section 2: a key without a colon is the password of anybody. */
function headerOf(scheme: SecurityScheme, key: string): HeaderList {
  if (scheme.kind === 'bearer') return [['Authorization', `Bearer ${key}`]];
  if (scheme.kind === 'basic')
    return [
      [
        'Authorization',
        `Basic ${Buffer.from(key.includes(':') ? key : `user:${key}`, 'utf8').toString('base64')}`,
      ],
    ];
  return scheme.kind === 'apiKey' && scheme.in === 'header' ? [[scheme.key, key]] : [];
}

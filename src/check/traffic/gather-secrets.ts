import type { Contract } from '../../contract/model.ts';
import { decodeBase64Text } from '../../http/base64.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Secret } from '../secrets/secrets.ts';

const carriers = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
];

/**
 * The credentials that recorded traffic carries: what nobody told vouch, and what must show in no
 * output all the same.
 */
export function gatherSecrets(contract: Contract, exchanges: readonly Exchange[]): Secret[] {
  const schemes = [...contract.securitySchemes.values()];
  const keys = (place: 'header' | 'query'): string[] =>
    schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === place ? [scheme.key] : [],
    );
  const headers = new Set([...carriers, ...keys('header').map((key) => key.toLowerCase())]);
  const queries = new Set(keys('query'));
  const values = exchanges.flatMap(({ request, response }) => [
    ...request.headers
      .filter(([name]) => headers.has(name.toLowerCase()))
      .flatMap(([, value]) => credentialsIn(value)),
    ...cookiesIn(request.headers, 'cookie'),
    ...cookiesIn(response?.headers ?? [], 'set-cookie'),
    ...queriesIn(request.target, queries),
  ]);
  return [...new Set(values)]
    .filter((value) => value !== '')
    .map((value) => ({ value, shell: '$VOUCH_TOKEN' }));
}

/** What follows the scheme; of a basic pair the pair too, by which its password is known. */
function credentialsIn(header: string): string[] {
  const [, scheme = '', credential = ''] = /^([\w-]+) +(.+)$/s.exec(header.trim()) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? decodeBase64Text(credential) : undefined;
  return credential === '' ? [header.trim()] : [credential, ...(pair === undefined ? [] : [pair])];
}

function cookiesIn(headers: HeaderList, field: 'cookie' | 'set-cookie'): string[] {
  const texts = headers
    .filter(([name]) => name.toLowerCase() === field)
    .map(([, value]) => (field === 'cookie' ? value : value.replace(/;.*$/s, '')));
  return texts
    .flatMap((text) => text.split(';'))
    .map((pair) =>
      pair
        .slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
}

function queriesIn(target: string, names: ReadonlySet<string>): string[] {
  const mark = target.indexOf('?');
  if (mark === -1 || names.size === 0) return [];
  return [...new URLSearchParams(target.slice(mark + 1))]
    .filter(([name]) => names.has(name))
    .map(([, value]) => value);
}

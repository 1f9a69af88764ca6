import { usage } from '../../errors.ts';

/** The address of a Redis server, from a URL. */
export interface RedisAddress {
  /** The URL without the password, for display. */
  readonly shown: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly prefix: string;
  readonly place:
    | { readonly kind: 'tcp' | 'tls'; readonly host: string; readonly port: number }
    | { readonly kind: 'socket'; readonly path: string };
}

const example =
  'Write it like redis://127.0.0.1:6379, rediss://user:password@host:6379/' +
  '0?prefix=team: or unix:///run/redis.sock';

/**
 * Reads `redis://[user[:password]@]host[:port][/database][?prefix=]`, `rediss://` for TLS, or
 * `unix:///path[?db=&prefix=]`. Throws a VouchError ('usage') that never shows a password.
 */
export function readRedisAddress(text: string): RedisAddress {
  // A URL that cannot be read may hold a password anywhere, so it is not repeated.
  if (!URL.canParse(text)) throw usage('The URL of the store cannot be read.', { hint: example });
  const url = new URL(text);
  for (const name of url.searchParams.keys())
    if (!['prefix', 'db'].includes(name))
      throw usage(`The URL of the store has an option that is not known: ${name}.`, {
        hint: example,
      });
  const prefix = url.searchParams.get('prefix') ?? 'vouch:';
  const place = readPlace(url);
  const database = readDatabase(
    place.kind === 'socket' ? (url.searchParams.get('db') ?? '') : url.pathname.slice(1),
  );
  const [username, password] = [decode(url.username), decode(url.password)];
  return { shown: shownUrl(url), username, password, database, prefix, place };
}

function readPlace(url: URL): RedisAddress['place'] {
  if (url.protocol === 'unix:') return { kind: 'socket', path: decodeURIComponent(url.pathname) };
  const kind = url.protocol === 'redis:' ? 'tcp' : url.protocol === 'rediss:' ? 'tls' : undefined;
  if (kind === undefined)
    throw usage(`No store is reached by ${url.protocol}// URLs.`, { hint: example });
  if (url.hostname === '') throw usage('The URL of the store names no host.', { hint: example });
  // The brackets of an IPv6 address belong to the URL.
  return {
    kind,
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
  };
}

function readDatabase(text: string): number {
  if (text === '') return 0;
  if (!/^\d{1,5}$/.test(text))
    throw usage('The database in the URL of the store is no whole number.', { hint: example });
  return Number(text);
}

function decode(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function shownUrl(url: URL): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
}

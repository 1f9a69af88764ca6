import type { Operation, Contract } from '../../contract/model.ts';
import { usage, VouchError } from '../../errors.ts';
import { hostOf, isMetadataHost } from '../../http/host.ts';

/**
 * A base URL without its trailing slash. Throws a VouchError if the text is not a valid target;
 * `what` is the subject of the message.
 */
export function readBaseUrl(text: string, what: string): string {
  if (!URL.canParse(text))
    throw usage(`${what} is ${text}, which is no URL.`, {
      hint: 'Give a base URL such as http://127.0.0.1:4010/v1.',
    });
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw usage(`${what} begins with ${url.protocol}, but vouch uses HTTP.`, {
      hint: 'Give a base URL that begins with http:// or https://.',
    });
  if (url.username !== '' || url.password !== '')
    throw usage(`${what} holds a user name or a password.`, {
      hint:
        'Leave them out of the URL, and give the credential as the token (user:password for ' +
        'basic).',
    });
  if (url.search !== '' || url.hash !== '')
    throw usage(`${what} has a query or a fragment.`, {
      hint: 'Give the base URL alone, without what follows ? or #.',
    });
  if (isMetadataHost(hostOf(url)))
    throw new VouchError(
      'refused-for-safety',
      `${what} leads to ${url.hostname}, an address at which clouds give away credentials.`,
      { hint: 'Give the deployment’s own address.' },
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The main base URL of a run, and those of servers that operations name, by the server's name. */
export interface BaseUrls {
  readonly url: string;
  readonly servers: Readonly<Record<string, string>>;
}

/** An operation whose server nobody named: why, as a clause, and what names it. */
export interface NoBaseUrl {
  readonly ok: false;
  readonly reason: string;
  readonly opens: string;
}

/**
 * The base URL that an operation's requests go to, or the clause that says how to give it one
 * (OpenAPI 3.1, section 4.8.9: `servers`).
 */
export function baseUrlOf(
  { url, servers }: BaseUrls,
  operation: Operation,
): { readonly ok: true; readonly url: string } | NoBaseUrl {
  if (!operation.ownServers) return { ok: true, url };
  const name = operation.servers
    .map((server) => server.name ?? server.url)
    .find((candidate) => Object.hasOwn(servers, candidate));
  const given = name === undefined ? undefined : servers[name];
  if (given !== undefined) return { ok: true, url: given };
  const known = operation.servers[0]?.name ?? operation.servers[0]?.url ?? 'NAME';
  return {
    ok: false,
    reason: `it has a separate server (${known}); give it with --server ${known}=URL`,
    opens: `--server ${known}=URL`,
  };
}

/** A parsed base URL. */
export interface BaseParts {
  readonly host: string;
  readonly origin: string;
  /** Its path without a slash at the end. */
  readonly path: string;
}

/** The parts of a valid base URL, cached because every request and many responses need them. */
export function basePartsOf(baseUrl: string): BaseParts {
  const before = known.get(baseUrl);
  if (before !== undefined) return before;
  const { host, origin, pathname } = new URL(baseUrl);
  const parts = { host, origin, path: pathname.replace(/\/+$/, '') };
  if (known.size < maxKnown) known.set(baseUrl, parts);
  return parts;
}

// A run has one base URL, or one for each server of its contract.
const known = new Map<string, BaseParts>();
const maxKnown = 100;

/** The servers that operations declare themselves, where all of them are at one origin. */
export function serversAt(origin: string, { operations }: Contract): Record<string, string> {
  const own = operations.filter(({ ownServers }) => ownServers).flatMap(({ servers }) => servers);
  return Object.fromEntries(
    own.map(({ name, url, basePath }) => [name ?? url, `${origin}${basePath}`]),
  );
}

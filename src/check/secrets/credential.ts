import type { Operation, SecurityRequirement, SecurityScheme } from '../../contract/model.ts';
import { conflictingSchemes } from '../../contract/model/security.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { type HeaderList, isSameName } from '../../http/message.ts';
import type { RunHeader, Secrets } from './secrets.ts';

/** The place of a credential in a request. */
export interface CredentialParts {
  readonly headers: HeaderList;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly (readonly [name: string, value: string])[];
}

const nothing: CredentialParts = { headers: [], query: [], cookies: [] };

/** Whether a token can be sent for a scheme. */
export function isSendable({ kind }: SecurityScheme): boolean {
  return kind === 'bearer' || kind === 'basic' || kind === 'apiKey';
}

/** The token for a scheme; undefined if there is none. */
export type TokenOf = (scheme: SecurityScheme) => string | undefined;

/**
 * The requirements of an operation that vouch can meet with tokens, in the order of the contract.
 */
export function usableRequirements({ security }: Operation): readonly SecurityRequirement[] {
  return security.filter(
    (requirement) =>
      requirement.every(({ scheme }) => isSendable(scheme)) &&
      conflictingSchemes(requirement).length === 0,
  );
}

/**
 * The first requirement that vouch can meet with a token, preferably one whose tokens are given,
 * and one that names a user rather than an application by its key; undefined if there is none.
 */
export function usableRequirement(
  operation: Operation,
  tokenOf?: TokenOf,
): SecurityRequirement | undefined {
  const isKey = (requirement: SecurityRequirement): number =>
    Number(requirement.length > 0 && requirement.every(({ scheme }) => scheme.kind === 'apiKey'));
  const usable = usableRequirements(operation).toSorted((one, other) => isKey(one) - isKey(other));
  return (
    usable.find(
      (requirement) =>
        tokenOf !== undefined && requirement.every(({ scheme }) => tokenOf(scheme) !== undefined),
    ) ?? usable[0]
  );
}

/** Why no requirement of an operation can be met with a token. */
export function whyUnusable(operation: Operation): string {
  const strange = operation.security
    .flatMap((requirement) => requirement.map(({ scheme }) => scheme))
    .filter((scheme) => !isSendable(scheme));
  if (strange.length > 0)
    return (
      'it requires a security scheme for which vouch cannot send a token ' +
      `(${[...new Set(strange.map(describeScheme))].join(', ')})`
    );
  const rivals = operation.security.flatMap(conflictingSchemes).map(({ name }) => name);
  return (
    `it requires ${[...new Set(rivals)].join(' and ')} together, and a request ` +
    'has the header Authorization once'
  );
}

function describeScheme(scheme: SecurityScheme): string {
  if (scheme.kind === 'http') return `${scheme.name}: http ${scheme.scheme}`;
  return `${scheme.name}: ${scheme.kind === 'unsupported' ? scheme.type : scheme.kind}`;
}

/**
 * Places the token of each of the operation's schemes. A text is the only key of a mock, which
 * accepts it for every scheme. With the wrong scheme, the credential of one scheme is sent in the
 * form of another. The requirement is the one with given tokens, unless specified.
 */
export function placeCredential(
  operation: Operation,
  token: string | TokenOf | undefined,
  under: 'its scheme' | 'a wrong scheme' = 'its scheme',
  requirement?: SecurityRequirement,
): CredentialParts {
  if (token === undefined || (requirement === undefined && !isSecured(operation))) return nothing;
  const tokenOf: TokenOf = typeof token === 'string' ? () => token : token;
  const wanted = requirement ?? usableRequirement(operation, tokenOf) ?? [];
  const schemes = wanted.map(({ scheme }) => scheme);
  const displaced = under === 'a wrong scheme' ? misplaced(schemes) : undefined;
  const parts = schemes.map((scheme) => {
    const own = tokenOf(scheme);
    if (own === undefined) return nothing;
    return scheme === displaced?.scheme
      ? {
          ...nothing,
          headers: [
            [
              'Authorization',
              `${displaced.word} ${scheme.kind === 'basic' ? encodePair(own) : own}`,
            ] as const,
          ],
        }
      : placeIn(scheme, own);
  });
  return {
    headers: withoutRepeats(parts.flatMap(({ headers }) => headers)),
    query: withoutRepeats(parts.flatMap(({ query }) => query)),
    cookies: withoutRepeats(parts.flatMap(({ cookies }) => cookies)),
  };
}

/**
 * A scheme whose credential is sent under another scheme, and the first word of that
 * `Authorization`.
 */
interface Misplaced {
  readonly scheme: SecurityScheme;
  readonly word: 'Digest' | 'Bearer';
}

/**
 * A token is sent under `Digest`, which is as long as `Bearer`: a server may only skip that many
 * letters. A pair and a key are sent under `Bearer`.
 */
function misplaced(schemes: readonly SecurityScheme[]): Misplaced | undefined {
  const bearer = schemes.find(({ kind }) => kind === 'bearer');
  if (bearer !== undefined) return { scheme: bearer, word: 'Digest' };
  const scheme =
    schemes.find(({ kind }) => kind === 'basic') ??
    schemes.find(
      (each) => each.kind === 'apiKey' && each.in === 'header' && !isAuthorization(each),
    );
  return scheme && { scheme, word: 'Bearer' };
}

function isAuthorization(scheme: SecurityScheme): boolean {
  return (
    scheme.kind === 'apiKey' &&
    scheme.in === 'header' &&
    scheme.key.toLowerCase() === 'authorization'
  );
}

/**
 * Whether an operation's credential can be sent under a wrong scheme: the given schemes of the
 * contract do not include that one.
 */
export function hasWrongScheme(
  operation: Operation,
  schemes: Iterable<SecurityScheme>,
  tokenOf?: TokenOf,
): boolean {
  const way = misplaced(usableRequirement(operation, tokenOf)?.map(({ scheme }) => scheme) ?? []);
  return (
    way !== undefined &&
    ![...schemes].some(
      (scheme) => isAuthorization(scheme) || wordOf(scheme) === way.word.toLowerCase(),
    )
  );
}

/** A made-up credential under a scheme that is not the operation's: it must be refused. */
const strangeCredential = ['Authorization', 'Basic dm91Y2g6dm91Y2g='] as const;

/** The credential with a made-up one in the place of `Authorization`. */
export function withStrangeScheme(parts: CredentialParts): CredentialParts {
  const others = parts.headers.filter(([name]) => !isSameName(name, strangeCredential[0]));
  return { ...parts, headers: [...others, strangeCredential] };
}

/**
 * Whether an operation reads a bearer token from `Authorization`, and no scheme of the contract is
 * basic.
 */
export function readsOnlyBearer(
  operation: Operation,
  schemes: Iterable<SecurityScheme>,
  tokenOf?: TokenOf,
): boolean {
  const own = usableRequirement(operation, tokenOf) ?? [];
  return (
    own.some(({ scheme }) => scheme.kind === 'bearer') &&
    ![...schemes].some(
      (scheme) => isAuthorization(scheme) || scheme.kind === 'basic' || wordOf(scheme) === 'basic',
    )
  );
}

function wordOf(scheme: SecurityScheme): string | undefined {
  return scheme.kind === 'http'
    ? scheme.scheme.toLowerCase()
    : scheme.kind === 'bearer'
      ? 'bearer'
      : undefined;
}

/** Schemes with the same form, such as OAuth 2.0 and a bearer token, share one field. */
function withoutRepeats(fields: HeaderList): HeaderList {
  return fields.filter(
    ([name], index) =>
      fields.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) === index,
  );
}

function placeIn(scheme: SecurityScheme, token: string): CredentialParts {
  switch (scheme.kind) {
    case 'bearer':
      return { ...nothing, headers: [['Authorization', `Bearer ${token}`]] };
    case 'basic':
      return { ...nothing, headers: [['Authorization', `Basic ${encodePair(token)}`]] };
    case 'apiKey':
      return placeKey(scheme.in, scheme.key, token);
    case 'http':
    case 'mutualTLS':
    case 'unsupported':
      return nothing;
  }
}

/**
 * `user:password` in base64 (RFC 7617, section 2). A token without a colon is a user name without a
 * password, because services accept keys in that form.
 */
function encodePair(token: string): string {
  return Buffer.from(token.includes(':') ? token : `${token}:`, 'utf8').toString('base64');
}

function placeKey(
  location: 'header' | 'query' | 'cookie',
  name: string,
  token: string,
): CredentialParts {
  if (location === 'header') return { ...nothing, headers: [[name, token]] };
  if (location === 'query') return { ...nothing, query: [[name, token]] };
  return { ...nothing, cookies: [[name, token]] };
}

/**
 * The header field of a scheme's credential; undefined for one in the query, or one that vouch
 * cannot send.
 */
export function headerOf(scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'bearer' || scheme.kind === 'basic' || scheme.kind === 'http')
    return 'authorization';
  if (scheme.kind !== 'apiKey' || scheme.in === 'query') return undefined;
  return scheme.in === 'cookie' ? 'cookie' : scheme.key.toLowerCase();
}

/** A name and a value of the header Cookie (RFC 6265, section 4.2.1). */
export type CookiePair = readonly [name: string, value: string];

export function readCookies(value: string): CookiePair[] {
  return value.split(';').flatMap((pair): CookiePair[] => {
    const [name = '', ...rest] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), rest.join('=').trim()]];
  });
}

/** The run's header in the place of a scheme's credential. */
function headerFor(scheme: SecurityScheme, headers: readonly RunHeader[]): RunHeader | undefined {
  const field = headerOf(scheme);
  const header =
    field === undefined ? undefined : headers.find(({ name }) => isSameName(name, field));
  if (header === undefined || scheme.kind !== 'apiKey' || scheme.in !== 'cookie') return header;
  return readCookies(header.value).some(([name]) => name === scheme.key) ? header : undefined;
}

/**
 * The name of the credential that a secured operation accepts. It shows no secret, and is equal for
 * equal tokens. Undefined if the user gave none that is enough, or the operation requires none.
 */
export function credentialFor(operation: Operation, secrets: Secrets): string | undefined {
  if (!isSecured(operation)) return undefined;
  const met = usableRequirements(operation).map((requirement) =>
    requirement.map(
      ({ scheme }) => nameOfToken(scheme, secrets) ?? headerFor(scheme, secrets.headers)?.name,
    ),
  );
  return met.find((names) => names.every((name) => name !== undefined))?.join(' ');
}

/** A token that several schemes were given counts as one. */
function nameOfToken({ name }: SecurityScheme, { schemes }: Secrets): string | undefined {
  const token = schemes.get(name)?.given?.value;
  if (token === undefined) return undefined;
  return [...schemes.values()].find(({ given }) => given?.value === token)?.given?.shell;
}

/**
 * The names of the schemes for which an operation has no credential; empty if it needs none, or has
 * one that is enough.
 */
export function schemesLacking(operation: Operation, secrets: Secrets): string[] {
  if (!isSecured(operation) || credentialFor(operation, secrets) !== undefined) return [];
  const schemes = usableRequirements(operation).flatMap((requirement) =>
    requirement.map(({ scheme }) => scheme),
  );
  const lacking = schemes.filter((scheme) => nameOfToken(scheme, secrets) === undefined);
  return [
    ...new Set(
      lacking
        .filter((scheme) => headerFor(scheme, secrets.headers) === undefined)
        .map(({ name }) => name),
    ),
  ];
}

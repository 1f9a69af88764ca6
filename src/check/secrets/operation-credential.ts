import type { Operation, SecurityScheme } from '../../contract/model.ts';
import { isSameName } from '../../http/message.ts';
import { isSecured, usableRequirements } from './credential.ts';
import type { RunHeader } from './run-header.ts';
import type { Secrets } from './secrets.ts';

/**
 * The header field in which the credential of a scheme travels; undefined for one in the query, or
 * that vouch cannot send.
 */
export function headerOf(scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'bearer' || scheme.kind === 'basic' || scheme.kind === 'http')
    return 'authorization';
  if (scheme.kind !== 'apiKey' || scheme.in === 'query') return undefined;
  return scheme.in === 'cookie' ? 'cookie' : scheme.key.toLowerCase();
}

/** A name and a value of the header Cookie (RFC 6265, section 4.2.1). */
export type CookiePair = readonly [name: string, value: string];

/** The pairs of a Cookie header. */
export function readCookies(value: string): CookiePair[] {
  return value.split(';').flatMap((pair): CookiePair[] => {
    const [name = '', ...rest] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), rest.join('=').trim()]];
  });
}

/** The header of the run that stands where a scheme has its credential. */
function headerFor(scheme: SecurityScheme, headers: readonly RunHeader[]): RunHeader | undefined {
  const field = headerOf(scheme);
  const header =
    field === undefined ? undefined : headers.find(({ name }) => isSameName(name, field));
  if (header === undefined || scheme.kind !== 'apiKey' || scheme.in !== 'cookie') return header;
  return readCookies(header.value).some(([name]) => name === scheme.key) ? header : undefined;
}

/**
 * Which credential lets the run into a secured operation, as a name that shows no secret: the same
 * name for the same tokens. Undefined where the user gave none that is enough, or the operation
 * asks for none.
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
 * The names of the schemes for which an operation has no credential; empty where it needs none, or
 * has one that is enough.
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

import type { Operation, SecurityScheme } from '../../contract/model.ts';
import { type HeaderList, isSameName } from '../../http/message.ts';
import type { CredentialChoice } from '../model/request-template.ts';
import { type CredentialParts, isSecured } from '../secrets/credential.ts';
import { type CookiePair, headerOf, readCookies } from '../secrets/operation-credential.ts';
import type { RunHeader } from '../secrets/run-header.ts';

/**
 * The run's headers as they go with the requests of one operation. Cookies are apart: they share a
 * field with others.
 */
export interface AddedHeaders {
  readonly headers: HeaderList;
  readonly cookies: readonly CookiePair[];
}

/** What a request carries as its credential, and why. */
interface Placed {
  readonly choice: CredentialChoice;
  readonly credential: CredentialParts;
}

/**
 * The headers of a run beside the credential of a request. Where they would stand in the place of
 * that credential, it counts. A probe of credentials also leaves out what would let it in by
 * another scheme of the operation.
 */
export function addHeaders(
  operation: Operation,
  given: readonly RunHeader[],
  placed: Placed,
): AddedHeaders {
  const probed = placed.choice === 'given' || !isSecured(operation) ? [] : schemesOf(operation);
  const taken = new Set(probed.filter((scheme) => !isCookie(scheme)).map(headerOf));
  for (const [name] of placed.credential.headers) taken.add(name.toLowerCase());
  const takenCookies = new Set(probed.flatMap((scheme) => (isCookie(scheme) ? [scheme.key] : [])));
  for (const [name] of placed.credential.cookies) takenCookies.add(name);
  const free = given.filter(({ name }) => !taken.has(name.toLowerCase()));
  const cookies = free.filter(isCookieHeader).flatMap(({ value }) => readCookies(value));
  return {
    headers: free
      .filter((header) => !isCookieHeader(header))
      .map(({ name, value }) => [name, value]),
    cookies: cookies.filter(([name]) => !takenCookies.has(name)),
  };
}

function isCookie(scheme: SecurityScheme): scheme is Extract<SecurityScheme, { kind: 'apiKey' }> {
  return scheme.kind === 'apiKey' && scheme.in === 'cookie';
}

function isCookieHeader({ name }: RunHeader): boolean {
  return isSameName(name, 'cookie');
}

function schemesOf({ security }: Operation): SecurityScheme[] {
  return security.flatMap((requirement) => requirement.map(({ scheme }) => scheme));
}

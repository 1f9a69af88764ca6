import { type HeaderList, headerValues } from '../../http/message.ts';
import { memberOf, type JsonValue } from '../../json/value.ts';
import type { Operation, Schema, SecurityScheme } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { objectMembers } from '../schema/object-members.ts';
import { successResponses } from '../select-response.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { plainName } from './infer-names.ts';

/** Where the answer of an operation holds a token that it hands out. */
export type TokenPlace =
  | { readonly in: 'body'; readonly path: readonly string[] }
  | { readonly in: 'header'; readonly name: string };

const tokenName = /^(?:access|auth|bearer|id|session|api|user)?token$|^jwt$/;
const keyName = /^(?:api|auth|access)?key$/;
const passwordName = /^(?:user|current)?(?:password|passwd|pwd|passphrase|passcode|pin)$/;
const secretName = /(?:token|code|secret|assertion|otp)$/;

/** The facts about an operation that show a login. */
type Handing = Pick<Operation, 'method' | 'path' | 'requestBody' | 'responses'>;

/**
 * The places of a token in the success of an operation that is no read: a member that is named as
 * one, at the top or in a member beside it, or a header. A `key` is one where the operation takes a
 * password, or is on keys.
 */
export function tokenPlaces(operation: Handing): readonly TokenPlace[] {
  if (operation.method === 'GET' || operation.method === 'DELETE') return [];
  const headers = successResponses(operation).flatMap(({ headers: own }) => own);
  const named = headers.filter(
    ({ name }) =>
      name.toLowerCase() === 'authorization' || tokenName.test(plainName(name.replace(/^x-/i, ''))),
  );
  const schema = successSchema(operation);
  const isKey = takesPassword(operation) || /keys?\/?$/i.test(operation.path);
  const isNamed = (name: string): boolean =>
    tokenName.test(plainName(name)) || (isKey && keyName.test(plainName(name)));
  return [
    ...named.map(({ name }) => ({ in: 'header', name }) as const),
    ...(schema === undefined ? [] : pathsIn(schema, isNamed)).map(
      (path) => ({ in: 'body', path }) as const,
    ),
  ];
}

/** The tokens at a place of an answer; what stands before one, such as `Bearer`, is left out. */
export function tokensAt(
  place: TokenPlace,
  { headers, body }: { readonly headers: HeaderList; readonly body: JsonValue | undefined },
): readonly string[] {
  const inBody = (path: readonly string[]): JsonValue | undefined =>
    path.reduce((held, name) => memberOf(held, name), body);
  const found = place.in === 'header' ? headerValues(headers, place.name) : [inBody(place.path)];
  return found.flatMap((value) =>
    typeof value === 'string' && value !== '' ? [value.replace(/^[A-Za-z][\w-]* +/, '')] : [],
  );
}

function pathsIn(schema: Schema, isNamed: (name: string) => boolean, depth = 1): string[][] {
  return [...objectMembers(schema).properties].flatMap(([name, place]) => {
    const { types } = schema.flatten(place);
    if (types.includes('string')) return isNamed(name) ? [[name]] : [];
    if (depth === 0 || types.length > 2 || !types.includes('object')) return [];
    return pathsIn(schema.part(place), isNamed, depth - 1).map((path) => [name, ...path]);
  });
}

function membersOf(operation: Handing): readonly string[] {
  const schema = bodySchema(operation);
  return schema === undefined ? [] : [...objectMembers(schema).properties.keys()];
}

/** The member of the body of an operation that has a password. */
export function passwordMember(operation: Handing): string | undefined {
  return membersOf(operation).find((name) => passwordName.test(plainName(name)));
}

/** Whether the body of an operation has a password. */
export function takesPassword(operation: Handing): boolean {
  return passwordMember(operation) !== undefined;
}

/**
 * Whether an operation is a login: it takes a secret and answers with a token, or it takes who one
 * is and a password alone, on a path that is no collection.
 */
export function isLogin(operation: Handing, isCollection: (path: string) => boolean): boolean {
  // A password that is changed logs nobody in.
  if (operation.method !== 'POST' || /(?:password|passwd|pwd)\W*$/i.test(operation.path))
    return false;
  const members = membersOf(operation).map(plainName);
  const hasPassword = members.some((name) => passwordName.test(name));
  const isSecret = (name: string): boolean => secretName.test(name) || passwordName.test(name);
  if (members.some(isSecret) && tokenPlaces(operation).length > 0) return true;
  return hasPassword && members.length <= maxLoginMembers && !isCollection(operation.path);
}

/** Who, the password, and one more, such as `remember`. */
const maxLoginMembers = 3;

/**
 * Whether a path has records: something stands below it, or it is read itself. Made once for all
 * paths of a document.
 */
export function collectionsOf(
  operations: Iterable<Pick<Operation, 'method' | 'path'>>,
): (path: string) => boolean {
  const collections = new Set<string>();
  for (const { method, path } of operations) {
    if (method === 'GET') collections.add(path);
    const below = path.indexOf('/{');
    if (below > 0) collections.add(path.slice(0, path.lastIndexOf('/{')));
  }
  return (path) => collections.has(path);
}

/** Whether the credential of a scheme is what a login may give. */
export function isTokenScheme(scheme: SecurityScheme): boolean {
  return (
    scheme.kind === 'bearer' ||
    (scheme.kind === 'apiKey' &&
      (scheme.in === 'cookie' || scheme.key.toLowerCase() === 'authorization'))
  );
}

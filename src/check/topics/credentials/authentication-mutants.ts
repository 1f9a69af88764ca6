import {
  type CredentialParts,
  hasWrongScheme,
  placeCredential,
  readsOnlyBearer,
  usableRequirement,
} from '../../secrets/credential.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { decodeBase64Text, emptyBody, headerValue } from '../../../http/message.ts';
import { dropHeader, setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withQuery } from '../../mutants/list-place.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { type Action, type ActionPlace, actions, succeeded } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('authentication');

function secured({ operations }: Contract): Place[] {
  return operations.filter(isSecured).map((operation) => ({ operation }));
}

/** The key that the conforming service accepts. */
export const knownKey = 'demo-key';

/** The key of a second identity, which has records apart from the run's. */
export const otherKey = 'other-key';

/** Whether a request has the key of the second identity, in a header of the operation's scheme. */
export function isOther(request: HttpRequest, operation: Operation): boolean {
  return placeCredential(operation, otherKey).headers.some(
    ([name, value]) => headerValue(request.headers, name) === value,
  );
}

/** Whether two identities can use a contract: an operation on records takes a key in a header. */
export function takesTwoKeys(contract: Contract): boolean {
  return ownedPlaces(contract, 'read', 'list').length > 0;
}

/** Operations on records that clients with a key in a header create. */
function ownedPlaces(contract: Contract, ...expected: readonly Action[]): ActionPlace[] {
  return actions(contract, ...expected).filter(
    ({ resource, operation }) =>
      resource.operations.create !== undefined &&
      [resource.operations.create, operation].every(
        (each) => isSecured(each) && placeCredential(each, otherKey).headers.length > 0,
      ) &&
      placeCredential(operation, otherKey).query.length === 0,
  );
}

/** Gives the second identity the responses of the run, where its own would be a refusal. */
function reachesOthers(
  id: string,
  rule: string,
  says: string,
  ...expected: readonly Action[]
): Mutator {
  return mutant(id, {
    rule,
    where: (contract) => ownedPlaces(contract, ...expected),
    says,
    second: true,
    status: 'any',
    answer: async (response, { resource, operation }, { request, service }) => {
      const isList = operation === resource.operations.list;
      if (!isOther(request, operation) || (succeeded(response) && !isList)) return undefined;
      const leaked = await service.respond(withKnownKey(request, operation));
      return succeeded(leaked.response) ? leaked.response : undefined;
    },
  });
}

/** The request with the correct credential instead of its own. */
export function withKnownKey(request: HttpRequest, operation: Operation): HttpRequest {
  const { headers, query } = placeCredential(operation, knownKey);
  const withHeaders = headers.reduce<HttpRequest>(
    (changed, [name, value]) => setHeader(changed, name, value),
    request,
  );
  return query
    .filter(([name]) => !new RegExp(`[?&]${name}=`).test(request.target))
    .reduce(
      (changed, [name, value]) =>
        withQuery(changed, encodeURIComponent(name), encodeURIComponent(value)),
      withHeaders,
    );
}

/** The request without its credential. */
function withoutCredential(request: HttpRequest, operation: Operation): HttpRequest {
  const { headers, query } = placeCredential(operation, knownKey);
  const names = ['authorization', 'cookie', ...headers.map(([name]) => name)];
  const bare = names.reduce(dropHeader, request);
  return {
    ...bare,
    target: query.reduce(
      (target, [name]) => target.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1'),
      bare.target,
    ),
  };
}

/** Operations that accept requests which they should refuse, as if they had the correct key. */
function hole(
  id: string,
  rule: string,
  says: string,
  opens: (credential: string | undefined) => boolean,
): Mutator {
  return mutant(id, {
    rule,
    where: secured,
    says,
    request: (request, { operation }) => {
      const credential = credentialOf(request, operation);
      return credential !== knownKey && opens(credential)
        ? withKnownKey(request, operation)
        : undefined;
    },
  });
}

/** The credential of a request, as far as the operation requires one; undefined if it has none. */
function credentialOf(request: HttpRequest, operation: Operation): string | undefined {
  const [place] = operation.security[0] ?? [];
  if (place === undefined) return undefined;
  const { scheme } = place;
  if (scheme.kind === 'basic')
    return decodeBase64Text(
      headerValue(request.headers, 'authorization')?.replace(/^\S+ ?/, '') ?? '',
    )?.replace(/:$/, '');
  if (scheme.kind !== 'apiKey')
    return headerValue(request.headers, 'authorization')?.replace(/^\S+ ?/, '');
  if (scheme.in === 'header') return headerValue(request.headers, scheme.key);
  if (scheme.in === 'query')
    return new URLSearchParams(request.target.split('?')[1] ?? '').get(scheme.key) ?? undefined;
  return headerValue(request.headers, 'cookie');
}

/** Whether a request has the correct key under another scheme than the operation's. */
function hasKeyElsewhere(request: HttpRequest, operation: Operation): boolean {
  const [, word, key] =
    /^(\S+) (.+)$/.exec(headerValue(request.headers, 'authorization') ?? '') ?? [];
  if (word === undefined || key === undefined) return false;
  const right = placeCredential(operation, knownKey)
    .headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    .split(' ');
  return right === undefined
    ? key === knownKey
    : key === right[1] && word.toLowerCase() !== right[0]?.toLowerCase();
}

/** Each scheme of a requirement with several, and the credential for the others. */
function partialKeys({
  operation,
}: Place): (Place & { readonly scheme: string; readonly others: CredentialParts })[] {
  const requirement = usableRequirement(operation) ?? [];
  if (requirement.length < 2 || operation.security.length > 1) return [];
  return requirement.map(({ scheme: { name } }) => ({
    operation,
    scheme: name,
    others: placeCredential(
      operation,
      (scheme) => (scheme.name === name ? undefined : knownKey),
      'its scheme',
      requirement,
    ),
  }));
}

/** Whether a request carries the headers and the query of a credential. */
function holds(request: HttpRequest, { headers, query }: CredentialParts): boolean {
  const given = new URLSearchParams(request.target.split('?')[1] ?? '');
  return (
    headers.every(([name, value]) => headerValue(request.headers, name) === value) &&
    query.every(([name, value]) => given.get(name) === value)
  );
}

function equalMessages(one: HttpRequest, other: HttpRequest): boolean {
  const sorted = ({ headers }: HttpRequest): string =>
    headers
      .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      .sort((left, right) => (left < right ? -1 : 1))
      .join('\n');
  return one.target === other.target && sorted(one) === sorted(other);
}

/** A service that treats the credentials of all its operations alike. */
function everywhere(
  id: string,
  rule: string,
  title: string,
  authentication: NonNullable<Mutation['authentication']>,
): Mutator {
  return {
    id,
    family: 'authentication',
    rule,
    find: (contract) =>
      secured(contract).length === 0 ? [] : [{ mutator: id, title, authentication }],
  };
}

/** Mutations of authentication. */
export const authenticationMutators: readonly Mutator[] = [
  everywhere(
    'asks-for-nothing',
    'No operation requires a credential.',
    'no operation requires a credential',
    'off',
  ),
  everywhere(
    'takes-any',
    'Any well-formed credential is accepted.',
    'any well-formed credential is accepted',
    'any',
  ),
  hole(
    'open-operation',
    'One operation requires no credential.',
    'requires no credential',
    () => true,
  ),
  hole(
    'open-without',
    'One operation accepts requests without a credential, and refuses wrong credentials.',
    'accepts requests without a credential',
    (credential) => credential === undefined,
  ),
  hole(
    'takes-empty',
    'An empty credential is accepted.',
    'accepts an empty credential',
    (credential) => credential === '',
  ),
  hole(
    'takes-wrong',
    'One operation accepts any credential.',
    'accepts any credential',
    (credential) => credential !== undefined && credential !== '',
  ),
  hole(
    'takes-prefix',
    'The beginning of a key is accepted as the key.',
    'accepts the beginning of a key',
    (credential) =>
      credential !== undefined && credential.length > 3 && knownKey.startsWith(credential),
  ),
  hole(
    'takes-longer',
    'Any text that begins with a key is accepted as the key.',
    'accepts any text that begins with a key',
    (credential) => credential?.startsWith(knownKey) === true,
  ),
  hole(
    'takes-other-case',
    'A key is compared without regard to case.',
    'compares the key without regard to case',
    (credential) => credential?.toLowerCase() === knownKey,
  ),
  mutant('takes-other-scheme', {
    rule: 'The right key is accepted under a wrong scheme.',
    killedBy: 'warning',
    where: (contract) =>
      secured(contract).filter(({ operation }) =>
        hasWrongScheme(operation, contract.securitySchemes.values()),
      ),
    says: 'accepts the key under any scheme',
    request: (request, { operation }) =>
      hasKeyElsewhere(request, operation) ? withKnownKey(request, operation) : undefined,
  }),
  mutant('takes-strange-scheme', {
    rule: 'Any credential is accepted under an undeclared scheme.',
    where: (contract) =>
      secured(contract).filter(({ operation }) =>
        readsOnlyBearer(operation, contract.securitySchemes.values()),
      ),
    says: 'accepts anything under Basic',
    request: (request, { operation }) =>
      /^basic ./i.test(headerValue(request.headers, 'authorization') ?? '')
        ? withKnownKey(request, operation)
        : undefined,
  }),
  mutant('checks-one-scheme', {
    rule: 'Of several schemes in one requirement, one is not checked.',
    where: (contract) => secured(contract).flatMap(partialKeys),
    says: ({ scheme }) => `does not check ${scheme}`,
    request: (request, { operation, others }) => {
      const whole = withKnownKey(request, operation);
      return holds(request, others) && !equalMessages(request, whole) ? whole : undefined;
    },
  }),
  mutant('sends-to-login', {
    rule: 'A request without a credential is redirected to a login page.',
    where: secured,
    says: 'answers 302 to a request without a credential',
    status: 401,
    answer: () => ({ status: 302, headers: [['Location', '/login']], body: emptyBody }),
  }),
  mutant('refuses-right-key', {
    rule: 'One operation refuses the right credential.',
    where: secured,
    says: 'refuses the right credential',
    request: (request, { operation }) =>
      credentialOf(request, operation)?.includes(knownKey) === true
        ? withoutCredential(request, operation)
        : undefined,
  }),
  reachesOthers(
    'shows-records-of-others',
    'A read shows the record of another identity.',
    'shows the records of another identity',
    'read',
  ),
  reachesOthers(
    'lists-records-of-others',
    'A list has the records of another identity.',
    'lists the records of another identity',
    'list',
  ),
  reachesOthers(
    'changes-records-of-others',
    'A replacement or an update changes the record of another identity.',
    'changes the records of another identity',
    'replace',
    'update',
  ),
  reachesOthers(
    'deletes-records-of-others',
    'A deletion deletes the record of another identity.',
    'deletes the records of another identity',
    'delete',
  ),
];

import {
  type CredentialParts,
  hasWrongScheme,
  placeCredential,
  readsOnlyBearer,
  usableRequirement,
} from '../../secrets/credential.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import {
  decodeBase64Text,
  headerValue,
  withHeader,
  withoutHeader,
  type HttpRequest,
} from '../../../http/message.ts';
import { forOperation, type Mutation, type Mutator } from '../../mutants/mutant.ts';
import { addToQuery, editRequests } from '../../mutants/edit-service.ts';
import { type Action, type ActionPlace, actions, succeeded } from '../../mutants/state-edits.ts';

const maxOfKind = 3;

function secured({ operations }: Contract): Operation[] {
  return operations.filter(isSecured);
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
function ownedPlaces(contract: Contract, ...wanted: readonly Action[]): ActionPlace[] {
  return actions(contract, ...wanted).filter(
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
  words: string,
  ...wanted: readonly Action[]
): Mutator {
  return {
    id,
    family: 'authentication',
    rule,
    find: (contract) =>
      ownedPlaces(contract, ...wanted)
        .slice(0, maxOfKind)
        .map((place) => ({
          ...forOperation(id, place, words, (service, fired) => async (request) => {
            const reply = await service.respond(request);
            const isList = place.operation === place.resource.operations.list;
            if (!isOther(request, place.operation) || (succeeded(reply.response) && !isList))
              return reply;
            const leaked = await service.respond(withKnownKey(request, place.operation));
            if (!succeeded(leaked.response)) return reply;
            fired();
            return leaked;
          }),
          second: true,
        })),
  };
}

/** The request with the correct credential instead of its own. */
export function withKnownKey(request: HttpRequest, operation: Operation): HttpRequest {
  const { headers, query } = placeCredential(operation, knownKey);
  const withHeaders = headers.reduce<HttpRequest>(
    (changed, [name, value]) => ({ ...changed, headers: withHeader(changed.headers, name, value) }),
    request,
  );
  const added = query.filter(([name]) => !new RegExp(`[?&]${name}=`).test(request.target));
  const pairs = added.map((pair) => pair.map(encodeURIComponent).join('='));
  return added.length === 0
    ? withHeaders
    : {
        ...withHeaders,
        target: addToQuery(request.target, pairs.join('&')),
      };
}

/** The request without its credential. */
function withoutCredential(request: HttpRequest, operation: Operation): HttpRequest {
  const { headers, query } = placeCredential(operation, knownKey);
  const names = ['authorization', 'cookie', ...headers.map(([name]) => name)];
  const bare = names.reduce<HttpRequest>(
    (changed, name) => ({ ...changed, headers: withoutHeader(changed.headers, name) }),
    request,
  );
  return {
    ...bare,
    target: query.reduce(
      (target, [name]) => target.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1'),
      bare.target,
    ),
  };
}

/** An operation that accepts requests which it should refuse. */
function hole(
  mutator: string,
  words: string,
  opens: (credential: string | undefined) => boolean,
): (contract: Contract) => readonly Mutation[] {
  return (contract) =>
    secured(contract)
      .slice(0, maxOfKind)
      .map((operation) => ({
        mutator,
        title: `${operation.id} ${words}`,
        operation: operation.id,
        plant: (service, fired) =>
          editRequests(service, fired, operation, (request) => {
            const credential = credentialOf(request, operation);
            return credential !== knownKey && opens(credential)
              ? withKnownKey(request, operation)
              : undefined;
          }),
      }));
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

/** The mutations of an operation that do not check one of its schemes. */
function uncheckedSchemes(operation: Operation): Mutation[] {
  const requirement = usableRequirement(operation) ?? [];
  if (requirement.length < 2 || operation.security.length > 1) return [];
  return requirement.map(({ scheme: { name } }) => {
    const others = placeCredential(
      operation,
      (scheme) => (scheme.name === name ? undefined : knownKey),
      'its scheme',
      requirement,
    );
    return {
      mutator: 'checks-one-scheme',
      title: `${operation.id} does not check ${name}`,
      operation: operation.id,
      plant: (service, fired) =>
        editRequests(service, fired, operation, (request) => {
          const whole = withKnownKey(request, operation);
          return holds(request, others) && !equalMessages(request, whole) ? whole : undefined;
        }),
    };
  });
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

/** Mutations of authentication. */
export const authenticationMutators: readonly Mutator[] = [
  {
    id: 'asks-for-nothing',
    family: 'authentication',
    rule: 'No operation requires a credential.',
    find: (contract) =>
      secured(contract).length === 0
        ? []
        : [
            {
              mutator: 'asks-for-nothing',
              title: 'no operation requires a credential',
              authentication: 'off',
            },
          ],
  },
  {
    id: 'takes-any',
    family: 'authentication',
    rule: 'Any well-formed credential is accepted.',
    find: (contract) =>
      secured(contract).length === 0
        ? []
        : [
            {
              mutator: 'takes-any',
              title: 'any well-formed credential is accepted',
              authentication: 'any',
            },
          ],
  },
  {
    id: 'open-operation',
    family: 'authentication',
    rule: 'One operation requires no credential.',
    find: hole('open-operation', 'requires no credential', () => true),
  },
  {
    id: 'open-without',
    family: 'authentication',
    rule: 'One operation accepts requests without a credential, and refuses wrong credentials.',
    find: hole(
      'open-without',
      'accepts requests without a credential',
      (credential) => credential === undefined,
    ),
  },
  {
    id: 'takes-empty',
    family: 'authentication',
    rule: 'An empty credential is accepted.',
    find: hole('takes-empty', 'accepts an empty credential', (credential) => credential === ''),
  },
  {
    id: 'takes-wrong',
    family: 'authentication',
    rule: 'One operation accepts any credential.',
    find: hole(
      'takes-wrong',
      'accepts any credential',
      (credential) => credential !== undefined && credential !== '',
    ),
  },
  {
    id: 'takes-prefix',
    family: 'authentication',
    rule: 'The beginning of a key is accepted as the key.',
    find: hole(
      'takes-prefix',
      'accepts the beginning of a key',
      (credential) =>
        credential !== undefined && credential.length > 3 && knownKey.startsWith(credential),
    ),
  },
  {
    id: 'takes-longer',
    family: 'authentication',
    rule: 'Any text that begins with a key is accepted as the key.',
    find: hole(
      'takes-longer',
      'accepts any text that begins with a key',
      (credential) => credential?.startsWith(knownKey) === true,
    ),
  },
  {
    id: 'takes-other-case',
    family: 'authentication',
    rule: 'A key is compared without regard to case.',
    find: hole(
      'takes-other-case',
      'compares the key without regard to case',
      (credential) => credential?.toLowerCase() === knownKey,
    ),
  },
  {
    id: 'takes-other-scheme',
    family: 'authentication',
    rule: 'The right key is accepted under a wrong scheme.',
    killedBy: 'warning',
    find: (contract) =>
      secured(contract)
        .filter((operation) => hasWrongScheme(operation, contract.securitySchemes.values()))
        .slice(0, maxOfKind)
        .map((operation) => ({
          mutator: 'takes-other-scheme',
          title: `${operation.id} accepts the key under any scheme`,
          operation: operation.id,
          plant: (service, fired) =>
            editRequests(service, fired, operation, (request) =>
              hasKeyElsewhere(request, operation) ? withKnownKey(request, operation) : undefined,
            ),
        })),
  },
  {
    id: 'takes-strange-scheme',
    family: 'authentication',
    rule: 'Any credential is accepted under an undeclared scheme.',
    find: (contract) =>
      secured(contract)
        .filter((operation) => readsOnlyBearer(operation, contract.securitySchemes.values()))
        .slice(0, maxOfKind)
        .map((operation) => ({
          mutator: 'takes-strange-scheme',
          title: `${operation.id} accepts anything under Basic`,
          operation: operation.id,
          plant: (service, fired) =>
            editRequests(service, fired, operation, (request) =>
              /^basic ./i.test(headerValue(request.headers, 'authorization') ?? '')
                ? withKnownKey(request, operation)
                : undefined,
            ),
        })),
  },
  {
    id: 'checks-one-scheme',
    family: 'authentication',
    rule: 'Of several schemes in one requirement, one is not checked.',
    find: (contract) => secured(contract).flatMap(uncheckedSchemes).slice(0, maxOfKind),
  },
  {
    id: 'sends-to-login',
    family: 'authentication',
    rule: 'A request without a credential is redirected to a login page.',
    find: (contract) =>
      secured(contract)
        .slice(0, maxOfKind)
        .map((operation) => ({
          mutator: 'sends-to-login',
          title: `${operation.id} answers 302 to a request without a credential`,
          operation: operation.id,
          plant: (service, fired) => async (request) => {
            const reply = await service.respond(request);
            if (service.operationOf(request) !== operation || reply.response?.status !== 401)
              return reply;
            fired();
            return {
              ...reply,
              response: { status: 302, headers: [['Location', '/login']], body: new Uint8Array() },
            };
          },
        })),
  },
  {
    id: 'refuses-right-key',
    family: 'authentication',
    rule: 'One operation refuses the right credential.',
    find: (contract) =>
      secured(contract)
        .slice(0, maxOfKind)
        .map((operation) => ({
          mutator: 'refuses-right-key',
          title: `${operation.id} refuses the right credential`,
          operation: operation.id,
          plant: (service, fired) =>
            editRequests(service, fired, operation, (request) =>
              credentialOf(request, operation)?.includes(knownKey) === true
                ? withoutCredential(request, operation)
                : undefined,
            ),
        })),
  },
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

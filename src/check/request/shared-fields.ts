import type { Operation, SecurityRequirement, SecurityScheme } from '../../contract/model.ts';
import { acceptedRange } from '../../http/media-type.ts';
import { type HeaderList, isSameName } from '../../http/message.ts';
import type { CredentialChoice, RequestTemplate } from '../model/request-template.ts';
import {
  type CookiePair,
  credentialFor,
  type CredentialParts,
  headerOf,
  placeCredential,
  readCookies,
  type TokenOf,
  usableRequirement,
  withStrangeScheme,
} from '../secrets/credential.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { type RunHeader, secretFor, type Secrets } from '../secrets/secrets.ts';

/** The sender of requests: how it identifies itself, and its credentials. */
export interface RequestSender {
  readonly secrets: Secrets;
  readonly userAgent: string;
  /**
   * The run's id, sent in `Vouch-Run`, so that the owner of the server can recognise its requests.
   */
  readonly runId?: string | undefined;
  /** What its requests share. Without it, each request computes its own. */
  readonly shared?: SharedFieldsCache | undefined;
}

/** The common parts of an operation's requests with the same credential. */
export interface SharedFields {
  readonly accept: string;
  readonly credential: CredentialParts;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent if it has
   * none.
   */
  readonly credentialName?: string | undefined;
  /** The headers that the user adds to every request. */
  readonly added: AddedHeaders;
  /**
   * The complete header of requests without further fields. The list is shared by all requests with
   * the same media type of the body, or without a body.
   */
  headersFor(mediaType: string | undefined): HeaderList;
}

/**
 * The credential of an operation and the header fields of each of its requests, computed once for
 * each choice of credential.
 */
export function sharedFields(
  operation: Operation,
  chosen: ChosenCredential,
  sender: RequestSender,
): SharedFields {
  const { byOperation, alike } = (sender.shared ?? new SharedFieldsCache()).of(sender.secrets);
  const byChoice = byOperation.get(operation) ?? new Map<string, SharedFields>();
  const { credential, scheme } = chosen;
  const key = scheme === undefined ? credential : `${credential} ${scheme}`;
  const shared = byChoice.get(key) ?? shareAlike(alike, partsOf(operation, chosen, sender), sender);
  byOperation.set(operation, byChoice.set(key, shared));
  return shared;
}

/**
 * The fields by which a run identifies itself in every request. A parameter of the contract with
 * the same name replaces one.
 */
export function ownFields(
  accept: string | undefined,
  { userAgent, runId }: RequestSender,
): HeaderList {
  return [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['User-Agent', userAgent],
    ...(runId === undefined ? [] : [['Vouch-Run', runId] as const]),
  ];
}

/** What the requests with the same credentials share. */
interface KnownFields {
  readonly byOperation: Map<Operation, Map<string, SharedFields>>;
  /** By their content: most operations of a contract have the same fields. */
  readonly alike: Map<string, SharedFields>;
}

/** The shared fields of one run, which owns them: those of each identity by its credentials. */
export class SharedFieldsCache {
  readonly #known = new WeakMap<Secrets, KnownFields>();

  of(secrets: Secrets): KnownFields {
    const known = this.#known.get(secrets) ?? { byOperation: new Map(), alike: new Map() };
    this.#known.set(secrets, known);
    return known;
  }
}

type Parts = Omit<SharedFields, 'headersFor'>;

/** Which credential a request carries, and of which scheme, if not of all. */
type ChosenCredential = Pick<RequestTemplate, 'credential' | 'scheme'>;

function partsOf(
  operation: Operation,
  { credential: choice, scheme: only }: ChosenCredential,
  { secrets }: RequestSender,
): Parts {
  const given: TokenOf = ({ name }) => secretFor(secrets, 'given', name)?.value;
  const tokenOf: TokenOf = (scheme) =>
    only === undefined || only === scheme.name
      ? secretFor(secrets, choice, scheme.name)?.value
      : given(scheme);
  const placed = placeCredential(
    operation,
    tokenOf,
    choice === 'wrong-scheme' ? 'a wrong scheme' : 'its scheme',
    only === undefined ? everywhereElse(operation, secrets) : usableRequirement(operation, given),
  );
  const credential = choice === 'other-scheme' ? withStrangeScheme(placed) : placed;
  const added = addHeaders(operation, secrets.headers, { choice, credential });
  const credentialName = credentialFor(operation, secrets);
  return { accept: acceptFor(operation), credential, added, credentialName };
}

/** The credentials that go with an operation which requires none. */
function everywhereElse(
  operation: Operation,
  { everywhere }: Secrets,
): SecurityRequirement | undefined {
  return isSecured(operation) ? undefined : everywhere;
}

/** Fields whose names another list does not have. */
export function withoutSame(fields: HeaderList, others: HeaderList): HeaderList {
  return others.length === 0
    ? fields
    : fields.filter(([name]) => !others.some(([other]) => isSameName(name, other)));
}

function shareAlike(
  alike: Map<string, SharedFields>,
  parts: Parts,
  sender: RequestSender,
): SharedFields {
  const name = JSON.stringify(parts);
  const shared = alike.get(name) ?? makeShared(parts, sender);
  alike.set(name, shared);
  return shared;
}

function makeShared(parts: Parts, sender: RequestSender): SharedFields {
  const { accept, credential, added } = parts;
  const own = withoutSame(ownFields(accept, sender), added.headers);
  const plain: HeaderList = [...own, ...credential.headers, ...added.headers];
  const lists = new Map<string, HeaderList>();
  const headersFor = (mediaType: string | undefined): HeaderList => {
    if (mediaType === undefined) return plain;
    const list = lists.get(mediaType) ?? [...plain, ['Content-Type', mediaType] as const];
    lists.set(mediaType, list);
    return list;
  };
  return { ...parts, headersFor };
}

/**
 * Every media type that the contract documents for a response, so that the server can send any of
 * them.
 */
function acceptFor(operation: Operation): string {
  const types = operation.responses.flatMap(({ content }) =>
    content.flatMap(({ mediaType, range = mediaType }) => [mediaType, range].map(acceptedRange)),
  );
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? '*/*' : distinct.join(', ');
}

/**
 * The user's headers for the requests of one operation. Cookies are separate: they share one field
 * with others.
 */
interface AddedHeaders {
  readonly headers: HeaderList;
  readonly cookies: readonly CookiePair[];
}

/**
 * The user's headers beside the credential of a request, which replaces those of the same name. A
 * request that tests credentials also leaves out the headers of every other scheme of the
 * operation.
 */
export function addHeaders(
  operation: Operation,
  given: readonly RunHeader[],
  placed: { readonly choice: CredentialChoice; readonly credential: CredentialParts },
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

import type { Operation, SecurityScheme } from '../../contract/model.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { type HeaderList, isSameName } from '../../http/message.ts';
import type { CredentialChoice } from '../model/request-template.ts';
import {
  type CookiePair,
  credentialFor,
  type CredentialParts,
  headerOf,
  isSecured,
  placeCredential,
  readCookies,
  type TokenOf,
} from '../secrets/credential.ts';
import { type RunHeader, secretFor, type Secrets } from '../secrets/secrets.ts';

/** Who sends requests: what it says of itself, and its credentials. */
export interface RequestSender {
  readonly secrets: Secrets;
  readonly userAgent: string;
  /** Names the run in `Vouch-Run`, so that who runs the server can tell its requests apart. */
  readonly runId?: string | undefined;
}

/** What the requests of an operation that carry the same credential have in common. */
export interface SharedFields {
  readonly accept: string;
  readonly credential: CredentialParts;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent where it has
   * none.
   */
  readonly credentialName?: string;
  /** What the user adds to every request. */
  readonly added: AddedHeaders;
  /**
   * The whole header of those that add nothing of their own: one list for each media type of a
   * body, and one for requests without.
   */
  headersFor(mediaType: string | undefined): HeaderList;
}

/**
 * What a choice of credential comes to for an operation, and what is said in each request beside
 * it: made once.
 */
export function sharedFields(
  operation: Operation,
  choice: CredentialChoice,
  speaker: RequestSender,
): SharedFields {
  const { byOperation, alike } = knownTo(speaker);
  const byChoice = byOperation.get(operation) ?? new Map<CredentialChoice, SharedFields>();
  const shared =
    byChoice.get(choice) ?? shareAlike(alike, partsOf(operation, choice, speaker), speaker);
  byOperation.set(operation, byChoice.set(choice, shared));
  return shared;
}

/**
 * What the run says of itself in every request; a parameter of the contract's may be of the same
 * name, and counts instead.
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

interface Known {
  readonly userAgent: string;
  readonly runId: string | undefined;
  readonly byOperation: Map<Operation, Map<CredentialChoice, SharedFields>>;
  /** By what is in them: the operations of a contract mostly say the same. */
  readonly alike: Map<string, SharedFields>;
}

const known = new WeakMap<Secrets, Known>();

function knownTo({ secrets, userAgent, runId }: RequestSender): Known {
  const before = known.get(secrets);
  if (before?.userAgent === userAgent && before.runId === runId) return before;
  const fresh: Known = { userAgent, runId, byOperation: new Map(), alike: new Map() };
  known.set(secrets, fresh);
  return fresh;
}

type Parts = Omit<SharedFields, 'headersFor'>;

function partsOf(
  operation: Operation,
  choice: CredentialChoice,
  { secrets }: RequestSender,
): Parts {
  const tokenOf: TokenOf = ({ name }) => secretFor(secrets, choice, name)?.value;
  const credential = placeCredential(
    operation,
    tokenOf,
    choice === 'wrong-scheme' ? 'a wrong scheme' : 'its scheme',
  );
  const added = addHeaders(operation, secrets.headers, { choice, credential });
  const credentialName = credentialFor(operation, secrets);
  return {
    accept: acceptFor(operation),
    credential,
    added,
    ...(credentialName === undefined ? {} : { credentialName }),
  };
}

/** Fields without those that another list has too. */
export function withoutSame(fields: HeaderList, others: HeaderList): HeaderList {
  return others.length === 0
    ? fields
    : fields.filter(([name]) => !others.some(([other]) => isSameName(name, other)));
}

function shareAlike(
  alike: Map<string, SharedFields>,
  parts: Parts,
  speaker: RequestSender,
): SharedFields {
  const name = JSON.stringify(parts);
  const shared = alike.get(name) ?? makeShared(parts, speaker);
  alike.set(name, shared);
  return shared;
}

function makeShared(parts: Parts, speaker: RequestSender): SharedFields {
  const { accept, credential, added } = parts;
  const own = withoutSame(ownFields(accept, speaker), added.headers);
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
 * Every media type that the contract shows for an answer, so that no documented answer is refused.
 */
function acceptFor(operation: Operation): string {
  const types = operation.responses.flatMap(({ content }) =>
    content.map(({ mediaType }) => parseMediaType(mediaType)?.essence ?? '*/*'),
  );
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? '*/*' : distinct.join(', ');
}

/**
 * The run's headers as they go with the requests of one operation. Cookies are apart: they share a
 * field with others.
 */
interface AddedHeaders {
  readonly headers: HeaderList;
  readonly cookies: readonly CookiePair[];
}

/** What a request carries as its credential, and why. */
interface PlacedCredential {
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
  placed: PlacedCredential,
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

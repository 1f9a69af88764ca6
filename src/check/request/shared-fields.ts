import type { Operation } from '../../contract/model.ts';
import { parseMediaType } from '../../http/media-type.ts';
import type { HeaderList } from '../../http/message.ts';
import { placeCredential, type CredentialParts } from '../secrets/credential.ts';
import { secretFor, type CredentialChoice, type Secrets } from '../secrets/secrets.ts';

/** Who sends requests: what it says of itself, and its credentials. */
export interface Speaker {
  readonly secrets: Secrets;
  readonly userAgent: string;
  /** Names the run in `Vouch-Run`, so that who runs the server can tell its requests apart. */
  readonly runId?: string | undefined;
}

/** What the requests of an operation that carry the same credential have in common. */
export interface SharedFields {
  readonly accept: string;
  readonly credential: CredentialParts;
  /** The whole header of those that add nothing of their own: one list for each media type of a body, and one for requests without. */
  headersFor(mediaType: string | undefined): HeaderList;
}

/** What a choice of credential comes to for an operation, and what is said in each request beside it: made once. */
export function sharedFields(operation: Operation, choice: CredentialChoice, speaker: Speaker): SharedFields {
  const byOperation = knownTo(speaker);
  const byChoice = byOperation.get(operation) ?? new Map<CredentialChoice, SharedFields>();
  const shared = byChoice.get(choice) ?? makeShared(operation, choice, speaker);
  byOperation.set(operation, byChoice.set(choice, shared));
  return shared;
}

/** What the run says of itself in every request; a parameter of the contract's may be of the same name, and counts instead. */
export function ownFields(accept: string | undefined, { userAgent, runId }: Speaker): HeaderList {
  return [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['User-Agent', userAgent],
    ...(runId === undefined ? [] : [['Vouch-Run', runId] as const]),
  ];
}

type ByOperation = Map<Operation, Map<CredentialChoice, SharedFields>>;

const known = new WeakMap<Secrets, { readonly userAgent: string; readonly runId: string | undefined; readonly byOperation: ByOperation }>();

function knownTo({ secrets, userAgent, runId }: Speaker): ByOperation {
  const before = known.get(secrets);
  if (before !== undefined && before.userAgent === userAgent && before.runId === runId) return before.byOperation;
  const byOperation: ByOperation = new Map();
  known.set(secrets, { userAgent, runId, byOperation });
  return byOperation;
}

function makeShared(operation: Operation, choice: CredentialChoice, speaker: Speaker): SharedFields {
  const { secrets } = speaker;
  const accept = acceptFor(operation);
  const credential = placeCredential(operation, ({ name }) => secretFor(secrets, choice, name)?.value, choice === 'wrong-scheme' ? 'a wrong scheme' : 'its scheme');
  const plain: HeaderList = [...ownFields(accept, speaker), ...credential.headers];
  const lists = new Map<string, HeaderList>();
  const headersFor = (mediaType: string | undefined): HeaderList => {
    if (mediaType === undefined) return plain;
    const list = lists.get(mediaType) ?? [...plain, ['Content-Type', mediaType] as const];
    lists.set(mediaType, list);
    return list;
  };
  return { accept, credential, headersFor };
}

/** Every media type that the contract shows for an answer, so that no documented answer is refused. */
function acceptFor(operation: Operation): string {
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => parseMediaType(mediaType)?.essence ?? '*/*'));
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? '*/*' : distinct.join(', ');
}

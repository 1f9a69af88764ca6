import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { documents } from '../../../contract/select-response.ts';
import { headerValue, type HttpRequest, withHeader, withoutHeader } from '../../../http/message.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { editAnswers, editRequests, readJson, withJson } from '../../mutants/edit-service.ts';
import { forOperation, type Mutator, type Respond, type Service } from '../../mutants/mutant.ts';

const maxOfKind = 3;

type Act = (service: Service, fired: () => void) => Respond;

function makeMutator(
  id: string,
  rule: string,
  {
    where,
    words,
    act,
    killedBy,
  }: {
    readonly where: (contract: Contract) => readonly Operation[];
    readonly words: string;
    readonly act: (operation: Operation) => Act;
    readonly killedBy?: 'warning' | 'note';
  },
): Mutator {
  return {
    id,
    family: 'state',
    rule,
    killedBy,
    find: (contract) =>
      where(contract)
        .slice(0, maxOfKind)
        .map((operation) => forOperation(id, { operation }, words, act(operation))),
  };
}

function showsTag({ responses }: Operation): boolean {
  return responses.some(
    ({ status, headers }) =>
      status.startsWith('2') && headers.some(({ name }) => name.toLowerCase() === 'etag'),
  );
}

function takes({ parameters }: Operation, header: string): boolean {
  return parameters.some(
    ({ in: place, name }) => place === 'header' && name.toLowerCase() === header,
  );
}

function collections({ resources }: Contract): Resource[] {
  return resources.filter(
    ({ kind, operations: { create } }) => kind === 'collection' && create !== undefined,
  );
}

const cached = ({ operations }: Contract): Operation[] =>
  operations.filter(
    (operation) => operation.method === 'GET' && documents(operation, '304') && showsTag(operation),
  );
const changeable = (contract: Contract): Resource[] =>
  collections(contract).filter(
    ({ operations: { read, replace, update } }) =>
      read !== undefined && showsTag(read) && (replace !== undefined || update !== undefined),
  );
const guarded = (contract: Contract): Operation[] =>
  changeable(contract)
    .flatMap(({ operations: { replace, update, delete: remove } }) =>
      [replace, update, remove].filter((operation) => operation !== undefined),
    )
    .filter((operation) => documents(operation, '412') && takes(operation, 'if-match'));
const keyed = (contract: Contract): Operation[] =>
  collections(contract).flatMap(({ operations: { create } }) =>
    create !== undefined && idempotencyKey(create) !== undefined ? [create] : [],
  );

/** Changes one header of the requests that have it; `edit` returns undefined to remove it. */
function editHeader(name: string, edit: (value: string) => string | undefined): Act {
  return (service, fired) =>
    editRequests(service, fired, undefined, (request) => {
      const value = headerValue(request.headers, name);
      if (value === undefined) return undefined;
      const edited = edit(value);
      return edited === value
        ? undefined
        : {
            ...request,
            headers:
              edited === undefined
                ? withoutHeader(request.headers, name)
                : withHeader(request.headers, name, edited),
          };
    });
}

/** Returns 304 for any tag that the record ever had. */
function rememberingTags(operation: Operation): Act {
  const given = new Set<string>();
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const [known, tag] = [
      headerValue(request.headers, 'if-none-match'),
      reply.response && headerValue(reply.response.headers, 'etag'),
    ];
    if (tag !== undefined) given.add(`${request.target} ${tag}`);
    if (
      known === undefined ||
      reply.response?.status !== 200 ||
      !given.has(`${request.target} ${known}`) ||
      operation.method !== 'GET'
    )
      return reply;
    fired();
    return { response: { status: 304, headers: [['ETag', known]], body: new Uint8Array() } };
  };
}

/** Gives a record its first tag for ever. */
function keepingTag(): Act {
  const first = new Map<string, string>();
  return (service, fired) => (request) =>
    editAnswers(service, fired, {}, (response) => {
      const tag = headerValue(response.headers, 'etag');
      const known = first.get(request.target);
      if (tag !== undefined && known === undefined) first.set(request.target, tag);
      return tag === undefined || known === undefined || known === tag
        ? undefined
        : { ...response, headers: withHeader(response.headers, 'ETag', known) };
    })(request);
}

/** Creates a record that does not exist. */
function creatingMissing({ operations: { create } }: Resource): Act {
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const body = readJson(request);
    if (reply.response?.status !== 404 || create === undefined || !isJsonObject(body)) return reply;
    const collection = request.target.replace(/\/[^/?]*(\?.*)?$/, '');
    const made = await service.respond({ ...request, method: create.method, target: collection });
    if (!isSuccess(made.response?.status ?? 0)) return reply;
    fired();
    return made.response === undefined ? made : { response: { ...made.response, status: 200 } };
  };
}

/** A patch without its test operations. */
function withoutTests(request: HttpRequest): HttpRequest | undefined {
  const steps = (headerValue(request.headers, 'content-type') ?? '').includes('json-patch+json')
    ? readJson(request)
    : undefined;
  if (!isJsonArray(steps)) return undefined;
  const rest = steps.filter((step) => !isJsonObject(step) || step['op'] !== 'test');
  return rest.length === steps.length || rest.length === 0 ? undefined : withJson(request, rest);
}

/** Responds to a repeated delete as to the first. */
function deletingTwice(): Act {
  const gone = new Set<string>();
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    if (isSuccess(reply.response?.status ?? 0)) gone.add(request.target);
    if (reply.response?.status !== 404 || !gone.has(request.target)) return reply;
    fired();
    return { response: { status: 204, headers: [], body: new Uint8Array() } };
  };
}

const isPatchable = ({ requestBody }: Operation): boolean =>
  requestBody?.content.some(({ mediaType }) =>
    mediaType.startsWith('application/json-patch+json'),
  ) === true;

/** Mutations of tags, keys and patch tests, and of requests for missing records. */
export const conditionMutators: readonly Mutator[] = [
  makeMutator('never-unchanged', 'A read with the current ETag gets the full response.', {
    where: cached,
    words: 'ignores If-None-Match',
    act: () => editHeader('if-none-match', () => undefined),
  }),
  makeMutator('changes-tag', 'The ETag changes with each response.', {
    where: cached,
    words: 'gives another ETag each time',
    act: () => {
      let count = 0;
      return (service, fired) =>
        editAnswers(service, fired, {}, (response) => ({
          ...response,
          headers: withHeader(response.headers, 'ETag', `"${String((count += 1))}"`),
        }));
    },
  }),
  makeMutator('unchanged-for-good', 'A read with an ETag from before a change gets 304.', {
    where: (contract) =>
      changeable(contract)
        .flatMap(({ operations: { read } }) => read ?? [])
        .filter((read) => documents(read, '304') && guarded(contract).length > 0),
    words: 'answers 304 to any earlier ETag',
    act: rememberingTags,
  }),
  makeMutator('keeps-tag', 'The ETag of a record does not change with the record.', {
    where: (contract) => changeable(contract).flatMap(({ operations: { read } }) => read ?? []),
    words: 'never changes the ETag',
    act: keepingTag,
  }),
  makeMutator('takes-stale-tag', 'A change is applied regardless of its If-Match.', {
    where: guarded,
    words: 'accepts any If-Match',
    act: () => editHeader('if-match', () => '*'),
  }),
  makeMutator('refuses-right-tag', 'A change is refused regardless of its If-Match.', {
    where: guarded,
    words: 'refuses every ETag in If-Match',
    act: () => editHeader('if-match', (value) => (value === '*' ? value : '"another"')),
  }),
  makeMutator(
    'forgets-key',
    'A repeated create with the same idempotency key makes a second record.',
    {
      where: keyed,
      words: 'ignores idempotency keys',
      act: (operation) => editHeader(idempotencyKey(operation)?.name ?? '', () => undefined),
    },
  ),
  {
    id: 'creates-by-replacing',
    family: 'state',
    rule: 'A replacement of a missing record creates it, where the contract documents 404.',
    find: (contract) =>
      collections(contract)
        .flatMap((resource) => {
          const { read, replace } = resource.operations;
          return read === undefined ||
            replace === undefined ||
            !documents(replace, '404') ||
            documents(replace, '201')
            ? []
            : [
                forOperation(
                  'creates-by-replacing',
                  { operation: replace },
                  'creates a missing record',
                  creatingMissing(resource),
                ),
              ];
        })
        .slice(0, maxOfKind),
  },
  makeMutator('passes-over-tests', 'A JSON Patch is applied although one of its tests fails.', {
    where: (contract) =>
      collections(contract).flatMap(({ operations: { update } }) =>
        update !== undefined && isPatchable(update) ? [update] : [],
      ),
    words: 'ignores the tests of a JSON Patch',
    act: (operation) => (service, fired) => editRequests(service, fired, operation, withoutTests),
  }),
  makeMutator('deletes-twice', 'A second deletion succeeds, although the contract documents 404.', {
    where: (contract) =>
      collections(contract).flatMap(({ operations: { delete: remove } }) =>
        remove !== undefined && documents(remove, '404') ? [remove] : [],
      ),
    words: 'deletes a deleted record again',
    act: deletingTwice,
    killedBy: 'note',
  }),
  makeMutator('names-lost-place', 'The Location of a new record does not exist.', {
    where: (contract) =>
      collections(contract)
        .filter(({ operations: { read } }) => read !== undefined)
        .flatMap(({ operations: { create } }) =>
          create?.responses.some(({ headers }) =>
            headers.some(({ name }) => name.toLowerCase() === 'location'),
          ) === true
            ? [create]
            : [],
        ),
    words: 'returns a Location without a resource',
    act: () => (service, fired) =>
      editAnswers(service, fired, { status: 201 }, (response) => {
        const location = headerValue(response.headers, 'location');
        return location === undefined
          ? undefined
          : {
              ...response,
              headers: withHeader(
                response.headers,
                'Location',
                location.replace(/\/([^/]+)$/, '-of-old/$1'),
              ),
            };
      }),
  }),
];

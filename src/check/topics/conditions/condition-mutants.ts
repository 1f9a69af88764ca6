import { isJsonPatch } from '../../../contract/words/read-patch.ts';
import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import { documents } from '../../../contract/select-response.ts';
import { followsAip } from '../../../contract/words/standards.ts';
import { readJson } from '../../../http/media-type.ts';
import { emptyBody, headerValue, type HttpRequest, isSuccess } from '../../../http/message.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { dropHeader, editAnswers, setHeader, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { collections } from '../../mutants/places.ts';

const mutant = mutantsOf('state');

function showsTag({ responses }: Operation): boolean {
  return responses.some(
    ({ status, headers }) =>
      status.startsWith('2') && headers.some(({ name }) => name.toLowerCase() === 'etag'),
  );
}

function takes({ parameters }: Operation, header: string): boolean {
  return parameters.some(
    ({ in: location, name }) => location === 'header' && name.toLowerCase() === header,
  );
}

/** Operations on the records of collections that clients fill. */
function ofCollections(
  contract: Contract,
  pick: (resource: Resource) => readonly (Operation | undefined)[] | undefined,
): (Place & { readonly resource: Resource })[] {
  return collections(contract)
    .filter(({ operations: { create } }) => create !== undefined)
    .flatMap((resource) =>
      (pick(resource) ?? []).flatMap((operation) =>
        operation === undefined ? [] : [{ resource, operation }],
      ),
    );
}

const isChangeable = ({ operations: { read, replace, update } }: Resource): boolean =>
  read !== undefined && showsTag(read) && (replace !== undefined || update !== undefined);

const cached = ({ operations }: Contract): Place[] =>
  operations
    .filter(
      (operation) =>
        operation.method === 'GET' && documents(operation, '304') && showsTag(operation),
    )
    .map((operation) => ({ operation }));
const changeable = (contract: Contract): Place[] =>
  ofCollections(contract, (resource) => (isChangeable(resource) ? [resource.operations.read] : []));
const guarded = (contract: Contract): Place[] =>
  ofCollections(contract, (resource) => {
    const { replace, update, delete: remove } = resource.operations;
    return isChangeable(resource) ? [replace, update, remove] : [];
  }).filter(({ operation }) => documents(operation, '412') && takes(operation, 'if-match'));

/** Whether each request of a create has to name the new record. */
function isNamed({ resource, operation }: Place & { readonly resource: Resource }): boolean {
  return operation.parameters.some(
    (parameter) => parameter.required && isKeyParameter(resource, parameter),
  );
}

/** The request without a header; undefined if it has none. */
function lacking(request: HttpRequest, name: string): HttpRequest | undefined {
  return headerValue(request.headers, name) === undefined ? undefined : dropHeader(request, name);
}

/** The request with another tag in its If-Match; undefined if it names no tag. */
function matching(request: HttpRequest, tag: string): HttpRequest | undefined {
  const given = headerValue(request.headers, 'if-match');
  return given === undefined || given === '*' ? undefined : setHeader(request, 'If-Match', tag);
}

/** Returns 304 for any tag that the record ever had. */
function rememberingTags(): Plant {
  const given = new Set<string>();
  return (service, fired) =>
    editAnswers(service, fired, { status: 'any' }, ({ status, headers }, request) => {
      const known = headerValue(request.headers, 'if-none-match');
      const tag = headerValue(headers, 'etag');
      if (tag !== undefined) given.add(`${request.target} ${tag}`);
      return known !== undefined && status === 200 && given.has(`${request.target} ${known}`)
        ? { status: 304, headers: [['ETag', known]], body: emptyBody }
        : undefined;
    });
}

/** Gives a record its first tag for ever. */
function keepingTag(): Plant {
  const first = new Map<string, string>();
  return (service, fired) =>
    editAnswers(service, fired, {}, (response, { target }) => {
      const tag = headerValue(response.headers, 'etag');
      if (tag === undefined) return undefined;
      const known = first.get(target) ?? tag;
      first.set(target, known);
      return known === tag ? undefined : setHeader(response, 'ETag', known);
    });
}

/** A patch without its test operations. */
function withoutTests(request: HttpRequest): HttpRequest | undefined {
  const steps = readJson(request);
  if (!isJsonArray(steps)) return undefined;
  const rest = steps.filter((step) => !isJsonObject(step) || step['op'] !== 'test');
  return rest.length === steps.length || rest.length === 0 ? undefined : withJson(request, rest);
}

/** Responds to a repeated delete as to the first. */
function deletingTwice(): Plant {
  const gone = new Set<string>();
  return (service, fired) =>
    editAnswers(service, fired, { status: 'any' }, ({ status }, { target }) => {
      if (isSuccess(status)) gone.add(target);
      return status === 404 && gone.has(target)
        ? { status: 204, headers: [], body: emptyBody }
        : undefined;
    });
}

/** Mutations of tags, keys and patch tests, and of requests for missing records. */
export const conditionMutators: readonly Mutator[] = [
  mutant('never-unchanged', {
    rule: 'A read with the current ETag gets the full response.',
    where: cached,
    says: 'ignores If-None-Match',
    request: (request) => lacking(request, 'if-none-match'),
  }),
  mutant('changes-tag', {
    rule: 'The ETag changes with each response.',
    where: cached,
    says: 'gives another ETag each time',
    act: () => {
      let count = 0;
      return (service, fired) =>
        editAnswers(service, fired, {}, (response) =>
          setHeader(response, 'ETag', `"${String((count += 1))}"`),
        );
    },
  }),
  mutant('unchanged-for-good', {
    rule: 'A read with an ETag from before a change gets 304.',
    where: (contract) =>
      changeable(contract).filter(
        ({ operation }) => documents(operation, '304') && guarded(contract).length > 0,
      ),
    says: 'answers 304 to any earlier ETag',
    act: rememberingTags,
  }),
  mutant('keeps-tag', {
    rule: 'The ETag of a record does not change with the record.',
    where: changeable,
    says: 'never changes the ETag',
    act: keepingTag,
  }),
  mutant('takes-stale-tag', {
    rule: 'A change is applied regardless of its If-Match.',
    where: guarded,
    says: 'accepts any If-Match',
    request: (request) => matching(request, '*'),
  }),
  mutant('refuses-right-tag', {
    rule: 'A change is refused regardless of its If-Match.',
    where: guarded,
    says: 'refuses every ETag in If-Match',
    request: (request) => matching(request, '"another"'),
  }),
  mutant('forgets-key', {
    rule: 'A repeated create with the same idempotency key makes a second record.',
    where: (contract) =>
      ofCollections(contract, ({ operations: { create } }) => [create])
        .filter(({ operation }) => idempotencyKey(operation) !== undefined)
        .map((place) => ({ ...place, isNamed: isNamed(place), isAip: followsAip(contract) })),
    says: 'ignores idempotency keys',
    hidden: ({ isNamed: named, isAip }) =>
      named && !isAip
        ? 'every request names its new record, so a repeated one makes no second record'
        : undefined,
    // The repetition is refused, as the name is taken: AIP-155 says with SHOULD what it gets.
    warns: ({ isNamed: named }) => named,
    request: (request, { operation }) => {
      const { in: location, name = '' } = idempotencyKey(operation) ?? {};
      return location === 'query' ? withoutQuery(request, [name]) : lacking(request, name);
    },
  }),
  mutant('creates-by-replacing', {
    rule: 'A replacement of a missing record creates it, where the contract documents 404.',
    where: (contract) =>
      ofCollections(contract, ({ operations: { read, replace } }) => read && [replace]).filter(
        ({ operation }) => documents(operation, '404') && !documents(operation, '201'),
      ),
    says: 'creates a missing record',
    status: 404,
    answer: async (_missing, { resource }, { request, service }) => {
      const { create } = resource.operations;
      if (create === undefined || !isJsonObject(readJson(request))) return undefined;
      const target = request.target.replace(/\/[^/?]*(\?.*)?$/, '');
      const { response } = await service.respond({ ...request, method: create.method, target });
      return response !== undefined && isSuccess(response.status)
        ? { ...response, status: 200 }
        : undefined;
    },
  }),
  mutant('passes-over-tests', {
    rule: 'A JSON Patch is applied although one of its tests fails.',
    where: (contract) =>
      ofCollections(contract, ({ operations: { update } }) => [update]).filter(({ operation }) =>
        operation.requestBody?.content.some(isJsonPatch),
      ),
    says: 'ignores the tests of a JSON Patch',
    request: withoutTests,
  }),
  mutant('deletes-twice', {
    rule: 'A second deletion succeeds, although the contract documents 404.',
    killedBy: 'note',
    where: (contract) =>
      ofCollections(contract, ({ operations }) => [operations.delete]).filter(({ operation }) =>
        documents(operation, '404'),
      ),
    says: 'deletes a deleted record again',
    act: deletingTwice,
  }),
  mutant('names-lost-place', {
    rule: 'The Location of a new record does not exist.',
    where: (contract) =>
      ofCollections(contract, ({ operations: { read, create } }) => read && [create]).filter(
        ({ operation: { responses } }) =>
          responses.some(({ headers }) =>
            headers.some(({ name }) => name.toLowerCase() === 'location'),
          ),
      ),
    says: 'returns a Location without a resource',
    status: 201,
    answer: (response) => {
      const location = headerValue(response.headers, 'location');
      return location === undefined
        ? undefined
        : setHeader(response, 'Location', location.replace(/\/([^/]+)$/, '-of-old/$1'));
    },
  }),
];

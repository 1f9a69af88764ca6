import { speaksJsonApi } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Contract, Operation, Schema } from '../../../contract/model.ts';
import { documentsRefusal } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { documents } from '../../../contract/select-response.ts';
import { headerValue } from '../../../http/message.ts';
import { parseMediaType, readJson } from '../../../http/media-type.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { setHeader, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import type { HttpRequest } from '../../../http/message.ts';

const mutant = mutantsOf('validation');
const mediaType = 'application/vnd.api+json';

/** The operations of JSON:API for an action on records that document a refusal. */
function speaking(
  { resources }: Contract,
  action: 'list' | 'create' | 'update',
  status: string,
): Place[] {
  const all = resources.map(({ operations }) => operations[action]);
  const isRecord = ({ path }: Operation): boolean => action !== 'update' || path.endsWith('}');
  return [...new Set(all.filter((operation) => operation !== undefined))]
    .filter(isRecord)
    .filter((operation) => speaksJsonApi(operation) && documents(operation, status))
    .map((operation) => ({ operation }));
}

/** The filters that an operation declares: a family of parameters. */
function filtersOf({ parameters }: Operation): string[] {
  return parameters.map(({ name }) => name).filter((name) => /^filter\[\w+\]$/.test(name));
}

/** The filters in a request that the operation does not declare. */
function unknownFilters({ target }: HttpRequest, operation: Operation): string[] {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  const known = operation.parameters.map(({ name }) => name);
  return [...query.keys()].filter((name) => name.startsWith('filter[') && !known.includes(name));
}

/** The only type that the resource object of a body may have. */
function typeIn(schema: Schema | undefined): string | undefined {
  const data = schema?.flatten().properties.get('data');
  const type = data && schema?.flatten(data).properties.get('type');
  const node = type && schema?.flatten(type).node;
  const only = node?.const ?? (node?.enum?.length === 1 ? node.enum[0] : undefined);
  return typeof only === 'string' ? only : undefined;
}

/** The request with other members in its resource object, where they differ from those it has. */
function withMembers(request: HttpRequest, members: JsonObject): HttpRequest | undefined {
  const body = readJson(request);
  const data = body !== undefined && isJsonObject(body) ? body['data'] : undefined;
  if (body === undefined || !isJsonObject(body) || data === undefined || !isJsonObject(data))
    return undefined;
  const isOther = Object.entries(members).some(
    ([name, value]) => typeof data[name] === 'string' && data[name] !== value,
  );
  return isOther ? withJson(request, { ...body, data: { ...data, ...members } }) : undefined;
}

interface TypePlace extends Place {
  readonly type: string;
}

/** Mutations of what JSON:API has refused. */
export const jsonApiMutants: readonly Mutator[] = [
  mutant('takes-media-parameters', {
    rule: 'The media type of JSON:API is accepted with any parameters.',
    where: (contract) => speaking(contract, 'create', '415'),
    says: 'takes its media type with parameters',
    request: (request) => {
      const label = headerValue(request.headers, 'content-type') ?? '';
      return label !== mediaType && parseMediaType(label)?.essence === mediaType
        ? setHeader(request, 'Content-Type', mediaType)
        : undefined;
    },
  }),
  mutant('ignores-unknown-filter', {
    rule: 'A filter that the list does not have is ignored.',
    where: (contract) =>
      speaking(contract, 'list', '400').filter(({ operation }) => filtersOf(operation).length > 0),
    says: 'ignores a filter that it does not have',
    request: (request, { operation }) => withoutQuery(request, unknownFilters(request, operation)),
  }),
  mutant('takes-another-type', {
    rule: 'A resource object of another type is accepted as one of the endpoint.',
    where: (contract) =>
      speaking(contract, 'create', '409').flatMap(({ operation }): TypePlace[] => {
        const type = typeIn(bodySchema(operation));
        return type === undefined || !documentsRefusal(operation, ['409'])
          ? []
          : [{ operation, type }];
      }),
    says: 'takes resource objects of another type',
    request: (request, { type }) => withMembers(request, { type }),
  }),
  mutant('takes-another-id', {
    rule: 'An update takes a resource object with the id of another record.',
    where: (contract) => speaking(contract, 'update', '409'),
    says: 'takes a resource object with another id than the path',
    request: (request) => {
      const id = /([^/]+)$/.exec(request.target.replace(/\?.*$/, ''))?.[1];
      return id === undefined ? undefined : withMembers(request, { id: decodeURIComponent(id) });
    },
  }),
];

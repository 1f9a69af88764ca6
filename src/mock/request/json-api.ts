import { documentType } from '../../contract/infer/document-type.ts';
import { memberSchema } from '../../contract/schema/member-schema.ts';
import type { Contract, Operation, Schema } from '../../contract/model.ts';
import { documents } from '../../contract/select-response.ts';
import { type HeaderList, headerValue } from '../../http/message.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { isJsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { type Fault, makeFault } from '../model/reply.ts';

const mediaType = 'application/vnd.api+json';

/** A request to an operation that answers with documents of JSON:API (`speaksJsonApi`). */
export interface DocumentRequest {
  readonly operation: Operation;
  readonly headers: HeaderList;
  /** The names of the parameters in the query. */
  readonly query: Iterable<string>;
  /** Credentials may stand in parameters that no operation declares. */
  readonly securitySchemes?: Contract['securitySchemes'];
  /** The value of the last parameter of the path; undefined if it ends in a word. */
  readonly identifier: string | undefined;
  /** The document of the body, and the schema of the whole. */
  readonly body?: { readonly value: JsonValue; readonly schema: Schema | undefined } | undefined;
}

/**
 * Why JSON:API 1.1 has a request refused that the schemas of the contract allow: parameters of the
 * media type (section 5), filters and parameters that are not there (6, 9), a resource object of
 * another type or id than the endpoint (8.1.4, 8.2.3), and ids of clients where 403 is documented
 * (8.1.3).
 */
export function judgeJsonApi(request: DocumentRequest): Fault | undefined {
  return (
    judgeMedia(request) ?? judgeFilters(request) ?? judgeReserved(request) ?? judgeObject(request)
  );
}

function judgeMedia({ headers }: DocumentRequest): Fault | undefined {
  const type = headerValue(headers, 'content-type');
  if (type !== undefined && isParameterised(type))
    return makeFault(
      'media-type',
      'unsupported_media_type',
      `The media type ${mediaType} has no parameters but ext and profile.`,
    );
  const accepted = (headerValue(headers, 'accept') ?? '')
    .split(',')
    .filter((one) => parseMediaType(one.trim())?.essence === mediaType);
  return accepted.length > 0 && accepted.every(isParameterised)
    ? makeFault(
        'not-acceptable',
        'not_acceptable',
        `The header Accept has ${mediaType} only with parameters.`,
      )
    : undefined;
}

function isParameterised(type: string): boolean {
  if (parseMediaType(type.trim())?.essence !== mediaType) return false;
  return type
    .split(';')
    .slice(1)
    .map((part) => (part.split('=')[0] ?? '').trim().toLowerCase())
    .some((name) => !['ext', 'profile', 'q'].includes(name));
}

function judgeFilters({ operation, query }: DocumentRequest): Fault | undefined {
  const known = operation.parameters.filter(({ in: location }) => location === 'query');
  const isKnown = (name: string): boolean =>
    known.some((one) => one.name === name || one.name === name.replace(/\[.*$/, ''));
  const hasFamily = known.some(({ name }) => name.startsWith('filter['));
  const unknown = [...query].find((name) => name.startsWith('filter[') && !isKnown(name));
  return unknown === undefined || !hasFamily
    ? undefined
    : makeFault('parameter-value', 'unknown_parameter', `There is no filter ${unknown}.`);
}

/** Names of small letters alone are those of the standard: others are 400 (section 9). */
function judgeReserved({ operation, query, securitySchemes }: DocumentRequest): Fault | undefined {
  if (!documents(operation, '400')) return undefined;
  const isKnown = (name: string): boolean =>
    [...(securitySchemes?.values() ?? [])].some(
      (scheme) => scheme.kind === 'apiKey' && scheme.in === 'query' && scheme.key === name,
    ) || operation.parameters.some((one) => one.in === 'query' && one.name === name);
  const unknown = [...query].find((name) => /^[a-z]+$/.test(name) && !isKnown(name));
  if (unknown === undefined) return undefined;
  const message = `There is no parameter ${unknown}.`;
  return makeFault('parameter-value', 'unknown_parameter', message, {
    issues: [{ location: 'query', name: unknown, rule: 'unknown', message }],
  });
}

function judgeObject({ operation, identifier, body }: DocumentRequest): Fault | undefined {
  const data = memberOf(body?.value, 'data');
  if (!isJsonObject(data) || body?.schema === undefined) return undefined;
  const { type, id } = data;
  const expected = documentType(body.schema);
  const isOfCollection = operation.method === 'POST';
  const isOther = identifier !== undefined && typeof id === 'string' && id !== identifier;
  if (typeof type === 'string' && expected !== undefined && type !== expected)
    return makeFault('conflict', 'other_type', `The type must be ${expected}.`);
  if (operation.method === 'PATCH' && isOther)
    return makeFault('conflict', 'other_id', `The id must be ${identifier}.`);
  const isUnsupported = isOfCollection && id !== undefined && documents(operation, '403');
  return isUnsupported &&
    identifier === undefined &&
    memberSchema(body.schema, ['data', 'id']) === undefined
    ? makeFault('forbidden', 'client_id', 'The service chooses the id.')
    : undefined;
}

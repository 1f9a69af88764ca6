import { wordsIn } from '../../words-in.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { shownBy } from '../schema/shown-values.ts';
import type { StatedFacts } from '../words/stated-facts.ts';
import type { Schema } from './schema.ts';
import type { SecurityRequirement } from './security.ts';

/**
 * The methods that a path item can declare, in upper case (RFC 9110, section 9; OpenAPI 3.1,
 * section 4.8.9).
 */
export const methods = wordsIn('GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY');

/**
 * One of these, or another method that `additionalOperations` names (OpenAPI 3.2, section 4.9).
 * Case-sensitive.
 */
export type Method = (typeof methods)[number] | (string & {});

/** One method on one path. */
export interface Operation {
  /** `operationId`, or `GET /pets` if the document has none. Unique. */
  readonly id: string;
  readonly method: Method;
  /** The path template as written, without the server's base path: `/pets/{petId}`. */
  readonly path: string;
  /**
   * What is sent in the place of `path` and `method`, where these are the ones that an ordinary
   * service would have: `POST /channels.rename` for a PATCH on `/channels/{channel}`.
   */
  readonly wire?: {
    readonly path: string;
    readonly method: Method;
    /** The media type of its body, which holds what parameters say. */
    readonly mediaType?: string;
  };
  /** The member of an answer that is false in a refusal, whatever its status: `ok`. */
  readonly verdict?: string;
  /** Members of each success of the service, beside what it answers: `code` and `message`. */
  readonly envelope?: readonly string[];
  /** The one of them that tells a success from a refusal, where the document shows it. */
  readonly sign?: SuccessSign;
  /** The member of its body with which it changes the record of that name, and makes none. */
  readonly saves?: string;
  readonly summary?: string | undefined;
  /** Prose, in which contracts write rules that no keyword states. */
  readonly description?: string;
  /** `info.description`: what the API says of all its operations. */
  readonly general?: string | undefined;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** `x-sunset`: the date (`YYYY-MM-DD`) of removal. */
  readonly sunset?: string;
  /** `x-deprecated-at`: the date (`YYYY-MM-DD`) since which it is deprecated. */
  readonly deprecatedAt?: string;
  /** The operation to use instead: `x-replaced-by`, an operationId. */
  readonly replacedBy?: string;
  /** `x-stability-level`: `experimental`, `beta`, … */
  readonly stability?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody | undefined;
  /** Whether a PUT changes what is sent and leaves the rest, as the document says in words. */
  readonly changesPart?: boolean;
  readonly responses: readonly ResponseSpec[];
  /** Requests that the service makes after this operation succeeds. Read on first access. */
  readonly callbacks: readonly Callback[];
  /**
   * Alternatives: one of them is enough. An empty list, or an empty requirement in it, needs no
   * credential.
   */
  readonly security: readonly SecurityRequirement[];
  /** The document's servers, unless the path item or the operation names its own. */
  readonly servers: readonly Server[];
  /** Whether `servers` are declared here and not by the document. */
  readonly ownServers: boolean;
  /** `x-…` members as written. */
  readonly extensions: JsonObject;
  readonly pointer: Pointer;
}

/** A member of an answer, and its value in a success: `code` is 0. */
export interface SuccessSign {
  readonly name: string;
  readonly value: JsonValue;
  /** Whether the document states the value; otherwise it is the usual one. */
  readonly isStated: boolean;
}

/**
 * A base URL. `url` has its variables' defaults filled in; `basePath` is its path without a
 * trailing slash (`''` for none).
 */
export interface Server {
  readonly url: string;
  readonly basePath: string;
  /**
   * Every base path that the variables allow by their enumerations, the one of their defaults
   * first.
   */
  readonly basePaths: readonly string[];
  /** Templates of more: a variable without an enumeration, which takes any value, is a parameter. */
  readonly openPaths: readonly string[];
  /**
   * `name` (OpenAPI 3.2) or `x-name`: the name by which a configuration overrides this server's
   * URL.
   */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly pointer: Pointer;
}

/** The location of a parameter in a request (OpenAPI 3.1, section 4.8.12). */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** `tabDelimited` is what Swagger 2.0 calls `tsv`; OpenAPI 3 has no word for it. */
export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject';

/**
 * One parameter of an operation, its style and `explode` filled in (OpenAPI 3.1, section 4.8.12).
 */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  /** Where its value is sent, if the request that is sent has no such parameter. */
  readonly carried?: CarriedPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  readonly schema: Schema;
  /**
   * Set where the parameter is declared by `content`: its value is serialised as this media type,
   * not by style.
   */
  readonly mediaType?: string | undefined;
  /**
   * Set where the value, in that media type, is the whole query (`in: querystring` of OpenAPI 3.2).
   */
  readonly wholeQuery?: true;
  readonly examples: readonly Example[];
  readonly description?: string | undefined;
  /** What the description of the API says of all parameters that are called alike: `since_…`. */
  readonly ofFamily?: string | undefined;
  /** `x-vouch-facts`: what the owner states or denies of it. */
  readonly facts?: StatedFacts | undefined;
  readonly pointer: Pointer;
}

/** Where a request holds a value that an ordinary one has in its path or its query. */
export interface CarriedPlace {
  readonly in: 'path' | 'query' | 'body';
  /** Its place there: `/channel`, `/filter/colour`. */
  readonly at: Pointer;
  /** Whether it stands there as the item of a list, which may have more. */
  readonly many?: true;
}

/** A value that the document shows, and its name there. */
export interface Example {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

/** What an operation takes as its body (OpenAPI 3.1, section 4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaTypeSpec[];
  readonly pointer: Pointer;
}

/** Where the fields of a record stand, if not at its top. Plain data. */
export interface RecordLayout {
  /** The pointer of the schema that describes the record as the document writes it. */
  readonly of: Pointer;
  /** The member that holds the fields: `attributes`. */
  readonly group: string;
  /** The members beside it: `id`, `type`. */
  readonly own: readonly string[];
  /** The members that a record has even if nothing stands in them. */
  readonly required: readonly string[];
  /** The member that holds references, and the type of the records that each of them names. */
  readonly relations?: {
    readonly member: string;
    readonly types: Readonly<Record<string, string>>;
  };
}

/** What stands around the fields of a record in a request body. */
export interface Envelope {
  /** Where the record stands in the body: `/data`. */
  readonly at: Pointer;
  /** Undefined if its fields stand at its top. */
  readonly layout?: RecordLayout | undefined;
  /** The schema of the whole body. */
  readonly whole: Schema;
}

/** A body in one media type. Without `schema` the contract leaves the payload open. */
export interface MediaTypeSpec {
  /** As written, parameters included: `application/json; charset=utf-8`, or a range. */
  readonly mediaType: string;
  /** The range of types that the document names, such as `*\/*`, where `mediaType` is JSON in it. */
  readonly range?: string;
  readonly schema?: Schema | undefined;
  /** Set where `schema` describes the fields alone, and the body has an envelope around them. */
  readonly envelope?: Envelope;
  /** The schema of a response with the fields of each record at its top, if they are elsewhere. */
  readonly records?: Schema;
  /**
   * The schema of each item of a sequence, such as a line of `application/jsonl` (OpenAPI 3.2,
   * section 4.14.3).
   */
  readonly itemSchema?: Schema | undefined;
  /** How members of a form are serialised, by name; undefined if the contract does not say. */
  readonly encoding?: ReadonlyMap<string, MemberEncoding> | undefined;
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

/**
 * How one member of a form is serialised (OpenAPI 3.1, section 4.8.15). If `style` or `explode` is
 * given, `contentType` is ignored.
 */
export interface MemberEncoding {
  /** Media types and ranges, divided by commas. */
  readonly contentType?: string | undefined;
  readonly style?: ParameterStyle | undefined;
  readonly explode?: boolean | undefined;
}

/** One documented response of an operation (OpenAPI 3.1, section 4.8.17). */
export interface ResponseSpec {
  /** `'200'`, `'2XX'` or `'default'`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly HeaderSpec[];
  /** Empty if the contract documents no body. */
  readonly content: readonly MediaTypeSpec[];
  readonly links: readonly Link[];
  /** Of a refusal that another status carries, the status that is sent: 200 with `ok: false`. */
  readonly sentAs?: string;
  readonly pointer: Pointer;
}

/** One documented header of a response (OpenAPI 3.1, section 4.8.21). */
export type HeaderSpec = Omit<
  Parameter,
  'in' | 'carried' | 'deprecated' | 'allowReserved' | 'allowEmptyValue' | 'wholeQuery' | 'facts'
>;

/** From a response to the operation that takes values from it (OpenAPI 3.1, section 4.8.20). */
export interface Link {
  readonly name: string;
  /** The operation's id; undefined if the contract has no such operation. */
  readonly operationId?: string | undefined;
  /** Parameter name to runtime expression (`$response.body#/id`) or constant. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  readonly pointer: Pointer;
}

/** A request that the service sends to another server: a webhook or a callback. */
export interface OutgoingOperation extends Pick<
  Operation,
  'method' | 'summary' | 'parameters' | 'requestBody' | 'pointer'
> {
  /** The webhook's name, or the callback's; it may have several methods. */
  readonly name: string;
  /** The documented responses of the server that receives the request. */
  readonly responses: readonly ResponseSpec[];
}

/**
 * A request that the service makes because an operation was called (OpenAPI 3.1, section 4.8.18).
 */
export interface Callback extends OutgoingOperation {
  /** The target: a runtime expression, or a URL with such expressions in braces. */
  readonly url: string;
}

/** What operations can do to a service, from the least to the most. */
export const effects = [
  'reads',
  'creates one',
  'changes one',
  'deletes one',
  'acts on one',
  'acts',
  'sweeps',
] as const;

/**
 * What an operation does to the service. `changes one`, `deletes one` and `acts on one` concern the
 * record that the request names. `acts` names no record: it sends a message, runs a query or logs
 * in. `sweeps` may touch records that the request does not name, or the whole service.
 */
export type Effect = (typeof effects)[number];

/** The effect of an operation, and what it was read from. */
export interface EffectReading {
  readonly operation: Operation;
  readonly effect: Effect;
  /** `contract`: `x-vouch-effect` says it. `inferred`: method, path and words say it. */
  readonly source: 'inferred' | 'contract' | 'configuration';
  /** A clause that starts with a lower-case letter. */
  readonly why: string;
  /** Optional parameters by which an operation that reads does more, each with a clause. */
  readonly acting?: ReadonlyMap<string, string>;
}

/**
 * Effects that the configuration gives to operations, by operation id. They override inferred
 * effects.
 */
export type EffectOverrides = Readonly<Record<string, Effect>>;

/** The effect of that name, spelled with spaces or with hyphens; undefined for an unknown name. */
export function effectNamed(text: string): Effect | undefined {
  const plain = text.trim().toLowerCase().replaceAll('-', ' ');
  return effects.find((effect) => effect === plain);
}

/**
 * The parameter that makes an operation safe to retry: the header `Idempotency-Key`, or the query
 * parameter `request_id` of a change (AIP-155); undefined if it declares none.
 */
export function idempotencyKey({
  method,
  parameters,
}: Pick<Operation, 'method' | 'parameters'>): Parameter | undefined {
  return parameters.find(
    (parameter) => isIdempotencyKey(parameter) && (parameter.in === 'header' || method !== 'GET'),
  );
}

/**
 * Whether a parameter is an idempotency key: a repeated key marks a repeated request, so every
 * request needs its own.
 */
export function isIdempotencyKey({ in: location, name }: Pick<Parameter, 'in' | 'name'>): boolean {
  if (location === 'query') return name === 'request_id' || name === 'requestId';
  return location === 'header' && /^(x-)?idempotency[-_]?key$/i.test(name);
}

/**
 * Whether a request without a parameter must be refused: generators require parameters with a
 * default, too, which a service fills in.
 */
export function isNeeded({ in: location, required, schema }: Parameter): boolean {
  return required && location !== 'path' && schema.flatten().node.default === undefined;
}

/**
 * Whether a parameter is the tag without which a change is refused: `If-Match` that is required, by
 * its declaration or by a 428 (RFC 6585, section 3).
 */
export function isTagNeeded(
  { method, responses }: Pick<Operation, 'method' | 'responses'>,
  { in: location, name, required }: Parameter,
): boolean {
  const isTag = location === 'header' && name.toLowerCase() === 'if-match' && method !== 'GET';
  return isTag && (required || responses.some(({ status }) => status === '428'));
}

/** The method and the path by which requests reach an operation. */
export function sentForm({
  wire,
  method,
  path,
}: Pick<Operation, 'wire' | 'method' | 'path'>): Pick<Operation, 'method' | 'path'> {
  return wire === undefined ? { method, path } : { method: wire.method, path: wire.path };
}

/** The schema of an operation's request body: as JSON, otherwise in another media type. */
export function bodySchema({ requestBody }: Pick<Operation, 'requestBody'>): Schema | undefined {
  const contents = requestBody?.content ?? [];
  return (
    contents.find(({ mediaType, schema }) => schema !== undefined && isJsonMediaType(mediaType)) ??
    contents.find(({ schema }) => schema !== undefined)
  )?.schema;
}

/** Whether an example is one of `examples`; the one under `example` has no name of its own. */
export function isNamedExample({ pointer }: Pick<Example, 'pointer'>): boolean {
  return !pointer.endsWith('/example');
}

/** The names of the examples that a document shows of the requests of an operation. */
export function namedRequests({
  parameters,
  requestBody,
}: Pick<Operation, 'parameters' | 'requestBody'>): ReadonlySet<string> {
  const shown = [...parameters, ...(requestBody?.content ?? [])];
  return new Set(
    shown.flatMap(({ examples }) => examples.filter(isNamedExample).map(({ name }) => name)),
  );
}

/**
 * The values that a document shows for a parameter: its examples, those of its schema, and the
 * default last. They may be invalid.
 */
export function shownValues({
  examples,
  schema,
}: Pick<Parameter, 'examples' | 'schema'>): JsonValue[] {
  const { node } = schema.flatten();
  const usual = node.default === undefined ? [] : [node.default];
  return [...examples.map(({ value }) => value), ...shownBy(node), ...usual];
}
/**
 * Whether an operation always requires a credential: it has requirements, and none of them is empty
 * (OpenAPI 3.1, section 4.8.30).
 */
export function isSecured(operation: Operation): boolean {
  return (
    operation.security.length > 0 &&
    operation.security.every((requirement) => requirement.length > 0)
  );
}

/**
 * Whether an operation documents a refusal of invalid input: 400, 422, `4XX` or `default`. `also`:
 * further statuses that a refusal may have, such as 404 for a reference to no record.
 */
export function documentsRefusal(
  { responses }: Pick<Operation, 'responses'>,
  also: readonly string[] = [],
): boolean {
  return responses.some(({ status }) => [...refusals, ...also].includes(status));
}

const refusals = ['400', '422', '4XX', 'default'];

/** Whether an operation documents an error that a missing record may have: 404, or any. */
export function documentsNotFound({ responses }: Pick<Operation, 'responses'>): boolean {
  return responses.some(({ status }) => ['404', '4XX', 'default'].includes(status));
}

/**
 * Whether an operation documents a refusal of an invalid path, as distinct from a missing record:
 * 400 or 422, where the path is all that a request can have wrong.
 */
export function documentsInvalidPath({
  parameters,
  requestBody,
  responses,
}: Pick<Operation, 'parameters' | 'requestBody' | 'responses'>): boolean {
  return (
    requestBody === undefined &&
    parameters.every(({ in: location }) => location === 'path') &&
    responses.some(({ status }) => status === '400' || status === '422')
  );
}

import type { Place } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import type { EffectReading } from './effect-model.ts';
import type { Gap, Inference, Resource, Unplaced } from './resource-model.ts';
import type { Schema } from './schema-model.ts';
import type { SecurityRequirement, SecurityScheme } from './security-model.ts';

export * from './effect-model.ts';
export * from './resource-model.ts';
export type * from './schema-model.ts';
export type * from './security-model.ts';

/** The version family of the document that a contract was read from. */
export type Dialect = '2.0' | '3.0' | '3.1' | '3.2';

/**
 * The methods that a path item can declare, in upper case (RFC 9110, section 9; OpenAPI 3.1,
 * section 4.8.9).
 */
export const methods = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
  'QUERY',
] as const;
/**
 * One of these, or another that `additionalOperations` names (OpenAPI 3.2, section 4.9). Case
 * counts.
 */
export type Method = (typeof methods)[number] | (string & {});

/** A part of the document of another kind than OpenAPI wants, such as a list for an object. */
export interface DocumentFault {
  readonly pointer: Pointer;
  /** One sentence: what has to be there, and what is. */
  readonly message: string;
  readonly place: Place;
}

/**
 * An OpenAPI document as vouch's own model of it: references followed, defaults filled in, schemas
 * in one dialect (JSON Schema 2020-12). Nothing after `contract/build` reads the raw document.
 */
export interface Contract {
  readonly title: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** Where the document was read from, as it was named: a path, or `<inline>`. */
  readonly file: string;
  /**
   * The absolute paths of everything that was read, the document first; empty for a document that
   * is no file.
   */
  readonly files: readonly string[];
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  /**
   * Requests that the service makes of its own accord, not upon one of its operations (OpenAPI 3.1,
   * section 4.8.1). Read when first asked for.
   */
  readonly webhooks: readonly OutgoingOperation[];
  readonly tags: readonly Tag[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /**
   * What belongs together, read when it is first asked for; `resources` and `unplaced` are its own.
   */
  readonly inference: Inference;
  readonly resources: readonly Resource[];
  /** Operations that belong to no resource, and why. */
  readonly unplaced: readonly Unplaced[];
  readonly gaps: readonly Gap[];
  /** What each operation does to the service. Read when first asked for. */
  readonly effects: ReadonlyMap<Operation, EffectReading>;
  /**
   * The raw document: for tools that want OpenAPI itself (Prism, the documentation page), never for
   * reading meaning.
   */
  readonly document: JsonObject;
  /** The same without what is of the wrong kind: what the model is read from. */
  readonly soundDocument: JsonObject;
  /** What was left out for that. */
  readonly faults: readonly DocumentFault[];
  /**
   * The place of a pointer in the file (that of its nearest ancestor where the pointer itself is
   * not written there).
   */
  locate(pointer: Pointer): Place;
  /**
   * The lines around a pointer, with line numbers, a `>` before the line and a caret under the
   * column.
   */
  frame(pointer: Pointer): string;
}

/** A word that operations are grouped by (OpenAPI 3.1, section 4.8.22). */
export interface Tag {
  readonly name: string;
  readonly description?: string;
  /** The tag that this one stands under (`parent` in OpenAPI 3.2, `x-parent` before). */
  readonly parent?: string;
}

/**
 * A base URL. `url` has its variables' defaults filled in; `basePath` is its path without a
 * trailing slash (`''` for none).
 */
export interface Server {
  readonly url: string;
  readonly basePath: string;
  /**
   * Every base path that the variables can lead to, by their enumerations: the one of their
   * defaults first.
   */
  readonly basePaths: readonly string[];
  /** `name` (OpenAPI 3.2) or `x-name`: the word by which a person gives this server another URL. */
  readonly name?: string;
  readonly description?: string;
  readonly pointer: Pointer;
}

/** One method on one path. */
export interface Operation {
  /** `operationId`, or `GET /pets` where there is none. Unique. */
  readonly id: string;
  readonly method: Method;
  /** The path template as written, without the server's base path: `/pets/{petId}`. */
  readonly path: string;
  readonly summary?: string;
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
  readonly responses: readonly ResponseSpec[];
  /**
   * Requests that the service makes once this operation has succeeded. Read when first asked for.
   */
  readonly callbacks: readonly Callback[];
  /**
   * Any one of these satisfies; an empty list, or an empty requirement in it, needs no credential.
   */
  readonly security: readonly SecurityRequirement[];
  /** The document's servers, unless the path item or the operation names its own. */
  readonly servers: readonly Server[];
  /** Whether `servers` are its own and not the document's. */
  readonly ownServers: boolean;
  /** `x-…` members as written. */
  readonly extensions: JsonObject;
  readonly pointer: Pointer;
}

/** A request that the service makes and somebody else answers: of a webhook, or of a callback. */
export interface OutgoingOperation {
  /** The webhook's name, or the callback's; it may have several methods. */
  readonly name: string;
  readonly method: Method;
  readonly summary?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody | undefined;
  /** What whoever is asked may answer. */
  readonly responses: readonly ResponseSpec[];
  readonly pointer: Pointer;
}

/**
 * A request that the service makes because an operation was called (OpenAPI 3.1, section 4.8.18).
 */
export interface Callback extends OutgoingOperation {
  /** Where it goes: a runtime expression, or a URL with such expressions in braces. */
  readonly url: string;
}

/** Where in a request a parameter stands (OpenAPI 3.1, section 4.8.12). */
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
  readonly mediaType?: string;
  /**
   * Set where the value, in that media type, is the whole query (`in: querystring` of OpenAPI 3.2).
   */
  readonly wholeQuery?: true;
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

/** A value that the document itself shows, and what it is called there. */
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

/** A body in one media type. No `schema` means that the contract leaves the payload open. */
export interface MediaTypeSpec {
  /** As written, parameters included: `application/json; charset=utf-8`, or a range. */
  readonly mediaType: string;
  readonly schema?: Schema;
  /**
   * What each item of a sequence is, such as a line of `application/jsonl` (OpenAPI 3.2, section
   * 4.14.3).
   */
  readonly itemSchema?: Schema;
  /** How members of a form travel, by name; undefined where the contract says nothing of it. */
  readonly encoding?: ReadonlyMap<string, MemberEncoding>;
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

/**
 * How one member of a form travels (OpenAPI 3.1, section 4.8.15). Where `style` or `explode` is
 * given, `contentType` counts for nothing.
 */
export interface MemberEncoding {
  /** Media types and ranges, divided by commas. */
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
}

/** One documented answer of an operation (OpenAPI 3.1, section 4.8.17). */
export interface ResponseSpec {
  /** `'200'`, `'2XX'` or `'default'`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly HeaderSpec[];
  /** Empty where the contract says nothing of a body. */
  readonly content: readonly MediaTypeSpec[];
  readonly links: readonly Link[];
  readonly pointer: Pointer;
}

/** One documented header of an answer (OpenAPI 3.1, section 4.8.21). */
export interface HeaderSpec {
  readonly name: string;
  readonly required: boolean;
  /** `simple`, unless the document is of Swagger 2.0, which has other delimiters. */
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /**
   * Set where the header is declared by `content`: its value is serialised as this media type, not
   * by style.
   */
  readonly mediaType?: string;
  readonly schema: Schema;
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

/** From a response to the operation that takes values from it (OpenAPI 3.1, section 4.8.20). */
export interface Link {
  readonly name: string;
  /** The operation's id; undefined where the link names one that the contract does not have. */
  readonly operationId?: string;
  /** Parameter name to runtime expression (`$response.body#/id`) or constant. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  readonly pointer: Pointer;
}

import type { Place } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Gap, Resource, Unplaced } from './resource-model.ts';
import type { Schema } from './schema-model.ts';

export * from './resource-model.ts';
export type * from './schema-model.ts';

/** The version family of the document that a contract was read from. */
export type Dialect = '3.0' | '3.1' | '3.2';

/** The methods that a path item can declare, in upper case (RFC 9110, section 9; OpenAPI 3.1, section 4.8.9). */
export const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'] as const;
export type Method = (typeof methods)[number];

/**
 * An OpenAPI document as vouch's own model of it: references followed, defaults filled in, schemas in one dialect
 * (JSON Schema 2020-12). Nothing after `contract/build` reads the raw document.
 */
export interface Contract {
  readonly title: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** Where the document was read from, as it was named: a path, or `<inline>`. */
  readonly file: string;
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  readonly tags: readonly Tag[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  readonly resources: readonly Resource[];
  /** Operations that belong to no resource, and why. */
  readonly unplaced: readonly Unplaced[];
  readonly gaps: readonly Gap[];
  /** The raw document: for tools that want OpenAPI itself (Prism, the documentation page), never for reading meaning. */
  readonly document: JsonObject;
  /** The place of a pointer in the file (that of its nearest ancestor where the pointer itself is not written there). */
  locate(pointer: Pointer): Place;
  /** The lines around a pointer, with line numbers, a `>` before the line and a caret under the column. */
  frame(pointer: Pointer): string;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
  /** The tag that this one stands under (`parent` in OpenAPI 3.2, `x-parent` before). */
  readonly parent?: string;
}

/** A base URL. `url` has its variables' defaults filled in; `basePath` is its path without a trailing slash (`''` for none). */
export interface Server {
  readonly url: string;
  readonly basePath: string;
  /** `x-name`: the word by which a person gives this server another URL. */
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
  readonly requestBody?: RequestBody;
  readonly responses: readonly ResponseSpec[];
  /** Any one of these satisfies; an empty list, or an empty requirement in it, needs no credential. */
  readonly security: readonly SecurityRequirement[];
  /** The document's servers, unless the path item or the operation names its own. */
  readonly servers: readonly Server[];
  /** Whether `servers` are its own and not the document's. */
  readonly ownServers: boolean;
  /** `x-…` members as written. */
  readonly extensions: JsonObject;
  readonly pointer: Pointer;
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';
export type ParameterStyle = 'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

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
  /** Set where the parameter is declared by `content`: its value is serialised as this media type, not by style. */
  readonly mediaType?: string;
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

export interface Example {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

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
  readonly examples: readonly Example[];
  readonly pointer: Pointer;
}

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

export interface HeaderSpec {
  readonly name: string;
  readonly required: boolean;
  readonly explode: boolean;
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

export type SecurityScheme =
  | { readonly kind: 'bearer'; readonly name: string; readonly source: 'http' | 'oauth2' | 'openIdConnect'; readonly pointer: Pointer }
  | { readonly kind: 'basic'; readonly name: string; readonly pointer: Pointer }
  | { readonly kind: 'apiKey'; readonly name: string; readonly in: 'header' | 'query' | 'cookie'; readonly key: string; readonly pointer: Pointer }
  | { readonly kind: 'unsupported'; readonly name: string; readonly type: string; readonly pointer: Pointer };

/** All of these schemes together; an empty list needs no credential. */
export type SecurityRequirement = readonly { readonly scheme: SecurityScheme; readonly scopes: readonly string[] }[];

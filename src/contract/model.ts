import type { Place } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';

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

/** A JSON Schema 2020-12 node, as the contract holds it: dialects converted, `$ref`s kept. */
export type SchemaNode = boolean | SchemaObject;
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly format?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** Which way a body travels: `readOnly` is not asked for in requests, `writeOnly` is not shown in responses. */
export type Direction = 'request' | 'response';

/** A schema with its place in the contract. */
export interface Schema {
  readonly pointer: Pointer;
  readonly node: SchemaNode;
  /** Every way in which a value breaks the schema; empty when it keeps it. Never throws for a value. */
  validate(value: JsonValue, direction: Direction): SchemaIssue[];
  /** The node behind a chain of `$ref`s, with the pointer where it is written. A plain node is its own answer. */
  follow(node: SchemaNode, pointer: Pointer): LocatedNode;
  /**
   * The schema as one plain view: `$ref`s followed and `allOf` merged at the top level, so that `type`, `properties`,
   * `required`, `enum` and bounds can be read. `oneOf`/`anyOf` are left for the reader.
   */
  flatten(node?: SchemaNode, pointer?: Pointer): FlatSchema;
  /** A part of this schema, such as the items of an array, as a schema of its own. */
  part(place: LocatedNode): Schema;
}

export interface LocatedNode {
  readonly node: SchemaNode;
  readonly pointer: Pointer;
}

/** A flattened schema: the merged node, and each property with the pointer where it is written. */
export interface FlatSchema {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
  /** The JSON types that a value may have; all seven where the schema names none. */
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, LocatedNode>;
  readonly required: ReadonlySet<string>;
}

/** One rule of a schema that a value breaks. */
export interface SchemaIssue {
  /** Where in the value: a JSON Pointer. */
  readonly at: Pointer;
  /** The keyword that is broken: `required`, `enum`, `type`, … */
  readonly keyword: string;
  /** Where in the contract that keyword stands. */
  readonly pointer: Pointer;
  /** A clause without a subject: `must be one of available, pending, sold`. */
  readonly message: string;
  /** For `required` and `additionalProperties`: the property concerned. */
  readonly property?: string;
}

export type ResourceAction = 'list' | 'create' | 'read' | 'replace' | 'update' | 'delete';

/** Operations that belong to one kind of record, as inferred from the contract. */
export interface Resource {
  /** From the collection's path: `pets`, `owners.pets`. Unique; also the name of its collection in the store. */
  readonly name: string;
  readonly operations: { readonly [action in ResourceAction]?: Operation };
  /** The path of the collection (`/pets`) and, where there is one, of an item (`/pets/{petId}`). */
  readonly collectionPath: string;
  readonly itemPath?: string;
  readonly identifier: Identifier;
  /** What a record looks like in responses. */
  readonly record: Schema;
  readonly list?: ListShape;
  /** What was inferred and from what, one sentence a line. */
  readonly why: readonly string[];
}

export interface Identifier {
  /** The record's field: `id`. */
  readonly field: string;
  /** The path parameter that carries it: `petId`. */
  readonly parameter?: string;
  readonly type: 'integer' | 'string';
  readonly format?: string;
}

/** How a list answers and what its query parameters mean. */
export interface ListShape {
  /** Where in the body the records sit: `''` for a bare array, `/data` for an envelope. */
  readonly records: Pointer;
  readonly filters: readonly Filter[];
  readonly limit?: Limit;
}

/** A query parameter that bears a record field's name and a fitting type. */
export interface Filter {
  readonly parameter: Parameter;
  readonly field: string;
}

export interface Limit {
  readonly parameter: Parameter;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface Unplaced {
  readonly operation: Operation;
  readonly why: string;
}

/** The kinds of silence that vouch looks for. */
export const gapKinds = [
  'refusal-undocumented',
  'success-open',
  'payload-open',
  'default-unknown',
  'unauthorised-undocumented',
  'paging-unknown',
  'text-unbounded',
] as const;
export type GapKind = (typeof gapKinds)[number];

/** A place where the contract is silent. */
export interface Gap {
  readonly kind: GapKind;
  /** A word that stays the same as long as the silence does: `createPet.body.status.default`. */
  readonly id: string;
  readonly operation?: Operation;
  readonly message: string;
  readonly pointer: Pointer;
}

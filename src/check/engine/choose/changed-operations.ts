import { createHash } from 'node:crypto';
import type {
  Contract,
  HeaderSpec,
  MediaTypeSpec,
  Operation,
  Parameter,
  ResponseSpec,
  Schema,
  SchemaNode,
  SecurityRequirement,
} from '../../../contract/model.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';

/**
 * The ids of the operations of a contract that are new or changed since an earlier version of it,
 * in the order of the contract.
 */
export function changedOperations(before: Contract, after: Contract): string[] {
  const [earlier, later] = [new Fingerprints(), new Fingerprints()];
  const known = new Map(
    before.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return after.operations
    .filter((operation) => {
      const old = known.get(`${operation.method} ${operation.path}`);
      return old === undefined || earlier.of(old) !== later.of(operation);
    })
    .map(({ id }) => id);
}

/** Annotations for people: a change in them requires no change of a deployment. */
const annotations = new Set([
  'description',
  'title',
  'summary',
  '$comment',
  'externalDocs',
  'examples',
  'example',
]);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const values = new Set(['enum', 'const', 'default', 'required', 'type', 'dependentRequired']);

/** How many references are followed, one inside the other: a schema may refer to itself. */
const deepest = 24;

/**
 * Digests of operations, with everything that they refer to. Two are equal if a client sees no
 * difference: locations, the order of members and descriptions do not count.
 */
class Fingerprints {
  readonly #known = new Map<string, string>();

  /** The digest of one operation, with the parameters, servers and security that it inherits. */
  of(operation: Operation): string {
    return digest([
      operation.method,
      operation.path,
      operation.deprecated,
      operation.sunset,
      sorted(operation.parameters.map((parameter) => this.#parameter(parameter))),
      operation.requestBody && [
        operation.requestBody.required,
        this.#content(operation.requestBody.content),
      ],
      sorted(operation.responses.map((response) => this.#response(response))),
      sorted(operation.security.map(describeRequirement)),
      // The document's own servers are replaced by the URL that is checked.
      operation.ownServers ? operation.servers.map(({ url, name }) => [url, name]) : [],
    ]);
  }

  #parameter(parameter: Parameter): string {
    return digest([
      parameter.name,
      parameter.in,
      parameter.required,
      parameter.style,
      parameter.explode,
      parameter.allowReserved,
      parameter.allowEmptyValue,
      parameter.mediaType,
      parameter.wholeQuery,
      this.#schema(parameter.schema),
    ]);
  }

  #content(content: readonly MediaTypeSpec[]): string[] {
    return sorted(
      content.map(({ mediaType, schema, itemSchema, encoding }) =>
        digest([
          mediaType,
          schema && this.#schema(schema),
          itemSchema && this.#schema(itemSchema),
          encoding &&
            [...encoding].map(([name, how]) => [name, how.contentType, how.style, how.explode]),
        ]),
      ),
    );
  }

  #response({ status, headers, content }: ResponseSpec): string {
    return digest([
      status,
      sorted(headers.map((header) => this.#header(header))),
      this.#content(content),
    ]);
  }

  #header({ name, required, style, explode, mediaType, schema }: HeaderSpec): string {
    return digest([name.toLowerCase(), required, style, explode, mediaType, this.#schema(schema)]);
  }

  #schema(schema: Schema, depth = deepest): string {
    return this.#node(schema, schema.node, depth);
  }

  /** A schema that only has a `$ref` equals its target. */
  #node(schema: Schema, node: SchemaNode, depth: number): string {
    if (typeof node === 'boolean') return String(node);
    const members = Object.entries(node).filter(
      ([keyword]) => keyword !== '$ref' && !annotations.has(keyword),
    );
    const described = members
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([keyword, value]) => [keyword, this.#member(schema, keyword, value, depth)]);
    if (node.$ref === undefined) return digest(described);
    const referred = this.#referred(schema, node, depth);
    return described.length === 0 ? referred : digest([described, referred]);
  }

  #member(schema: Schema, keyword: string, value: unknown, depth: number): unknown {
    // A keyword of a schema holds JSON: the model has it as it was written.
    const json = value as JsonValue;
    if (values.has(keyword))
      return keyword === 'required' && Array.isArray(json)
        ? sorted(json.map(String))
        : stringifyJson(json);
    if (maps.has(keyword) && isJsonObject(json))
      return Object.entries(json)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, node]) => [name, this.#part(schema, node, depth)]);
    return this.#part(schema, json, depth);
  }

  #part(schema: Schema, value: JsonValue, depth: number): unknown {
    if (Array.isArray(value))
      return value.map((item: JsonValue) => this.#part(schema, item, depth));
    // An object under a keyword is a schema, or can be compared like one.
    return isJsonObject(value) ? this.#node(schema, value, depth) : stringifyJson(value);
  }

  #referred(schema: Schema, node: SchemaNode, depth: number): string {
    if (depth === 0) return '…';
    const { node: target, pointer } = schema.follow({ node, pointer: schema.pointer });
    const key = `${String(depth)} ${pointer}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#node(schema, target, depth - 1);
    this.#known.set(key, made);
    return made;
  }
}

function describeRequirement(requirement: SecurityRequirement): string {
  return digest(
    sorted(
      requirement.map(({ scheme, scopes }) =>
        digest([
          scheme.kind,
          scheme.kind === 'apiKey'
            ? [scheme.in, scheme.key]
            : scheme.kind === 'http'
              ? scheme.scheme
              : '',
          sorted(scopes),
        ]),
      ),
    ),
  );
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function digest(parts: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(parts) ?? '')
    .digest('base64url')
    .slice(0, 22);
}

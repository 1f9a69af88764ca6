import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isNode, type Node } from './read-documents.ts';

/** Judges values by schemas of one document with Ajv alone. */
export interface SchemaJudge {
  /** The first thing that is wrong with a value, or undefined. */
  fault(schema: unknown, value: unknown, direction: 'request' | 'response'): string | undefined;
}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/**
 * A judge over a document whose references are local. Keywords of Swagger 2.0 and OpenAPI 3.0 are
 * rewritten as JSON Schema 2020-12, what is no JSON Schema is left out, and members that are not
 * shown in a direction are not required there.
 */
export function makeJudge(document: Node): SchemaJudge {
  const judges = {
    request: judgeOf(document, 'writeOnly'),
    response: judgeOf(document, 'readOnly'),
  };
  return {
    fault: (schema, value, direction) => judges[direction](schema, value),
  };
}

function judgeOf(document: Node, shown: 'readOnly' | 'writeOnly') {
  const isNew = /^3\.[12]/.test(String(document['openapi']));
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    // `url` is no format of JSON Schema, and Ajv's knows no address of this machine.
    formats: { ...fullFormats, url: fullFormats.uri },
    multipleOfPrecision: 9,
  });
  const hidden = shown === 'readOnly' ? 'writeOnly' : 'readOnly';
  ajv.addSchema({ ...(rewrite(document, { isNew, hidden }) as Node), $id: 'document' });
  const compiled = new Map<unknown, ValidateFunction | string>();
  return (schema: unknown, value: unknown): string | undefined => {
    let validate = compiled.get(schema);
    if (validate === undefined)
      compiled.set(schema, (validate = compile(ajv, rewrite(schema, { isNew, hidden }, true))));
    if (typeof validate === 'string') return undefined;
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${(error?.instancePath ?? '').replaceAll(/\d+/g, 'n')} ${error?.message ?? ''}`.trim();
  };
}

function compile(ajv: Ajv2020, schema: unknown): ValidateFunction | string {
  try {
    return ajv.compile(schema as object);
  } catch (error) {
    return String(error);
  }
}

interface Rewriting {
  readonly isNew: boolean;
  readonly hidden: 'readOnly' | 'writeOnly';
}

/** `isAlone` for a schema outside the document, whose references name it. */
function rewrite(value: unknown, how: Rewriting, isAlone = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, how, isAlone));
  if (!isNode(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    const own = { $ref: isAlone ? `document${reference}` : reference };
    return how.isNew ? { ...(rewrite(without(value, '$ref'), how, isAlone) as Node), ...own } : own;
  }
  const result: Node = {};
  for (const [key, member] of Object.entries(value)) {
    if (['example', 'examples', 'default', 'xml', 'discriminator', 'externalDocs'].includes(key))
      continue;
    if (['enum', 'const', 'required', 'type', 'pattern'].includes(key)) result[key] = member;
    else result[key] = rewrite(member, how, isAlone);
  }
  return isSchemaLike(value) ? tidy(result, value, how) : result;
}

function without(node: Node, key: string): Node {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key));
}

function isSchemaLike(node: Node): boolean {
  return [
    'type',
    'properties',
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'enum',
    'format',
    'nullable',
    'required',
    'pattern',
  ].some((key) => key in node);
}

/** Removes what Ajv cannot compile or would read otherwise than OpenAPI does. */
function tidy(schema: Node, written: Node, { isNew, hidden }: Rewriting): Node {
  const type = schema['type'];
  if (typeof type === 'string' && !types.includes(type)) delete schema['type'];
  if (!Array.isArray(schema['required']) || 'in' in written) delete schema['required'];
  else schema['required'] = required(schema['required'] as unknown[], written, hidden);
  for (const side of ['Minimum', 'Maximum']) bound(schema, side);
  for (const key of ['pattern', 'format']) if (typeof schema[key] !== 'string') delete schema[key];
  if (typeof schema['pattern'] === 'string' && !isPattern(schema['pattern']))
    delete schema['pattern'];
  for (const key of ['allOf', 'oneOf', 'anyOf', 'enum'])
    if (!Array.isArray(schema[key]) || schema[key].length === 0) delete schema[key];
  if (Array.isArray(schema['items'])) {
    schema['prefixItems'] = schema['items'];
    delete schema['items'];
  }
  if ('properties' in schema && !isNode(schema['properties'])) delete schema['properties'];
  const isNullable = !isNew && (written['nullable'] === true || written['x-nullable'] === true);
  if (isNullable && typeof schema['type'] === 'string') {
    schema['type'] = [schema['type'], 'null'];
    if (Array.isArray(schema['enum'])) schema['enum'] = [...(schema['enum'] as unknown[]), null];
  }
  delete schema['nullable'];
  return schema;
}

function required(names: readonly unknown[], { properties }: Node, hidden: string): unknown[] {
  const members = isNode(properties) ? properties : {};
  return names.filter((name) => {
    const member = members[String(name)];
    return typeof name === 'string' && !(isNode(member) && member[hidden] === true);
  });
}

function bound(schema: Node, side: string): void {
  const exclusive = schema[`exclusive${side}`];
  if (typeof exclusive !== 'boolean') return;
  delete schema[`exclusive${side}`];
  const plain = side.toLowerCase();
  if (!exclusive || schema[plain] === undefined) return;
  schema[`exclusive${side}`] = schema[plain];
  delete schema[plain];
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

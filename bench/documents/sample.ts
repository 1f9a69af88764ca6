import { generate, type JsonSchema } from 'json-schema-faker';
import { follow, isNode, type Node } from './read-documents.ts';
import type { SchemaJudge } from './schemas.ts';

/** Makes values that requests send: examples first, then the least that a schema requires. */
export class Sampler {
  readonly #document: Node;
  readonly #judge: SchemaJudge;

  constructor(document: Node, judge: SchemaJudge) {
    this.#document = document;
    this.#judge = judge;
  }

  /** A value that Ajv accepts, or undefined where none was found. */
  async valid(schema: unknown, examples: readonly unknown[] = []): Promise<unknown> {
    const isValid = (value: unknown): boolean =>
      value !== undefined && this.#judge.fault(schema, value, 'request') === undefined;
    for (const value of [...examples, this.make(schema), this.make(schema, 0, true)])
      if (isValid(value)) return value;
    return this.#faked(schema, isValid);
  }

  async #faked(schema: unknown, isValid: (value: unknown) => boolean): Promise<unknown> {
    const inlined = this.#inline(schema, 6);
    for (let seed = 1; seed <= 5; seed += 1) {
      const value: unknown = await Promise.resolve()
        .then(() => generate(inlined as JsonSchema, { seed }))
        .catch(() => undefined);
      if (isValid(value)) return value;
    }
    return undefined;
  }

  /** References written out, down to a depth. */
  #inline(schema: unknown, depth: number): unknown {
    if (depth === 0) return {};
    const node = follow(this.#document, schema);
    if (Array.isArray(node)) return (node as unknown[]).map((item) => this.#inline(item, depth));
    if (!isNode(node)) return node;
    return Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !['example', 'examples', 'xml', 'description'].includes(key))
        .map(([key, member]) => [
          key,
          ['properties', 'items', 'allOf', 'oneOf', 'anyOf', 'additionalProperties'].includes(key)
            ? this.#inlineMembers(member, depth - 1)
            : member,
        ]),
    );
  }

  #inlineMembers(member: unknown, depth: number): unknown {
    if (!isNode(member) || '$ref' in member || 'type' in member) return this.#inline(member, depth);
    return Object.fromEntries(
      Object.entries(member).map(([key, value]) => [key, this.#inline(value, depth)]),
    );
  }

  /** The value that a schema shows, or a plain one of its type. */
  make(schema: unknown, depth = 0, isWhole = false): unknown {
    const node = follow(this.#document, schema);
    if (!isNode(node) || depth > 12) return depth > 12 ? undefined : {};
    for (const shown of [
      node['example'],
      first(node['examples']),
      node['default'],
      node['const'],
      first(node['enum']),
    ])
      if (shown !== undefined && (shown !== null || node['nullable'] === true)) return shown;
    if (Array.isArray(node['allOf'])) return this.#all(node, depth, isWhole);
    for (const key of ['oneOf', 'anyOf']) {
      const branches = node[key];
      if (Array.isArray(branches))
        return merged(
          this.#plain({ ...node, type: node['type'] ?? 'object' }, depth, isWhole),
          this.make(branches[0], depth + 1, isWhole),
        );
    }
    return this.#plain(node, depth, isWhole);
  }

  #all(node: Node, depth: number, isWhole: boolean): unknown {
    const parts = [...(node['allOf'] as unknown[]), { ...node, allOf: undefined }];
    return parts.map((part) => this.make(part, depth + 1, isWhole)).reduce(merged);
  }

  #plain(node: Node, depth: number, isWhole: boolean): unknown {
    switch (typeOf(node)) {
      case 'string':
        return text(node);
      case 'integer':
      case 'number':
        return number(node);
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array': {
        const count = Math.max(Number(node['minItems'] ?? 0), 1);
        const items = Array.from({ length: Math.min(count, 5) }, () =>
          this.make(node['items'] ?? {}, depth + 1, isWhole),
        );
        return items.includes(undefined) ? [] : items;
      }
      default:
        return this.#object(node, depth, isWhole);
    }
  }

  #object(node: Node, depth: number, isWhole: boolean): unknown {
    const properties = isNode(node['properties']) ? node['properties'] : {};
    const required = Array.isArray(node['required']) ? (node['required'] as unknown[]) : [];
    const result: Node = {};
    for (const [name, member] of Object.entries(properties)) {
      const target = follow(this.#document, member);
      if (isNode(target) && target['readOnly'] === true) continue;
      if (!required.includes(name) && !(isWhole && depth < 2)) continue;
      const value = this.make(member, depth + 1, isWhole);
      if (value !== undefined) result[name] = value;
    }
    for (const name of required) if (!(String(name) in properties)) result[String(name)] = 'text';
    return result;
  }
}

function first(values: unknown): unknown {
  return Array.isArray(values) ? (values as unknown[])[0] : undefined;
}

function typeOf(node: Node): unknown {
  const { type } = node;
  if (Array.isArray(type)) return (type as unknown[]).find((each) => each !== 'null');
  if (type !== undefined) return type;
  if ('properties' in node || 'additionalProperties' in node) return 'object';
  return 'items' in node
    ? 'array'
    : 'pattern' in node || 'format' in node || 'maxLength' in node
      ? 'string'
      : 'object';
}

function merged(left: unknown, right: unknown): unknown {
  if (isNode(left) && isNode(right)) return { ...left, ...right };
  return isNode(left) && Object.keys(left).length === 0
    ? right
    : right === undefined || (isNode(right) && Object.keys(right).length === 0)
      ? left
      : right;
}

const formats: Readonly<Record<string, string>> = {
  date: '2030-05-17',
  'date-time': '2030-05-17T10:30:00Z',
  time: '10:30:00Z',
  email: 'ada@example.com',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'dGV4dA==',
  duration: 'P1D',
  int64: '1',
  int32: '1',
};

function text(node: Node): string {
  const format = formats[String(node['format'])];
  if (format !== undefined) return format;
  const least = Number(node['minLength'] ?? 0);
  const max = Number(node['maxLength'] ?? Infinity);
  return 'text'
    .repeat(Math.ceil(Math.min(Math.max(least, 4), 10_000) / 4))
    .slice(0, Math.min(Math.max(least, 4), max));
}

function number(node: Node): number {
  const least = Number(node['minimum'] ?? node['exclusiveMinimum'] ?? 1);
  const step = Number(node['multipleOf'] ?? 1);
  const isOpen = node['exclusiveMinimum'] !== undefined && node['exclusiveMinimum'] !== false;
  const lowest = Number.isFinite(least)
    ? Math.max(least, Math.min(1, Number(node['maximum'] ?? 1)))
    : 1;
  return Math.ceil(lowest / step) * step + (isOpen && lowest === least ? step : 0);
}

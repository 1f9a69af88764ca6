import type { ForeignOperation, ForeignParameter } from './operations.ts';
import { isNode } from './read-documents.ts';
import type { Sampler } from './sample.ts';

/** A request that was sent, and its response; or why none was sent. */
export type OperationExchange =
  | {
      readonly status: number;
      readonly mediaType: string;
      readonly text: string;
      readonly target: string;
      /** Whether each identifier in the path is one that an answer of the server shows. */
      readonly isShown: boolean;
    }
  | { readonly unsent: string };

/** Sends one valid request of each operation to a server, with identifiers of records it shows. */
export class Asker {
  readonly #base: string;
  readonly #operations: readonly ForeignOperation[];
  readonly #sampler: Sampler;
  /** Identifiers by the path of what they identify. */
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(base: string, operations: readonly ForeignOperation[], sampler: Sampler) {
    this.#base = base;
    this.#operations = operations;
    this.#sampler = sampler;
  }

  async ask(operation: ForeignOperation): Promise<OperationExchange> {
    const exchange = await this.#send(operation, 0);
    if (operation.method === 'DELETE' || operation.method === 'PUT') this.#known.clear();
    return exchange;
  }

  async #send(operation: ForeignOperation, depth: number): Promise<OperationExchange> {
    const values = await this.#pathValues(operation, depth);
    const query = new URLSearchParams();
    const headers = new Headers({ accept: '*/*' });
    for (const parameter of operation.parameters) {
      if (parameter.in === 'path' || !parameter.isRequired) continue;
      const value = await this.#sampler.valid(parameter.schema, parameter.examples);
      if (value === undefined) return { unsent: `no value of the parameter ${parameter.name}` };
      place(parameter, value, { query, headers });
    }
    const filled = await this.#fill(operation, values);
    if (filled === undefined) return { unsent: 'no value of a path parameter' };
    const { path, isShown } = filled;
    const body = await this.#body(operation);
    if (body === 'none') return { unsent: 'no valid body' };
    if (body?.mediaType !== undefined) headers.set('content-type', body.mediaType);
    const search = query.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${query.toString()}`;
    const target = `${path.split('#')[0] ?? ''}${search}`;
    const base =
      operation.base === undefined ? this.#base : new URL(this.#base).origin + operation.base;
    const response = await fetch(base + target, {
      method: operation.method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: body.content }),
    });
    const text = await response.text();
    return {
      status: response.status,
      mediaType: response.headers.get('content-type') ?? '',
      text,
      target,
      isShown,
    };
  }

  /** An example of the parameter, an identifier that the server shows, or a value that is made. */
  async #pathValues(operation: ForeignOperation, depth: number): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    if (depth > 4) return values;
    let prefix = '';
    for (const segment of operation.path.split('/').slice(1)) {
      const name = /\{([^{}]+)\}/.exec(segment)?.[1];
      if (name !== undefined) {
        const id = await this.#identifier(prefix, name, depth);
        if (id !== undefined) values.set(name, id);
      }
      prefix += `/${segment}`;
    }
    return values;
  }

  #identifier(collection: string, name: string, depth: number): Promise<unknown> {
    const key = `${collection} ${name}`;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = this.#find(collection, name, depth)));
    return known;
  }

  async #find(collection: string, name: string, depth: number): Promise<unknown> {
    const plain = (path: string): string =>
      path.replace(/\/$|\.[a-z]+$/, '').replaceAll(/\{[^{}]*\}/g, '{}');
    for (const method of ['GET', 'POST']) {
      const source = this.#operations.find(
        (each) => each.method === method && plain(each.path) === plain(collection),
      );
      const exchange = source && (await this.#send(source, depth + 1).catch(() => undefined));
      if (exchange === undefined || 'unsent' in exchange || exchange.status >= 300) continue;
      const id = identifierIn(parsed(exchange.text), name, collection);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  async #fill(
    operation: ForeignOperation,
    values: ReadonlyMap<string, unknown>,
  ): Promise<{ path: string; isShown: boolean } | undefined> {
    let path = operation.path;
    let isShown = true;
    for (const parameter of operation.parameters.filter((each) => each.in === 'path')) {
      const found = await this.#sampler.valid(
        parameter.schema,
        fitting(parameter, values.get(parameter.name)),
      );
      if (found === undefined) return undefined;
      isShown &&= String(found) === String(values.get(parameter.name));
      const text = Array.isArray(found)
        ? found.join(',')
        : isNode(found)
          ? JSON.stringify(found)
          : String(found);
      path = path.replaceAll(`{${parameter.name}}`, encodeURIComponent(text));
    }
    return { path: path.replaceAll(/[{}\s]/g, encodeURIComponent), isShown };
  }

  async #body(
    operation: ForeignOperation,
  ): Promise<
    | { mediaType?: string; content: string | FormData | Uint8Array<ArrayBuffer> }
    | 'none'
    | undefined
  > {
    const { body } = operation;
    if (body === undefined || operation.method === 'GET' || operation.method === 'HEAD')
      return undefined;
    const rank = (type: string): number =>
      ['json', 'urlencoded', 'multipart', 'text'].findIndex((word) => type.includes(word)) >>> 0;
    const [content] = body.content.toSorted(
      (left, right) => rank(left.mediaType) - rank(right.mediaType),
    );
    if (content === undefined) return undefined;
    const mediaType = content.mediaType.includes('*') ? 'application/json' : content.mediaType;
    if (!/json|urlencoded|multipart/.test(mediaType)) return { mediaType, content: 'text' };
    const value = await this.#sampler.valid(content.schema ?? {}, content.examples);
    if (value === undefined) return body.isRequired ? 'none' : undefined;
    if (mediaType.includes('json')) return { mediaType, content: JSON.stringify(value) };
    const fields = Object.entries(isNode(value) ? value : {}).flatMap(([name, member]) =>
      (Array.isArray(member) ? (member as unknown[]) : [member]).map(
        (item) =>
          [name, typeof item === 'object' ? JSON.stringify(item) : String(item)] as [
            string,
            string,
          ],
      ),
    );
    if (mediaType.includes('urlencoded'))
      return { mediaType, content: new URLSearchParams(fields).toString() };
    const form = new FormData();
    for (const [name, member] of fields) form.append(name, member);
    return { content: form };
  }
}

/** An identifier may be a number where its path wants text, and the other way round. */
function fitting({ examples, schema }: ForeignParameter, id: unknown): unknown[] {
  const isText = isNode(schema) && schema['type'] === 'string';
  const own = id === undefined ? [] : isText ? [String(id)] : [id, Number(id), String(id)];
  return [...own.filter((value) => value === value), ...examples];
}

function place(
  { name, in: where, separator }: ForeignParameter,
  value: unknown,
  to: { query: URLSearchParams; headers: Headers },
): void {
  const items = Array.isArray(value)
    ? (value as unknown[]).map(String)
    : [isNode(value) ? JSON.stringify(value) : String(value)];
  if (where === 'header') to.headers.set(name, encodeURI(items.join(',')));
  else if (where === 'cookie')
    to.headers.append('cookie', `${name}=${encodeURIComponent(items.join(','))}`);
  else if (where === 'query' && separator === 'multi')
    for (const item of items) to.query.append(name, item);
  else if (where === 'query') to.query.append(name, items.join(separator));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The identifier of the first record that a body shows. */
function identifierIn(body: unknown, name: string, collection: string): unknown {
  const record = firstRecord(body);
  if (record === undefined) return undefined;
  const last = /([A-Za-z]+)\/?$/.exec(collection)?.[1] ?? '';
  const noun = last.replace(/ies$/, 'y').replace(/s$/, '');
  const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const members = new Map(Object.entries(record).map(([key, value]) => [plain(key), value]));
  const find = (...words: string[]): unknown =>
    words
      .map((word) => members.get(plain(word)))
      .find((value) => typeof value === 'string' || typeof value === 'number');
  const link = ['uri', 'href', 'self', 'resourceuri'].map((word) => members.get(word));
  const end = link.map((value) => /^(?:https?:)?\/.*\/([^/?#]+)$/.exec(String(value))?.[1]);
  const tail = name.split(/(?=[A-Z])|_/).at(-1) ?? '';
  return (
    find(
      name,
      name.replace(new RegExp(`_?${noun || '-'}_?`, 'i'), '_'),
      `${noun}id`,
      tail,
      'id',
      '_id',
      'uuid',
      'gid',
    ) ??
    end.find((value) => value !== undefined) ??
    find(`${noun}key`, `${noun}name`, 'key', 'slug', 'code', 'name', 'identifier', 'token')
  );
}

/** The first object in the first list of objects that a body has; else the object that it is. */
function firstRecord(body: unknown): Record<string, unknown> | undefined {
  let level: unknown[] = [body];
  for (let depth = 0; depth < 4; depth += 1) {
    const lists = level.filter((value) => Array.isArray(value)) as unknown[][];
    const record = lists.map(([first]) => first).find(isNode);
    if (record !== undefined) return soleMember(record);
    level = level.filter(isNode).flatMap((value) =>
      Object.entries(value)
        .filter(([key]) => !isAside(key))
        .map(([, member]) => member),
    );
  }
  return isNode(body) ? soleMember(body) : undefined;
}

/** `{ "pet": { … } }` and `{ "data": { … } }` hold a record. */
function soleMember(value: Record<string, unknown>): Record<string, unknown> {
  const hasIdentifier = Object.keys(value).some((key) =>
    /id$|^(key|slug|code|name|token)$/i.test(key),
  );
  const inner = Object.entries(value)
    .filter(([key, member]) => isNode(member) && !isAside(key))
    .map(([, member]) => member as Record<string, unknown>);
  return !hasIdentifier && inner[0] !== undefined ? soleMember(inner[0]) : value;
}

/** Members of an answer that hold no record. */
function isAside(key: string): boolean {
  return /^_?(links|meta|pagination|paging)$/i.test(key);
}

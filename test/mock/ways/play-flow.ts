import { expect } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { headerValue } from '../../../src/http/message.ts';
import { valueAt } from '../../../src/json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../src/json/value.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { expectKept } from '../keeps-contract.ts';
import { jsonOf, mockOf, send, textOf } from '../workshop.ts';

/** The dialects in which every way is tried. */
export const dialects = ['2.0', '3.1'] as const;
export type Dialect = (typeof dialects)[number];

/** One operation, in few words; schemas refer to others as `{ $ref: 'Name' }`. */
export interface ApiOperation {
  readonly call: string;
  readonly id?: string;
  readonly summary?: string;
  /** The types of path parameters that are no texts. */
  readonly path?: Readonly<Record<string, JsonObject>>;
  readonly query?: Readonly<Record<string, JsonObject>>;
  readonly body?: JsonObject;
  /** By status: a schema, or null for no body. */
  readonly answers: Readonly<Record<string, JsonObject | null>>;
  /** Headers of the answers. */
  readonly headers?: readonly string[];
}

export interface Api {
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly operations: readonly ApiOperation[];
}

/** The contract of an API, written in a dialect. */
export function contractOf(api: Api, dialect: Dialect): Contract {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of api.operations) {
    const [method = '', path = ''] = operation.call.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] =
      dialect === '2.0' ? writeSwagger(operation, path) : writeOpenapi(operation, path);
  }
  const info = { title: 'Ways', version: '1' };
  const document: JsonObject =
    dialect === '2.0'
      ? {
          swagger: '2.0',
          info,
          consumes: [json],
          produces: [json],
          paths,
          definitions: api.schemas,
        }
      : { openapi: '3.1.0', info, paths, components: { schemas: api.schemas } };
  const root = dialect === '2.0' ? '#/definitions/' : '#/components/schemas/';
  const text = stringifyJson(document).replaceAll(
    /"\$ref":"(\w+)"/g,
    (_all, name: string) => `"$ref":"${root}${name}"`,
  );
  return parseContract(text, 'ways.json');
}

const json = 'application/json';

function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}

function writeSwagger(operation: ApiOperation, path: string): JsonObject {
  const { id, summary, query = {}, body, answers, headers = [] } = operation;
  return {
    ...(id === undefined ? {} : { operationId: id }),
    ...(summary === undefined ? {} : { summary }),
    parameters: [
      ...pathParameters(path).map((name) => ({
        name,
        in: 'path',
        required: true,
        ...(operation.path?.[name] ?? { type: 'string' }),
      })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', ...schema })),
      ...(body === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema: body }]),
    ],
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        {
          description: 'answer',
          ...(schema === null ? {} : { schema }),
          ...(headers.length === 0
            ? {}
            : { headers: Object.fromEntries(headers.map((name) => [name, { type: 'string' }])) }),
        },
      ]),
    ),
  };
}

function writeOpenapi(operation: ApiOperation, path: string): JsonObject {
  const { id, summary, query = {}, body, answers, headers = [] } = operation;
  const content = (schema: JsonObject): JsonObject => ({ content: { [json]: { schema } } });
  return {
    ...(id === undefined ? {} : { operationId: id }),
    ...(summary === undefined ? {} : { summary }),
    parameters: [
      ...pathParameters(path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: operation.path?.[name] ?? { type: 'string' },
      })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, ...content(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        {
          description: 'answer',
          ...(schema === null ? {} : content(schema)),
          ...(headers.length === 0
            ? {}
            : {
                headers: Object.fromEntries(
                  headers.map((name) => [name, { schema: { type: 'string' } }]),
                ),
              }),
        },
      ]),
    ),
  };
}

/** A request: the call, and a body. `{id}` and names of `before` are filled in. */
export type Step = readonly [call: string, body?: JsonValue];

/** What a client does with one kind of record. */
export interface Flow {
  /** Calls first, whose identifiers are filled in by name. */
  readonly before?: Readonly<Record<string, { readonly step: Step; readonly id: FlowIdentifier }>>;
  readonly create: Step;
  readonly id: FlowIdentifier;
  /** Members that one object of an answer must have. */
  readonly sees: JsonObject;
  readonly listSees?: JsonObject;
  readonly read?: Step;
  readonly list?: Step;
  /** A query under which the list has the record, and one under which it has not. */
  readonly filter?: readonly [call: string, without: string];
  readonly update?: Step;
  readonly updateSees?: JsonObject;
  readonly remove?: Step;
}

/**
 * Where the identifier is in the answer: a pointer, or chosen by the client, or at the end of
 * `Location`, or of a link in the body.
 */
export type FlowIdentifier =
  | { readonly link: string }
  | string
  | { readonly value: string }
  | { readonly location: true }
  | { readonly listed: string };

/** Plays a flow against a mock of a contract; every answer must keep the contract. */
export async function playFlow(contract: Contract, flow: Flow): Promise<void> {
  const mock = await mockOf({ contract, authentication: 'off' });
  const play = new Player(mock, contract);
  for (const [name, { step, id }] of Object.entries(flow.before ?? {}))
    play.names.set(name, play.identifierOf(id, await play.ask(step, true)));
  await playCreate(play, flow);
  await playList(play, flow);
  await playUpdate(play, flow);
  await playRemove(play, flow);
}

interface Said {
  readonly line: string;
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  value(): JsonValue;
}

class Player {
  readonly names = new Map<string, JsonValue>();
  readonly #mock: Mock;
  readonly #contract: Contract;

  constructor(mock: Mock, contract: Contract) {
    this.#mock = mock;
    this.#contract = contract;
  }

  async ask([call, body]: Step, isSuccess: boolean): Promise<Said> {
    const fill = (text: string): string =>
      text.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
        this.names.has(name) ? String(this.names.get(name)) : all,
      );
    const line = fill(call);
    const sent =
      body === undefined ? undefined : (fillValue(body, this.names) as JsonValue | undefined);
    const answer = await send(this.#mock, line, sent === undefined ? {} : { body: sent });
    expectKept(this.#contract, answer);
    const text = textOf(answer);
    if (isSuccess) expect(answer.status, `${line} → ${text}`).toBeLessThan(300);
    return {
      line,
      status: answer.status,
      text,
      location: headerValue(answer.headers, 'location'),
      value: () => jsonOf(answer),
    };
  }

  filled(members: JsonObject): JsonObject {
    const filled = fillValue(members, this.names);
    return isJsonObject(filled) ? filled : members;
  }

  identifierOf(id: FlowIdentifier, said: Said): JsonValue {
    if (typeof id === 'string') {
      const found = valueAt(said.value(), id);
      expect(found, `${said.line} → ${said.text} has ${id}`).toBeDefined();
      return found ?? null;
    }
    if ('value' in id) return id.value;
    if ('listed' in id) return null;
    if ('link' in id)
      return decodeURIComponent(
        /([^/]+)\/?$/.exec(String(valueAt(said.value(), id.link)))?.[1] ?? '',
      );
    expect(said.location, `${said.line} → ${String(said.status)} has Location`).toBeDefined();
    return decodeURIComponent(/([^/]+)\/?$/.exec(said.location ?? '')?.[1] ?? '');
  }
}

function fillValue(value: JsonValue, names: ReadonlyMap<string, JsonValue>): JsonValue {
  if (typeof value === 'string') {
    const whole = names.get(/^\{(\w+)\}$/.exec(value)?.[1] ?? '');
    if (whole !== undefined) return whole;
    return value.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(names.get(name) ?? all));
  }
  if (isJsonArray(value)) return value.map((item) => fillValue(item, names));
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, fillValue(member, names)]),
      )
    : value;
}

async function playCreate(play: Player, flow: Flow): Promise<void> {
  const created = await play.ask(flow.create, true);
  if (typeof flow.id === 'object' && 'listed' in flow.id) {
    const listed = await play.ask(flow.list ?? ['GET /'], true);
    const found = objectsWith(listed.value(), flow.sees)[0];
    expect(found, `${listed.line} → ${listed.text}`).toBeDefined();
    play.names.set('id', found?.[flow.id.listed] ?? null);
  } else play.names.set('id', play.identifierOf(flow.id, created));
  if (flow.read !== undefined) expectSees(await play.ask(flow.read, true), play.filled(flow.sees));
}

async function playList(play: Player, flow: Flow): Promise<void> {
  const { list, filter } = flow;
  const listSees = play.filled(flow.listSees ?? flow.sees);
  if (list !== undefined) expectSees(await play.ask(list, true), listSees);
  if (filter === undefined) return;
  expectSees(await play.ask([filter[0]], true), listSees);
  expectMisses(await play.ask([filter[1]], true), listSees);
}

async function playUpdate(play: Player, flow: Flow): Promise<void> {
  if (flow.update === undefined) return;
  await play.ask(flow.update, true);
  const look = flow.read ?? flow.list;
  if (look !== undefined && flow.updateSees !== undefined)
    expectSees(await play.ask(look, true), play.filled(flow.updateSees));
}

async function playRemove(play: Player, flow: Flow): Promise<void> {
  if (flow.remove === undefined) return;
  await play.ask(flow.remove, true);
  const last = play.filled({ ...(flow.listSees ?? flow.sees), ...flow.updateSees });
  if (flow.read !== undefined) {
    const read = await play.ask(flow.read, false);
    expect(read.status, `${read.line} after the deletion → ${read.text}`).toBe(404);
  }
  if (flow.list !== undefined) expectMisses(await play.ask(flow.list, true), last);
}

function expectSees(said: Said, sees: JsonObject): void {
  expect(
    objectsWith(said.value(), sees).length,
    `${said.line} → ${said.text} shows ${stringifyJson(sees)}`,
  ).toBeGreaterThan(0);
}

function expectMisses(said: Said, sees: JsonObject): void {
  expect(
    objectsWith(said.value(), sees).length,
    `${said.line} → ${said.text} does not show ${stringifyJson(sees)}`,
  ).toBe(0);
}

/** The objects at any depth that have these members. */
function objectsWith(value: JsonValue, members: JsonObject): JsonObject[] {
  if (isJsonArray(value)) return value.flatMap((item) => objectsWith(item, members));
  if (!isJsonObject(value)) return [];
  const inside = Object.values(value).flatMap((member) => objectsWith(member, members));
  return holds(value, members) ? [value, ...inside] : inside;
}

function holds(value: JsonObject, members: JsonObject): boolean {
  return Object.entries(members).every(([name, expected]) => {
    const own = value[name];
    return isJsonObject(expected) && isJsonObject(own)
      ? holds(own, expected)
      : stringifyJson(own ?? null) === stringifyJson(expected);
  });
}

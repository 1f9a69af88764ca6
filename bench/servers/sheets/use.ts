import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

export type Fields = Readonly<Record<string, unknown>>;

type Texts = 'id' | 'offset' | 'permissionLevel' | 'name' | 'text';
type Numbers = 'commentCount' | 'cursor' | 'number';
type Lists = 'bases' | 'records' | 'results' | 'comments' | 'payloads';

/** What any answer may have. */
export type Reply = Readonly<Record<Texts, string> & Record<Numbers, number>> &
  Readonly<Record<Lists, readonly Reply[]>> & {
    readonly fields: Fields;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
    readonly createdRecords: readonly string[];
    readonly error: unknown;
  };

type Promised = Promise<Got<Reply>>;

/** Sends `METHOD /path`. */
export function ask(client: Client, what: string, json?: unknown, as = 'first'): Promised {
  const [method = '', path = ''] = what.split(' ');
  return client.ask<Reply>(method, `/v0${path}`, json === undefined ? { as } : { as, json });
}

export const get = async (client: Client, path: string): Promise<Reply> =>
  (await ask(client, `GET ${path}`)).body;

/** The path of a new base. */
export const newBase = async (client: Client): Promise<string> =>
  `/${(await ask(client, 'POST /meta/bases', { name: unique('base') })).body.id}`;

export const batch = (...all: Fields[]): object => ({
  records: all.map((fields) => ({ fields: { Name: 'One', ...fields } })),
});

/** The ids of new records of a table: `/base/table`. */
export async function add(client: Client, path: string, ...all: Fields[]): Promise<string[]> {
  return ids((await ask(client, `POST ${path}`, batch(...all))).body.records);
}

/** A new base with such records in one of its tables. */
export async function baseOf(
  client: Client,
  table: string,
  ...all: Fields[]
): Promise<{ readonly path: string; readonly ids: string[]; readonly base: string }> {
  const base = await newBase(client);
  const path = `${base}/${table}`;
  return { path, base, ids: await add(client, path, ...all) };
}

export const ids = (records: readonly Reply[] = []): string[] => records.map(({ id }) => id);

/** The values of a field. */
export const valuesOf = (records: readonly Reply[] = [], name = 'Name'): unknown[] =>
  records.map(({ fields }) => fields[name]);

/** The records of all pages; `between` is called after the first one. */
export async function listed(
  client: Client,
  path: string,
  between?: (page: Reply) => Promise<unknown>,
): Promise<Reply[]> {
  const all: Reply[] = [];
  let page = await get(client, path);
  for (let count = 0; count < 30; count += 1) {
    all.push(...page.records);
    if (count === 0) await between?.(page);
    if (!('offset' in page)) break;
    const joint = path.includes('?') ? '&' : '?';
    page = await get(client, `${path}${joint}offset=${encodeURIComponent(page.offset)}`);
  }
  return all;
}

/** The Names of the results of a query, sorted. */
export async function found(client: Client, path: string, filter: object): Promise<string> {
  const { body } = await ask(client, `POST ${path}/query`, { filter });
  return valuesOf(body.results)
    .map(String)
    .sort((a, b) => a.localeCompare(b))
    .join();
}

/** The one record with these fields after a change of a batch of one. */
export const change = (client: Client, what: string, id: string, fields: Fields): Promised =>
  ask(client, what, { records: [{ id, fields }] });

/** Whether the request is not refused with 422. */
export const isTaken = async (client: Client, what: string, json?: unknown): Promise<boolean> =>
  (await ask(client, what, json)).status !== 422;

/** The path of a base in which the second user has the level read. */
export async function readBase(client: Client): Promise<string> {
  const { bases } = (await ask(client, 'GET /meta/bases', undefined, 'second')).body;
  return `/${bases.find(({ permissionLevel }) => permissionLevel === 'read')?.id ?? ''}`;
}

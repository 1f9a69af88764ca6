import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

type Values = Readonly<Record<string, string | null>>;
type To = Readonly<Record<string, Row>>;

export interface Row {
  readonly id: string;
  readonly properties: Values;
  readonly updatedAt: string;
}

interface Body {
  readonly results?: readonly Row[];
  readonly total: number;
  readonly paging?: { readonly next: { readonly after: string; readonly link: string } };
  readonly errors?: readonly { readonly in: string }[];
}

type Answer = Got<unknown> & {
  readonly row: Row;
  readonly page: Body;
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
};

export type Asked = Promise<Answer>;

/** Sends `METHOD path`, which is below `/crm/v3/`, or whole. */
export async function ask(client: Client, what: string, json?: unknown, as = 'first'): Asked {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(what) ?? [];
  const plain = pathOf(path);
  const target = plain.startsWith('/') ? plain : `/crm/v3/${plain}`;
  const got = await client.ask<unknown>(method, target, json === undefined ? { as } : { as, json });
  const body: unknown = typeof got.body === 'object' ? got.body : {};
  const page = body as Body;
  const { results: rows = [] } = page;
  return { ...got, row: body as Row, page, rows, ids: rows.map(({ id }) => id) };
}

/** Creates a record, associated with others by their types. */
export function add(client: Client, type: string, properties: Values, to: To = {}): Asked {
  const associations = Object.entries(to).map(([objectType, { id }]) => ({
    to: { id, objectType },
  }));
  return ask(client, `POST objects/${type}`, { properties, associations });
}

export const email = (): string => `${unique('kim')}@post.example`;

export const newContact = async (client: Client, more: Values = {}, to: To = {}): Promise<Row> =>
  (await add(client, 'contacts', { email: email(), ...more }, to)).row;

export const newCompany = async (client: Client): Promise<Row> =>
  (await add(client, 'companies', { name: unique('Mill') })).row;

export const newDeal = async (client: Client, more: Values = {}, to: To = {}): Promise<Row> =>
  (await add(client, 'deals', { dealname: unique('Plan'), ...more }, to)).row;

export const patch = (client: Client, type: string, { id }: Row, properties: Values): Asked =>
  ask(client, `PATCH objects/${type}/${id}`, { properties });

export const archive = (client: Client, type: string, { id }: Row): Asked =>
  ask(client, `DELETE objects/${type}/${id}`);

type Value = Promise<string | null | undefined>;

/** The value that a record has of a property; undefined without a record. */
export async function valueOf(client: Client, type: string, { id }: Row, name: string): Value {
  const { row } = await ask(client, `GET objects/${type}/${id}?properties=${name}`);
  return (row as Partial<Row>).properties?.[name];
}

export const associate = (client: Client, from: string, to: string): Asked =>
  ask(client, `PUT objects/${from.replace(' ', '/')}/associations/${to.replace(' ', '/')}`);

/** The ids of the records of a type that a record is associated with. */
export const linkedTo = async (
  ...[client, type, { id }, to]: [Client, string, Row, string]
): Promise<readonly string[]> =>
  (await ask(client, `GET objects/${type}/${id}/associations/${to}`)).ids;

export type Filter = Readonly<Record<string, string>>;

export const where = (propertyName: string, operator: string, value: string): Filter => ({
  ...{ propertyName, operator, value },
});

/** Searches for what matches all filters of one of the groups. */
export function search(client: Client, type: string, groups: Filter[][], more: object = {}): Asked {
  const filterGroups = groups.map((filters) => ({ filters }));
  return ask(client, `POST objects/${type}/search`, { limit: 100, ...more, filterGroups });
}

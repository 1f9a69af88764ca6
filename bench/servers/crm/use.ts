import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

type Values = Readonly<Record<string, string | null>>;

interface Related {
  readonly results: readonly { readonly id: string }[];
}

export interface Row {
  readonly id: string;
  readonly properties: Values;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly associations?: Readonly<Record<string, Related>>;
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
export function add(
  client: Client,
  type: string,
  properties: Values,
  to: Readonly<Record<string, Row>> = {},
): Asked {
  const associations = Object.entries(to).map(([objectType, { id }]) => ({
    to: { id, objectType },
  }));
  return ask(client, `POST objects/${type}`, { properties, associations });
}

export const email = (): string => `${unique('kim')}@post.example`;

export const newContact = async (
  client: Client,
  more: Values = {},
  to: Readonly<Record<string, Row>> = {},
): Promise<Row> => (await add(client, 'contacts', { email: email(), ...more }, to)).row;

export const newCompany = async (client: Client): Promise<Row> =>
  (await add(client, 'companies', { name: unique('Mill') })).row;

export const newDeal = async (
  client: Client,
  more: Values = {},
  to: Readonly<Record<string, Row>> = {},
): Promise<Row> => (await add(client, 'deals', { dealname: unique('Plan'), ...more }, to)).row;

export const patch = (client: Client, type: string, { id }: Row, properties: Values): Asked =>
  ask(client, `PATCH objects/${type}/${id}`, { properties });

export const archive = (client: Client, type: string, { id }: Row): Asked =>
  ask(client, `DELETE objects/${type}/${id}`);

export const get = async (
  client: Client,
  type: string,
  { id }: Row,
  properties = '',
): Promise<Row> => {
  const query = properties === '' ? '' : `?properties=${properties}`;
  return (await ask(client, `GET objects/${type}/${id}${query}`)).row;
};

/** The value that a record has of a property. */
export const valueOf = async (
  client: Client,
  type: string,
  row: Row,
  name: string,
): Promise<string | null | undefined> => (await get(client, type, row, name)).properties[name];

export const associate = (client: Client, from: string, to: string): Asked =>
  ask(client, `PUT objects/${from.replace(' ', '/')}/associations/${to.replace(' ', '/')}`);

/** The ids of the records of a type that a record is associated with. */
export const linkedTo = async (
  client: Client,
  type: string,
  { id }: Row,
  to: string,
): Promise<readonly string[]> =>
  (await ask(client, `GET objects/${type}/${id}/associations/${to}`)).ids;

interface Filter {
  readonly propertyName: string;
  readonly operator: string;
  readonly value?: string;
  readonly highValue?: string;
  readonly values?: readonly string[];
}

export const where = (
  propertyName: string,
  operator: string,
  value?: string,
  highValue?: string,
): Filter => ({
  ...{ propertyName, operator },
  ...(value === undefined ? {} : { value }),
  ...(highValue === undefined ? {} : { highValue }),
});

/** Searches for what matches all filters of one of the groups. */
export const search = (
  client: Client,
  type: string,
  groups: readonly (readonly Filter[])[],
  more: object = {},
): Asked => {
  const filterGroups = groups.map((filters) => ({ filters }));
  return ask(client, `POST objects/${type}/search`, { limit: 100, ...more, filterGroups });
};

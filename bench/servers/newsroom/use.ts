import type { Ask, Client, Got } from '../serving/client.ts';
import { isOther, pathOf, unique, type Show } from '../serving/showing.ts';

interface Link {
  readonly type: string;
  readonly id: string;
}

/** A resource object. */
export interface View extends Link {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: Link | Link[] | null }>>;
  readonly links?: { readonly self?: string };
}

/** Any document; `data` is a list or null in some. */
export interface Document<Data = View> {
  readonly data: Data;
  readonly included?: readonly View[];
  readonly links?: Readonly<Record<string, string | null | undefined>>;
  readonly meta?: { readonly total: number };
  readonly errors?: readonly {
    readonly status: string;
    readonly source?: { readonly pointer?: string; readonly parameter?: string };
  }[];
}

export function send<Data = View>(
  client: Client,
  method: string,
  path: string,
  data?: unknown,
  ask: Ask = {},
): Promise<Got<Document<Data>>> {
  const body = data === undefined ? {} : { json: { data }, type: 'application/vnd.api+json' };
  return client.ask<Document<Data>>(method, path, { ...body, ...ask });
}

export const query = (parameters: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(parameters).toString()}`;

/** The identifiers of people or of tags. */
export async function idsOf(client: Client, type: 'people' | 'tags'): Promise<string[]> {
  const { body } = await send<View[]>(client, 'GET', `/${type}${query({ 'page[size]': '50' })}`);
  return body.data.map(({ id }) => id);
}

/** The last person, who has no articles at the start. */
export async function writer(client: Client): Promise<string> {
  return (await idsOf(client, 'people')).at(-1) ?? '';
}

export const toOne = (type: string, id: string | null): object => ({
  data: id === null ? null : { type, id },
});

export const toTags = (ids: readonly string[]): Link[] => ids.map((id) => ({ type: 'tags', id }));

/** The resource object of a new article. */
export async function article(
  client: Client,
  attributes: object = {},
  relationships: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  return {
    type: 'articles',
    attributes: { title: 'Low tide', slug: unique('low-tide'), ...attributes },
    relationships: { author: toOne('people', await writer(client)), ...relationships },
  };
}

export async function post(
  client: Client,
  attributes: object = {},
  relationships: object = {},
): Promise<Got<Document>> {
  return send(client, 'POST', '/articles', await article(client, attributes, relationships));
}

/** The identifier of a new article. */
export async function create(
  client: Client,
  attributes: object = {},
  relationships: object = {},
): Promise<string> {
  return (await post(client, attributes, relationships)).body.data.id;
}

export function patch(
  client: Client,
  id: string,
  attributes: object,
  relationships: object = {},
): Promise<Got<Document>> {
  return send(client, 'PATCH', `/articles/${id}`, {
    type: 'articles',
    id,
    attributes,
    relationships,
  });
}

export async function read(client: Client, id: string, parameters = {}): Promise<Document> {
  return (await send(client, 'GET', `/articles/${id}${query(parameters)}`)).body;
}

export async function attribute(client: Client, id: string, name: string): Promise<unknown> {
  return (await read(client, id)).data.attributes?.[name];
}

/** An attribute of a new article, as it is read after an update. */
export async function after(client: Client, name: string, changes: object): Promise<unknown> {
  const id = await create(client, { body: 'Long.', priority: 7 });
  await patch(client, id, changes);
  return attribute(client, id, name);
}

/** The identifiers that a relationship has. */
export const linked = ({ relationships }: View, name: string): string =>
  [relationships?.[name]?.data ?? []]
    .flat()
    .map(({ id }) => id)
    .join();

interface Tagged {
  readonly id: string;
  /** All tags that there are. */
  readonly tags: readonly string[];
  /** Of the relationship. */
  readonly path: string;
}

/** A new article with so many tags. */
export async function tagged(client: Client, count: number): Promise<Tagged> {
  const tags = await idsOf(client, 'tags');
  const id = await create(client, {}, { tags: { data: toTags(tags.slice(0, count)) } });
  return { id, tags, path: `/articles/${id}/relationships/tags` };
}

/** The places of the tags of an article that had two, after a change of them. */
export async function tagsAfter(
  client: Client,
  method: string,
  places: readonly number[],
): Promise<string> {
  const { id, tags, path } = await tagged(client, 2);
  await send(client, method, path, toTags(places.map((at) => tags[at] ?? 'none')));
  const now = linked((await read(client, id)).data, 'tags').split(',');
  return now.map((one) => tags.indexOf(one)).join();
}

/** A new published article with a comment by the writer. */
export async function commented(
  client: Client,
): Promise<{ readonly id: string; readonly comment: string }> {
  const id = await create(client, { status: 'published' });
  const comment = await commentOn(client, id);
  return { id, comment: comment.body.data.id };
}

export async function commentOn(client: Client, id: string): Promise<Got<Document>> {
  return send(client, 'POST', '/comments', {
    type: 'comments',
    attributes: { body: 'Well said.' },
    relationships: {
      article: toOne('articles', id),
      author: toOne('people', (await idsOf(client, 'people'))[1] ?? ''),
    },
  });
}

type Parameters = Readonly<Record<string, string>>;

interface Several {
  readonly ids: readonly string[];
  readonly author: string;
  readonly list: (parameters: Parameters) => Promise<Document<View[]>>;
  /** The places of the articles in a list. */
  readonly places: (parameters: Parameters) => Promise<string>;
}

/** New articles of one writer with these attributes, and how to list them. */
export async function several(client: Client, many: readonly object[]): Promise<Several> {
  const ids: string[] = [];
  for (const attributes of many) ids.push(await create(client, attributes));
  const author = await writer(client);
  const list = async (parameters: Parameters) =>
    (
      await send<View[]>(
        client,
        'GET',
        `/articles${query({ 'filter[author]': author, ...parameters })}`,
      )
    ).body;
  const places = async (parameters: Parameters) =>
    (await list(parameters)).data.map(({ id }) => ids.indexOf(id)).join('');
  return { ids, author, list, places };
}

/** The places of five articles on all pages of two. */
export async function paged(client: Client): Promise<string> {
  const { ids, list } = await several(client, [{}, {}, {}, {}, {}]);
  let page = await list({ 'page[size]': '2' });
  const found = [...page.data];
  for (let round = 0; round < 12 && typeof page.links?.['next'] === 'string'; round += 1) {
    page = (await send<View[]>(client, 'GET', pathOf(page.links['next']))).body;
    found.push(...page.data);
  }
  return found.map(({ id }) => ids.indexOf(id)).join('');
}

/** Whether such a list is not refused. */
export const lists = (name: string, value: string): Show => {
  return (client) => isOther(send(client, 'GET', `/articles${query({ [name]: value })}`), 400);
};

/** Whether such a new article is not refused. */
export const takes = (attributes: object, status = 422): Show => {
  return (client) => isOther(post(client, attributes), status);
};

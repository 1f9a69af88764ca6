import type { Client } from '../serving/client.ts';
import { isOther, pathOf, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  after,
  article,
  attribute,
  commented,
  commentOn,
  create,
  idsOf,
  linked,
  lists,
  paged,
  patch,
  post,
  query,
  read,
  send,
  several,
  tagged,
  tagsAfter,
  takes,
  toOne,
  toTags,
  writer,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const writes: Of<'writes'> = {
  'create-not-stored': async (client) =>
    isOther(send(client, 'GET', `/articles/${await create(client)}`), 200),
  'update-not-stored': async (client) => (await after(client, 'title', { title: 'B' })) !== 'B',
  'body-lost': async (client) =>
    (await attribute(client, await create(client, { body: 'Long.' }), 'body')) !== 'Long.',
  'tags-of-new-lost': async (client) => {
    const { id } = await tagged(client, 2);
    return linked((await read(client, id)).data, 'tags') === '';
  },
  'title-trimmed': async (client) => (await after(client, 'title', { title: ' B ' })) !== ' B ',
  'status-default-published': async (client) =>
    (await attribute(client, await create(client), 'status')) !== 'draft',
  'priority-zero-lost': async (client) => (await after(client, 'priority', { priority: 0 })) !== 0,
  'update-resets-others': async (client) => (await after(client, 'priority', { title: 'B' })) !== 7,
  'update-clears-tags': async (client) => {
    const { id } = await tagged(client, 2);
    await patch(client, id, { title: 'B' });
    return linked((await read(client, id)).data, 'tags') === '';
  },
  'update-ignores-relationships': async (client) => {
    const id = await create(client);
    const [first = ''] = await idsOf(client, 'people');
    await patch(client, id, {}, { author: toOne('people', first) });
    return linked((await read(client, id)).data, 'author') !== first;
  },
  'updated-at-frozen': async (client) => {
    const id = await create(client);
    await patch(client, id, { title: 'B' });
    return (
      (await attribute(client, id, 'updatedAt')) === (await attribute(client, id, 'createdAt'))
    );
  },
  'delete-not-done': async (client) => {
    const path = `/articles/${await create(client)}`;
    await send(client, 'DELETE', path);
    return isOther(send(client, 'GET', path), 404);
  },
  'comment-not-deleted': async (client) => {
    const path = `/comments/${(await commented(client)).comment}`;
    await send(client, 'DELETE', path);
    return isOther(send(client, 'GET', path), 404);
  },
};

/** The editor of an article after it was set to these. */
async function editorAfter(client: Client, ...ids: (string | null)[]): Promise<string> {
  const id = await create(client);
  for (const one of ids) {
    const data = one === null ? null : { type: 'people', id: one };
    await send(client, 'PATCH', `/articles/${id}/relationships/editor`, data);
  }
  return linked((await read(client, id)).data, 'editor');
}

const unknownTag = (client: Client) => post(client, {}, { tags: { data: toTags(['none']) } });

const relationships: Of<'relationships'> = {
  'post-replaces-tags': async (client) => (await tagsAfter(client, 'POST', [2])) !== '0,1,2',
  'post-repeats-tags': async (client) => (await tagsAfter(client, 'POST', [1, 2])) !== '0,1,2',
  'patch-adds-tags': async (client) => (await tagsAfter(client, 'PATCH', [2])) !== '2',
  'delete-removes-all-tags': async (client) => (await tagsAfter(client, 'DELETE', [0])) !== '1',
  'tags-not-removed': async (client) => (await tagsAfter(client, 'DELETE', [0])) !== '1',
  'tags-half-added': async (client) => (await tagsAfter(client, 'POST', [2, 99])) !== '0,1',
  'editor-not-removed': async (client) =>
    (await editorAfter(client, await writer(client), null)) !== '',
  'editor-not-stored': async (client) => (await editorAfter(client, await writer(client))) === '',
  'related-is-author': async (client) => {
    const [first = ''] = await idsOf(client, 'people');
    const id = await create(client, {}, { editor: toOne('people', first) });
    return (await send(client, 'GET', `/articles/${id}/editor`)).body.data.id !== first;
  },
  'absent-editor-is-404': async (client) =>
    isOther(send(client, 'GET', `/articles/${await create(client)}/editor`), 200),
  'comments-of-all': async (client) => {
    const { id } = await commented(client);
    await commented(client);
    const { body } = await send<View[]>(client, 'GET', `/articles/${id}/comments`);
    return body.data.length !== 1;
  },
  'unknown-author-accepted': (client) =>
    isOther(post(client, {}, { author: toOne('people', 'none') }), 404),
  'unknown-tag-accepted': (client) => isOther(unknownTag(client), 404),
  'linkage-type-unchecked': async (client) => {
    const [tag = ''] = await idsOf(client, 'tags');
    return isOther(post(client, {}, { author: toOne('tags', tag) }), 422);
  },
  'too-many-tags-added': async (client) => {
    const { tags, path } = await tagged(client, 5);
    return isOther(send(client, 'POST', path, toTags(tags.slice(5, 6))), 422);
  },
};

/** What is included with two articles of one writer, each `type/id`. */
async function included(client: Client, include: string) {
  const { list, author } = await several(client, [{}, { status: 'published' }]);
  const page = await list({ sort: '-createdAt' });
  const [last] = page.data;
  await commentOn(client, last?.id ?? '');
  const { included: found = [] } = await list({ include });
  return { author, found: found.map(({ type, id }) => `${type}/${id}`) };
}

const include: Of<'include'> = {
  'include-ignored': async (client) => {
    const { found, author } = await included(client, 'author');
    return !found.includes(`people/${author}`);
  },
  'include-repeats': async (client) => {
    const { found } = await included(client, 'author');
    return new Set(found).size < found.length;
  },
  'include-first-only': async (client) => {
    const { found } = await included(client, 'author,comments');
    return !found.some((one) => one.startsWith('comments/'));
  },
  'nested-include-shallow': async (client) => {
    const { found } = await included(client, 'comments.author');
    return !found.some((one) => one.startsWith('people/'));
  },
  'include-all-people': async (client) => (await included(client, 'author')).found.length !== 1,
  'unknown-include-accepted': lists('include', 'publisher'),
};

/** A new article with these fields, and its author with one. */
async function sparse(client: Client): Promise<{ data: View; author: View | undefined }> {
  const fields = { 'fields[articles]': 'title,author', 'fields[people]': 'name' };
  const found = await read(client, await create(client), { include: 'author', ...fields });
  return { data: found.data, author: found.included?.[0] };
}

const fields: Of<'fields'> = {
  'fields-ignored': async (client) =>
    (await sparse(client)).data.attributes?.['slug'] !== undefined,
  'fields-keep-relationships': async (client) =>
    (await sparse(client)).data.relationships?.['tags'] !== undefined,
  'fields-drop-relationships': async (client) =>
    (await sparse(client)).data.relationships?.['author'] === undefined,
  'fields-of-included-ignored': async (client) =>
    (await sparse(client)).author?.attributes?.['email'] !== undefined,
  'unknown-field-accepted': lists('fields[articles]', 'colour'),
};

const priorities = [
  { priority: 9, title: 'B' },
  { priority: 30, title: 'A' },
  { priority: 9, title: 'A' },
];

const sorts = (by: string, places: string): Show => {
  return async (client) =>
    (await (await several(client, priorities)).places({ sort: by })) !== places;
};

const sort: Of<'sort'> = {
  'sort-ignored': sorts('title,priority', '210'),
  'descending-ignored': sorts('-priority', '102'),
  'second-sort-ignored': sorts('priority,title', '201'),
  'numbers-sorted-as-text': sorts('priority', '021'),
  'unknown-sort-accepted': lists('sort', 'colour'),
};

const pagesWrong: Show = async (client) => (await paged(client)) !== '01234';

/** The total of the published articles of a writer, on a page of one. */
const totalWrong: Show = async (client) => {
  const { list } = await several(client, [{ status: 'published' }, {}, { status: 'published' }]);
  const { meta } = await list({ 'filter[status]': 'published', 'page[size]': '1' });
  return meta?.total !== 2;
};

const paging: Of<'paging'> = {
  'page-ignored': pagesWrong,
  'size-ignored': async (client) => {
    const { list } = await several(client, [{}, {}]);
    return (await list({ 'page[size]': '1' })).data.length !== 1;
  },
  'pages-overlap': pagesWrong,
  'pages-skip': pagesWrong,
  'next-on-last-page': async (client) => {
    const { list } = await several(client, [{}, {}]);
    return typeof (await list({})).links?.['next'] === 'string';
  },
  'next-forgets-filter': async (client) => {
    const [first = ''] = await idsOf(client, 'people');
    await create(client, { priority: 3 }, { author: toOne('people', first) });
    const { list } = await several(client, [{ priority: 3 }, {}, { priority: 3 }]);
    const { links } = await list({ 'filter[priority]': '3', 'page[size]': '1' });
    const { body } = await send<View[]>(client, 'GET', pathOf(links?.['next'] ?? ''));
    return body.meta?.total !== 2;
  },
  'last-is-first': async (client) => {
    const { list, ids } = await several(client, [{}, {}, {}]);
    const { links } = await list({ 'page[size]': '2' });
    const { body } = await send<View[]>(client, 'GET', pathOf(links?.['last'] ?? ''));
    return body.data.map(({ id }) => id).join() !== ids[2];
  },
  'total-of-page': totalWrong,
  'total-ignores-filter': totalWrong,
  'page-zero-accepted': lists('page[number]', '0'),
  'large-size-lowered': lists('page[size]', '51'),
};

const filtered: readonly object[] = [
  { status: 'published', priority: 4 },
  { priority: 4 },
  { priority: 5 },
];

const filters = (by: Readonly<Record<string, string>>, places: string): Show => {
  return async (client) => (await (await several(client, filtered)).places(by)) !== places;
};

const filterDefects: Of<'filters'> = {
  'filter-ignored': filters({ 'filter[status]': 'published' }, '0'),
  'filter-first-value': filters({ 'filter[status]': 'published,draft' }, '012'),
  'filters-joined-by-or': filters({ 'filter[priority]': '4', 'filter[status]': 'draft' }, '1'),
  'tag-filter-first-only': async (client) => {
    const { id, tags } = await tagged(client, 2);
    const { list } = await several(client, []);
    const { data } = await list({ 'filter[tag]': tags[1] ?? '' });
    return data.map((one) => one.id).join() !== id;
  },
  'editor-is-author': async (client) => {
    const [first = ''] = await idsOf(client, 'people');
    const editor = toOne('people', await writer(client));
    await create(client, {}, { author: toOne('people', first), editor });
    const { list } = await several(client, []);
    return (await list({})).data.length !== 0;
  },
  'priority-filter-at-least': filters({ 'filter[priority]': '4' }, '01'),
  'unknown-filter-accepted': lists('filter[colour]', 'red'),
};

const published = { status: 'published' };

const states: Of<'states'> = {
  'unpublished-again': async (client) =>
    isOther(patch(client, await create(client, published), { status: 'draft' }), 409),
  'published-at-missing': async (client) =>
    (await after(client, 'publishedAt', published)) === null,
  'published-at-moves': async (client) => {
    const id = await create(client, published);
    const before = await attribute(client, id, 'publishedAt');
    await patch(client, id, { title: 'B' });
    return (await attribute(client, id, 'publishedAt')) !== before;
  },
  'comment-on-draft': async (client) => isOther(commentOn(client, await create(client)), 409),
  'comments-survive': async (client) => {
    const { id, comment } = await commented(client);
    await send(client, 'DELETE', `/articles/${id}`);
    return isOther(send(client, 'GET', `/comments/${comment}`), 404);
  },
  'count-not-raised': async (client) =>
    (await attribute(client, (await commented(client)).id, 'commentCount')) !== 1,
  'count-not-lowered': async (client) => {
    const { id, comment } = await commented(client);
    await send(client, 'DELETE', `/comments/${comment}`);
    return (await attribute(client, id, 'commentCount')) !== 0;
  },
};

async function takenSlug(client: Client): Promise<boolean> {
  const slug = unique('taken');
  await create(client, { slug });
  return isOther(post(client, { slug }), 409);
}

const wrongType: Show = async (client) => {
  const data = { ...(await article(client)), type: 'people' };
  return isOther(send(client, 'POST', '/articles', data), 409);
};

const conflicts: Of<'conflicts'> = {
  'slug-twice': takenSlug,
  'slug-of-deleted-taken': async (client) => {
    const slug = unique('gone');
    await send(client, 'DELETE', `/articles/${await create(client, { slug })}`);
    return isOther(post(client, { slug }), 201);
  },
  'slug-taken-is-422': takenSlug,
  'slug-changed': async (client) =>
    isOther(patch(client, await create(client), { slug: unique('new') }), 422),
  'wrong-type-accepted': wrongType,
  'wrong-type-is-422': wrongType,
  'other-id-accepted': async (client) => {
    const [id, other] = [await create(client), await create(client)];
    return isOther(send(client, 'PATCH', `/articles/${id}`, { type: 'articles', id: other }), 409);
  },
  'client-id-accepted': async (client) => {
    const data = { ...(await article(client)), id: unique('mine') };
    return isOther(send(client, 'POST', '/articles', data), 403);
  },
};

/** Whether a body is not refused that is sent with such a media type. */
const sentAs = (type: string): Show => {
  return async (client) =>
    isOther(send(client, 'POST', '/articles', await article(client), { type }), 415);
};

const validation: Of<'validation'> = {
  'empty-title-accepted': takes({ title: '' }),
  'long-title-accepted': takes({ title: 'a'.repeat(121) }),
  'priority-too-high-accepted': takes({ priority: 101 }),
  'slug-any-text': takes({ slug: 'Low-Tide' }),
  'unknown-status-accepted': takes({ status: 'archived' }),
  'unknown-attribute-accepted': takes({ colour: 'red' }),
  'created-at-accepted': takes({ createdAt: '2001-01-01T00:00:00Z' }),
  'author-not-required': async (client) => {
    const { type, attributes } = await article(client);
    const data = { type, attributes, relationships: {} };
    return isOther(send(client, 'POST', '/articles', data), 422);
  },
  'any-media-type-accepted': sentAs('application/json'),
  'media-parameters-accepted': sentAs('application/vnd.api+json; charset=utf-8'),
  'accept-not-checked': (client) => {
    const headers = { Accept: 'application/vnd.api+json; charset=utf-8' };
    return isOther(send(client, 'GET', '/articles', undefined, { headers }), 406);
  },
};

async function pointerWrong(client: Client): Promise<boolean> {
  const { body } = await post(client, { title: 5 });
  return body.errors?.[0]?.source?.pointer !== '/data/attributes/title';
}

const missing = (client: Client) => send(client, 'GET', '/articles/none');

const errors: Of<'errors'> = {
  'missing-article-500': (client) => isOther(missing(client), 404),
  'missing-article-null': (client) => isOther(missing(client), 404),
  'plain-json': async (client) =>
    (await missing(client)).headers.get('content-type') !== 'application/vnd.api+json',
  'status-is-number': async (client) => (await missing(client)).body.errors?.[0]?.status !== '404',
  'pointer-missing': pointerWrong,
  'pointer-to-data': pointerWrong,
  'pointer-without-attributes': pointerWrong,
  'parameter-unnamed': async (client) => {
    const { body } = await send(client, 'GET', `/articles${query({ sort: 'colour' })}`);
    return body.errors?.[0]?.source?.parameter !== 'sort';
  },
  'location-missing': async (client) => (await post(client)).headers.get('location') === null,
  'location-of-list': async (client) => {
    const { headers, body } = await post(client);
    return headers.get('location') !== body.data.links?.self;
  },
  'no-key-needed': (client) =>
    isOther(send(client, 'GET', '/articles', undefined, { as: 'anonymous' }), 401),
};

export const shows: Record<DefectName, Show> = {
  ...writes,
  ...relationships,
  ...include,
  ...fields,
  ...sort,
  ...paging,
  ...filterDefects,
  ...states,
  ...conflicts,
  ...validation,
  ...errors,
};

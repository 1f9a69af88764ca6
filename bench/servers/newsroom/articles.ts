import { namesIn, sortBy, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { findAt, linkage, linkOf, pageOf, show, typeOf, type Call } from './call.ts';
import { all, commentsOf, fail, find, keep, writeTime } from './store.ts';
import type { Resource, Service, Type } from './store.ts';

type To = Readonly<Record<string, string | null | readonly string[]>>;

const idsOf = (to: To, name: string): readonly string[] => (to[name] ?? []) as readonly string[];

/** An article with what follows from its comments. */
function showArticle(call: Call, article: Resource): Json {
  const { service, query } = call;
  const { has, varies, missed } = service;
  const comments = commentsOf(service, article.id).map(({ id }) => id);
  const commentCount = comments.length - (missed.get(article.id) ?? 0);
  const { publishedAt, ...attributes } = article.attributes;
  const published = has('published-at-missing') ? null : publishedAt;
  const isLinked =
    varies('comments-linked') ||
    varies('resources-unlinked') ||
    pathsOf(query['include']).includes('comments');
  const full = { ...article, attributes: { ...attributes, commentCount, publishedAt: published } };
  return show(call, full, isLinked ? { comments } : {});
}

/** The paths of include, with those that they go through. */
const pathsOf = (include = ''): string[] =>
  namesIn(include).flatMap((path) =>
    path.includes('.') ? [path.split('.')[0] ?? '', path] : path,
  );

function includedOf(call: Call, articles: readonly Resource[]): Json {
  const { service, query } = call;
  const { has } = service;
  if (query['include'] === undefined || has('include-ignored')) return {};
  const paths = pathsOf(query['include']);
  const kept = has('include-first-only') ? paths.slice(0, 1) : paths;
  const found: Resource[] = [];
  const add = (type: Type, ids: readonly unknown[]): void => {
    for (const id of ids) {
      const one = find(service, type, id);
      const isThere = found.some((other) => other === one) && !has('include-repeats');
      if (one !== undefined && !isThere) found.push(one);
    }
  };
  for (const { id, to } of articles) {
    const comments = commentsOf(service, id);
    for (const path of kept) {
      if (path === 'comments')
        add(
          'comments',
          comments.map((one) => one.id),
        );
      else if (path !== 'comments.author') add(typeOf(path), [to[path] ?? []].flat());
      else if (!has('nested-include-shallow'))
        add(
          'people',
          comments.map((one) => one.to['author']),
        );
    }
  }
  if (kept.includes('author') && has('include-all-people'))
    add(
      'people',
      all(service, 'people').map(({ id }) => id),
    );
  return { included: found.map((one) => show(call, one, { isIncluded: true })) };
}

/** Whether an article is in the list of the query. */
function isWanted({ service, query }: Call, { attributes, to }: Resource): boolean {
  const { has } = service;
  const given = (name: string): string | undefined => query[`filter[${name}]`];
  const statuses = namesIn(given('status'));
  const wanted = has('filter-first-value') ? statuses.slice(0, 1) : statuses;
  const [status, author, tag, priority] = ['status', 'author', 'tag', 'priority'].map(given);
  const tags = idsOf(to, 'tags');
  const isEditor = has('editor-is-author') && to['editor'] === author;
  const isHigher = Number(attributes['priority']) >= Number(priority);
  const tests = [
    status === undefined || has('filter-ignored')
      ? undefined
      : wanted.includes(String(attributes['status'])),
    author === undefined ? undefined : to['author'] === author || isEditor,
    tag === undefined
      ? undefined
      : (has('tag-filter-first-only') ? tags.slice(0, 1) : tags).includes(tag),
    priority === undefined
      ? undefined
      : has('priority-filter-at-least')
        ? isHigher
        : attributes['priority'] === Number(priority),
  ].filter((test) => test !== undefined);
  return has('filters-joined-by-or') && tests.length > 0
    ? tests.some(Boolean)
    : tests.every(Boolean);
}

function sorted({ service, query }: Call, articles: readonly Resource[]): Resource[] {
  const { has } = service;
  const names = has('sort-ignored') ? [] : namesIn(query['sort']);
  const kept = has('second-sort-ignored') ? names.slice(0, 1) : names;
  const orders = kept.map((name) => ({
    valueOf: ({ attributes }: Resource): unknown => {
      const value = attributes[name.replace('-', '')] ?? '';
      return has('numbers-sorted-as-text') ? String(value) : value;
    },
    sign: name.startsWith('-') && !has('descending-ignored') ? -1 : 1,
  }));
  return sortBy(articles, orders);
}

export function listArticles(call: Call): Answer {
  const { has } = call.service;
  const every = all(call.service, 'articles');
  const found = sorted(
    call,
    every.filter((one) => isWanted(call, one)),
  );
  const { page, rest } = pageOf(call, found);
  const totals = has('total-of-page') ? page : has('total-ignores-filter') ? every : found;
  return {
    status: 200,
    json: {
      data: page.map((one) => showArticle(call, one)),
      ...includedOf(call, page),
      ...rest,
      meta: { total: totals.length },
    },
  };
}

const shownOne = (call: Call, article: Resource): Json => ({
  data: showArticle(call, article),
  ...includedOf(call, [article]),
  links: { self: call.origin + call.url },
});

export function getArticle(call: Call): Answer {
  const { has } = call.service;
  if (find(call.service, 'articles', call.id) === undefined) {
    if (has('missing-article-500')) throw new TypeError("reading 'attributes' of undefined");
    if (has('missing-article-null')) return { status: 200, json: { data: null } };
  }
  return { status: 200, json: shownOne(call, findAt(call, 'articles')) };
}

/** A body's resource object. */
export interface Sent {
  readonly id?: string;
  readonly attributes?: Json;
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>;
}

/** Refuses linkage to what does not exist. */
function requireExisting(service: Service, data: unknown, pointer: string): string[] {
  const { has } = service;
  const list = Array.isArray(data) ? (data as Json[]) : data === null ? [] : [data as Json];
  for (const [at, { type, id }] of list.entries()) {
    const isLoose = has(type === 'tags' ? 'unknown-tag-accepted' : 'unknown-author-accepted');
    if (find(service, type as Type, id) === undefined && !isLoose)
      fail(service, 404, `There is no such resource in ${String(type)}.`, {
        pointer: Array.isArray(data) ? `${pointer}/${String(at)}` : pointer,
      });
  }
  return [...new Set(list.map(({ id }) => String(id)))];
}

/** The relationships of a body. */
export function related(
  service: Service,
  { relationships = {} }: Sent,
): Record<string, To[string]> {
  const entries = Object.entries(relationships).map(([name, { data }]) => {
    const ids = requireExisting(service, data, `/data/relationships/${name}/data`);
    return [name, Array.isArray(data) ? ids : (ids[0] ?? null)] as const;
  });
  return Object.fromEntries(entries);
}

function slugFault({ service }: Call, slug: unknown): void {
  const { has, oldSlugs } = service;
  const isTaken = all(service, 'articles').some(({ attributes }) => attributes['slug'] === slug);
  const isOld = has('slug-of-deleted-taken') && oldSlugs.has(slug);
  if ((isTaken && !has('slug-twice')) || isOld)
    fail(service, has('slug-taken-is-422') ? 422 : 409, 'The slug is taken.', {
      pointer: '/data/attributes/slug',
    });
}

const defaults = { body: '', status: 'draft', priority: 50 };

/** The attributes, as far as defects change them. */
function changed({ has }: Service, given: Json): Json {
  const { title, body, priority } = given;
  return {
    ...given,
    ...(has('title-trimmed') && typeof title === 'string' ? { title: title.trim() } : {}),
    ...(has('body-lost') && body !== undefined ? { body: '' } : {}),
    ...(has('priority-zero-lost') && priority === 0 ? { priority: 50 } : {}),
  };
}

export function createArticle(call: Call): Answer {
  const { service, data } = call;
  const { has } = service;
  const sent = data as Sent;
  if (sent.id !== undefined && !has('client-id-accepted'))
    fail(service, 403, 'The service chooses identifiers.', { pointer: '/data/id' });
  slugFault(call, sent.attributes?.['slug']);
  const time = writeTime(service.now());
  const made = { ...defaults, ...changed(service, sent.attributes ?? {}) };
  const status =
    has('status-default-published') && sent.attributes?.['status'] === undefined
      ? 'published'
      : made.status;
  const to = { author: null, editor: null, tags: [], ...related(service, sent) };
  const article: Resource = {
    type: 'articles',
    id: sent.id ?? service.nextId(),
    attributes: {
      createdAt: time,
      ...made,
      status,
      updatedAt: time,
      publishedAt: status === 'published' ? time : null,
    },
    to: { ...to, ...(has('tags-of-new-lost') ? { tags: [] } : {}) },
  };
  if (!has('create-not-stored')) keep(service, article);
  const self = linkOf(article, call);
  const shown = showArticle(call, article);
  const Location = has('location-of-list') ? `${call.origin}/articles` : self;
  return {
    status: 201,
    headers: has('location-missing') ? {} : { Location },
    json: { data: { ...shown, links: { self } }, links: { self } },
  };
}

export function updateArticle(call: Call): Answer {
  const { service, id, data } = call;
  const { has } = service;
  const article = findAt(call, 'articles');
  const sent = data as Sent;
  if (sent.id !== id && !has('other-id-accepted'))
    fail(service, 409, 'The id is not that of the path.', { pointer: '/data/id' });
  const given = changed(service, sent.attributes ?? {});
  const { status: before, publishedAt } = article.attributes;
  const status = given['status'] ?? before;
  if (before === 'published' && status === 'draft' && !has('unpublished-again'))
    fail(service, 409, 'A published article is no draft.', { pointer: '/data/attributes/status' });
  const time = writeTime(service.now());
  const isNew = publishedAt === null || has('published-at-moves');
  const attributes = {
    ...article.attributes,
    ...(has('update-resets-others') ? { body: '', priority: 50 } : {}),
    ...given,
    ...(has('updated-at-frozen') ? {} : { updatedAt: time }),
    publishedAt: status === 'draft' ? null : isNew ? time : publishedAt,
  };
  const to = {
    ...article.to,
    ...(has('update-clears-tags') ? { tags: [] } : {}),
    ...(has('update-ignores-relationships') ? {} : related(service, sent)),
  };
  const after = { ...article, attributes, to };
  if (!has('update-not-stored')) keep(service, after);
  return { status: 200, json: shownOne(call, after) };
}

export function deleteArticle(call: Call): Answer {
  const { service } = call;
  const { has, records, oldSlugs } = service;
  const article = findAt(call, 'articles');
  if (has('delete-not-done')) return { status: 204 };
  records.get('articles')?.delete(article.id);
  oldSlugs.add(article.attributes['slug']);
  if (!has('comments-survive'))
    for (const { id } of commentsOf(service, article.id)) records.get('comments')?.delete(id);
  return { status: 204 };
}

export function listCommentsOf(call: Call): Answer {
  const { service } = call;
  const article = findAt(call, 'articles');
  const found = service.has('comments-of-all')
    ? all(service, 'comments')
    : commentsOf(service, article.id);
  const { page, rest } = pageOf(
    call,
    sortBy(found, [{ valueOf: ({ attributes }) => attributes['createdAt'], sign: 1 }]),
  );
  return { status: 200, json: { data: page.map((one) => show(call, one)), ...rest } };
}

export function getEditor(call: Call): Answer {
  const { service, origin, url } = call;
  const { has } = service;
  const { to } = findAt(call, 'articles');
  const editor = find(service, 'people', to[has('related-is-author') ? 'author' : 'editor']);
  if (editor === undefined && has('absent-editor-is-404')) fail(service, 404, 'No editor.');
  const data = editor === undefined ? null : show(call, editor);
  return { status: 200, json: { data, links: { self: origin + url } } };
}

function linkDocument(call: Call, name: string, to: To): Answer {
  const self = call.origin + call.url;
  const more = name === 'editor' ? { related: self.replace('relationships/', '') } : {};
  const links = call.service.varies('resources-unlinked') ? {} : { links: { self, ...more } };
  return { status: 200, json: { ...links, data: linkage(name, to[name] ?? null) } };
}

export const getLink =
  (name: string) =>
  (call: Call): Answer =>
    linkDocument(call, name, findAt(call, 'articles').to);

function relink(call: Call, name: string, ids: To[string], isLost = false): Answer {
  const { service } = call;
  const article = findAt(call, 'articles');
  const updatedAt = writeTime(service.now());
  const attributes = { ...article.attributes, updatedAt };
  const after = { ...article, attributes, to: { ...article.to, [name]: ids } };
  if (!isLost) keep(service, after);
  return service.varies('relationships-204') ? { status: 204 } : linkDocument(call, name, after.to);
}

export function setEditor(call: Call): Answer {
  const { service, data } = call;
  const { to } = findAt(call, 'articles');
  const [id = null] = requireExisting(service, data, '/data');
  const kept = id === null && service.has('editor-not-removed') ? (to['editor'] ?? null) : id;
  return relink(call, 'editor', kept, service.has('editor-not-stored'));
}

export function replaceTags(call: Call): Answer {
  const { service, data } = call;
  const before = idsOf(findAt(call, 'articles').to, 'tags');
  const ids = requireExisting(service, data, '/data');
  const kept = service.has('patch-adds-tags') ? before : [];
  return relink(call, 'tags', [...new Set([...kept, ...ids])]);
}

export function addTags(call: Call): Answer {
  const { service, data } = call;
  const { has } = service;
  const before = idsOf(findAt(call, 'articles').to, 'tags');
  if (has('tags-half-added')) {
    const known = (data as Json[]).findIndex(({ id }) => find(service, 'tags', id) === undefined);
    const first = (data as Json[]).slice(0, Math.max(0, known)).map(({ id }) => String(id));
    if (known > 0) relink(call, 'tags', [...new Set([...before, ...first])]);
  }
  const ids = requireExisting(service, data, '/data');
  const kept = has('post-replaces-tags') ? [] : before;
  const after = has('post-repeats-tags') ? [...kept, ...ids] : [...new Set([...kept, ...ids])];
  if (after.length > 5 && !has('too-many-tags-added'))
    fail(service, 422, 'An article has at most 5 tags.', { pointer: '/data' });
  return relink(call, 'tags', after);
}

export function removeTags(call: Call): Answer {
  const { service, data } = call;
  const { has } = service;
  const before = idsOf(findAt(call, 'articles').to, 'tags');
  const ids = (data as Json[]).map(({ id }) => id);
  const left = before.filter((id) => !ids.includes(id));
  const kept = has('delete-removes-all-tags') ? [] : left;
  return relink(call, 'tags', kept, has('tags-not-removed'));
}

import { fields as object, listOf, oneOf, text, whole, type Rule } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { areNames, isWholeIn } from '../serving/requests.ts';
import { listen, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as articles from './articles.ts';
import { operation, type Call, type Form } from './call.ts';
import * as comments from './comments.ts';
import { openStore, type Service } from './store.ts';
import type { VariantName } from './variants.ts';

/** Starts the newsroom on loopback. */
export function startNewsroom(how: Start = {}): Promise<ServerUnderTest> {
  const service = openStore(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner as VariantName);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const page = { 'page[number]': isWholeIn(1, 100_000), 'page[size]': isWholeIn(1, 50) };
const attributes = ['title', 'body', 'slug', 'status', 'priority', 'commentCount'];
const times = ['createdAt', 'updatedAt', 'publishedAt'];
const view = {
  include: areNames(['author', 'editor', 'tags', 'comments', 'comments.author']),
  'fields[articles]': areNames([
    ...attributes,
    ...times,
    ...['author', 'editor', 'tags', 'comments'],
  ]),
  'fields[comments]': areNames(['body', 'createdAt', 'article', 'author']),
  'fields[people]': areNames(['name', 'email']),
  'fields[tags]': areNames(['label']),
};
const sorts = ['title', 'priority', 'createdAt'];
const isText = (value: string): boolean => value !== '';
const search = {
  sort: areNames([...sorts, ...sorts.map((name) => `-${name}`)], 1),
  'filter[status]': areNames(['draft', 'published'], 1),
  'filter[author]': isText,
  'filter[tag]': isText,
  'filter[priority]': isWholeIn(0, 100),
};

const any = text(0, Infinity);

/** The rules of bodies. */
function bodiesOf({ has }: Service) {
  const to = (type: string): Rule =>
    object({ type: has('linkage-type-unchecked') ? any : oneOf([type]), id: text(1, Infinity) }, [
      'type',
      'id',
    ]);
  const data = (rule: Rule): Rule => object({ data: rule }, ['data']);
  const person = data(to('people'));
  const editor = data((value, name) => (value === null ? undefined : to('people')(value, name)));
  const tags = data(listOf(to('tags'), { max: 5 }));
  const isClosed = !has('unknown-attribute-accepted');
  const written = {
    title: text(has('empty-title-accepted') ? 0 : 1, has('long-title-accepted') ? Infinity : 120),
    body: text(0, 5000),
    status: has('unknown-status-accepted') ? any : oneOf(['draft', 'published']),
    priority: whole(0, has('priority-too-high-accepted') ? 1e9 : 100),
    ...(has('created-at-accepted') ? { createdAt: any } : {}),
  };
  const slug = text(0, 60, has('slug-any-text') ? undefined : /^[a-z0-9]+(-[a-z0-9]+)*$/);
  const links = { author: person, editor, tags };
  const resource = (
    parts: Readonly<Record<string, Rule>>,
    required = ['type', 'attributes', 'relationships'],
  ): Rule => data(object({ type: any, id: any, ...parts }, required));
  return {
    editor,
    tags,
    article: resource({
      attributes: object({ ...written, slug }, ['title', 'slug'], isClosed),
      relationships: object(links, has('author-not-required') ? [] : ['author'], true),
    }),
    change: resource(
      {
        attributes: object({ ...written, ...(has('slug-changed') ? { slug } : {}) }, [], isClosed),
        relationships: object(links, [], true),
      },
      ['type', 'id'],
    ),
    comment: resource({
      attributes: object({ body: text(1, 500) }, ['body'], true),
      relationships: object(
        { article: data(to('articles')), author: person },
        ['article', 'author'],
        true,
      ),
    }),
  };
}

function routesOf(service: Service): Routes {
  const on = (operate: (call: Call) => Answer, form: Form = {}): Handler =>
    operation(service, operate, form);
  const bodies = bodiesOf(service);
  const tags = { body: bodies.tags };
  return {
    '/articles': {
      GET: on(articles.listArticles, { query: { ...page, ...view, ...search } }),
      POST: on(articles.createArticle, { body: bodies.article, type: 'articles' }),
    },
    '/articles/{id}': {
      GET: on(articles.getArticle, { query: view }),
      PATCH: on(articles.updateArticle, { body: bodies.change, type: 'articles' }),
      DELETE: on(articles.deleteArticle),
    },
    '/articles/{id}/comments': { GET: on(articles.listCommentsOf, { query: page }) },
    '/articles/{id}/editor': { GET: on(articles.getEditor) },
    '/articles/{id}/relationships/editor': {
      GET: on(articles.getLink('editor')),
      PATCH: on(articles.setEditor, { body: bodies.editor }),
    },
    '/articles/{id}/relationships/tags': {
      GET: on(articles.getLink('tags')),
      PATCH: on(articles.replaceTags, tags),
      POST: on(articles.addTags, tags),
      DELETE: on(articles.removeTags, tags),
    },
    '/comments': { POST: on(comments.createComment, { body: bodies.comment, type: 'comments' }) },
    '/comments/{id}': { GET: on(comments.getComment), DELETE: on(comments.deleteComment) },
    '/people': { GET: on(comments.list('people'), { query: page }) },
    '/tags': { GET: on(comments.list('tags'), { query: page }) },
  };
}

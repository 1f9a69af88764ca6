import { counts, has, isEmpty, isThere, lacks, matches, more, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const type = 'application/vnd.api+json';
const pages = { at: 'links next' };
const attributes = 'data attributes';
const editor = '{article}/relationships/editor';
const tagLinks = '{article}/relationships/tags';
const list = 'GET /articles';
const ours = { 'filter[author]': '{ada}' };

const article = (title: string, others: object = {}, relationships: object = {}) => ({
  data: {
    type: 'articles',
    attributes: { title, slug: title.toLowerCase().replaceAll(' ', '-'), ...others },
    relationships: { author: { data: { type: 'people', id: '{ada}' } }, ...relationships },
  },
});
const change = (attributesOf: object) => ({
  data: { type: 'articles', id: '{id}', attributes: attributesOf },
});
const comment = (body: string, of: string) => ({
  data: {
    type: 'comments',
    attributes: { body },
    relationships: {
      article: { data: { type: 'articles', id: of } },
      author: { data: { type: 'people', id: '{bob}' } },
    },
  },
});

const articles: Step[] = [
  {
    does: 'lists people',
    send: 'GET /people',
    sees: { 'header:content-type': matches(/vnd\.api\+json/) },
    keeps: { ada: 'data 0 id', bob: 'data 1 id' },
  },
  { does: 'lists tags', send: 'GET /tags', keeps: { sea: 'data 0 id', sky: 'data 1 id' } },
  {
    does: 'counts the articles of an author',
    send: list,
    query: ours,
    keeps: { before: 'meta total' },
  },
  {
    does: 'creates an article, with the defaults of what it leaves out',
    send: 'POST /articles',
    json: article('Flow low tide'),
    type,
    status: 201,
    sees: {
      [`${attributes} status`]: 'draft',
      [`${attributes} priority`]: 50,
      [`${attributes} body`]: '',
      [`${attributes} commentCount`]: 0,
      [`${attributes} publishedAt`]: isEmpty,
      'data relationships author data id': '{ada}',
    },
    keeps: { id: 'data id', article: 'header:location', made: `${attributes} createdAt` },
  },
  {
    does: 'reads it where Location says',
    send: 'GET {article}',
    sees: {
      'data id': '{id}',
      'data type': 'articles',
      [`${attributes} slug`]: 'flow-low-tide',
      [`${attributes} createdAt`]: '{made}',
    },
  },
  {
    does: 'is refused the slug a second time',
    send: 'POST /articles',
    json: article('Flow low tide'),
    type,
    status: 409,
  },
  {
    does: 'is refused an id of its own',
    send: 'POST /articles',
    json: { data: { ...article('Flow own').data, id: '99999' } },
    type,
    status: 403,
  },
  {
    does: 'is refused a resource of another type',
    send: 'POST /articles',
    json: { data: { ...article('Flow other').data, type: 'comments' } },
    type,
    status: 409,
  },
  {
    does: 'is refused an author that is not there, with its pointer',
    send: 'POST /articles',
    json: article('Flow lost', {}, { author: { data: { type: 'people', id: 'no-such' } } }),
    type,
    status: 404,
    sees: { 'errors 0 source pointer': matches(/^\/data\/relationships\/author/) },
  },
  {
    does: 'is refused a priority above the maximum, with its pointer',
    send: 'POST /articles',
    json: article('Flow big', { priority: 101 }),
    type,
    status: 422,
    sees: { 'errors 0 source pointer': '/data/attributes/priority' },
  },
  {
    does: 'is refused another media type',
    send: 'POST /articles',
    json: article('Flow json'),
    status: 415,
  },
  {
    does: 'is refused an Accept with a parameter only',
    send: list,
    headers: { Accept: 'application/vnd.api+json; charset=utf-8' },
    status: 406,
  },
  {
    does: 'creates an article with an editor and tags',
    send: 'POST /articles',
    json: article(
      'Flow sea air',
      { priority: 70, status: 'published' },
      {
        editor: { data: { type: 'people', id: '{bob}' } },
        tags: { data: [{ type: 'tags', id: '{sea}' }] },
      },
    ),
    type,
    status: 201,
    sees: { [`${attributes} publishedAt`]: isThere, 'data relationships tags data 0 id': '{sea}' },
    keeps: { second: 'data id' },
  },
  {
    does: 'creates a third article',
    send: 'POST /articles',
    json: article(
      'Flow clouds',
      { priority: 20 },
      { tags: { data: [{ type: 'tags', id: '{sky}' }] } },
    ),
    type,
    status: 201,
    keeps: { third: 'data id' },
  },
];

const lists: Step[] = [
  {
    does: 'lists the articles of the author',
    send: list,
    query: { ...ours, 'page[size]': 50 },
    sees: { 'data * id': has('{id}', '{second}', '{third}'), 'meta total': more('{before}', 3) },
  },
  {
    does: 'lists by a status',
    send: list,
    query: { ...ours, 'filter[status]': 'published', 'page[size]': 50 },
    sees: { 'data * id': has('{second}'), 'data * attributes status': only('published') },
  },
  {
    does: 'lists by two statuses',
    send: list,
    query: { ...ours, 'filter[status]': 'published,draft', 'page[size]': 50 },
    sees: { 'data * id': has('{id}', '{second}') },
  },
  {
    does: 'lists by a tag',
    send: list,
    query: { ...ours, 'filter[tag]': '{sea}', 'page[size]': 50 },
    sees: { 'data * id': has('{second}') },
  },
  {
    does: 'lists by a priority',
    send: list,
    query: { ...ours, 'filter[priority]': 20, 'page[size]': 50 },
    sees: { 'data * id': has('{third}'), 'data * attributes priority': only(20) },
  },
  {
    does: 'sorts by title, descending, and pages to the end',
    send: list,
    query: { ...ours, sort: '-title', 'page[size]': 1 },
    next: pages,
    sees: { 'pages * data * id': has('{id}', '{second}', '{third}') },
  },
  {
    does: 'is shown the links of a page',
    send: list,
    query: { ...ours, sort: 'priority', 'page[size]': 1, 'page[number]': 2 },
    sees: { data: counts(1), 'links prev': isThere, 'links first': isThere, 'links last': isThere },
  },
  {
    does: 'finds nothing behind the last page',
    send: list,
    query: { ...ours, 'page[number]': 999 },
    sees: { data: [] },
  },
  {
    does: 'includes authors and tags',
    send: 'GET {article}',
    query: { include: 'author,tags' },
    sees: { 'included * id': ['{ada}'], 'included * type': ['people'] },
  },
  {
    does: 'includes all of a list, each once',
    send: list,
    query: { ...ours, include: 'author,editor', 'page[size]': 50 },
    sees: { 'included * type': only('people'), 'included [id={ada}] id': ['{ada}'] },
  },
  {
    does: 'selects fields',
    send: 'GET {article}',
    query: { 'fields[articles]': 'title,author' },
    sees: {
      [attributes]: { title: 'Flow low tide' },
      'data relationships author data id': '{ada}',
      'data relationships tags': isEmpty,
    },
  },
  {
    does: 'selects fields of what is included',
    send: 'GET {article}',
    query: { include: 'author', 'fields[people]': 'name' },
    sees: { 'included 0 attributes name': isThere, 'included 0 attributes email': isEmpty },
  },
  {
    does: 'is refused a sort that is none, with its parameter',
    send: list,
    query: { sort: 'colour' },
    status: 400,
    sees: { 'errors 0 source parameter': 'sort' },
  },
  { does: 'is refused a parameter that is none', send: list, query: { nothing: 1 }, status: 400 },
];

const changes: Step[] = [
  {
    does: 'changes the priority only',
    send: 'PATCH {article}',
    json: change({ priority: 7 }),
    type,
    sees: { [`${attributes} priority`]: 7, [`${attributes} title`]: 'Flow low tide' },
  },
  { does: 'reads the change', send: 'GET {article}', sees: { [`${attributes} priority`]: 7 } },
  {
    does: 'is refused the id of another article',
    send: 'PATCH {article}',
    json: { data: { type: 'articles', id: '{second}', attributes: { priority: 8 } } },
    type,
    status: 409,
  },
  {
    does: 'is refused a change of the slug',
    send: 'PATCH {article}',
    json: change({ slug: 'other' }),
    type,
    status: 422,
  },
  {
    does: 'is refused a comment on a draft',
    send: 'POST /comments',
    json: comment('Early', '{id}'),
    type,
    status: 409,
  },
  {
    does: 'publishes the article',
    send: 'PATCH {article}',
    json: change({ status: 'published' }),
    type,
    sees: { [`${attributes} status`]: 'published', [`${attributes} publishedAt`]: isThere },
  },
  {
    does: 'is refused to make it a draft again',
    send: 'PATCH {article}',
    json: change({ status: 'draft' }),
    type,
    status: 409,
  },
  { does: 'sees no editor', send: 'GET {article}/editor', sees: { data: isEmpty } },
  {
    does: 'sets the editor',
    send: `PATCH ${editor}`,
    json: { data: { type: 'people', id: '{bob}' } },
    type,
    status: [200, 204],
  },
  { does: 'reads the link', send: `GET ${editor}`, sees: { 'data id': '{bob}' } },
  { does: 'reads the editor', send: 'GET {article}/editor', sees: { 'data id': '{bob}' } },
  {
    does: 'sees the editor at the article',
    send: 'GET {article}',
    sees: { 'data relationships editor data id': '{bob}' },
  },
  {
    does: 'is refused an editor that is not there',
    send: `PATCH ${editor}`,
    json: { data: { type: 'people', id: 'no-such' } },
    type,
    status: 404,
  },
  {
    does: 'removes the editor',
    send: `PATCH ${editor}`,
    json: { data: null },
    type,
    status: [200, 204],
  },
  { does: 'reads that there is none', send: `GET ${editor}`, sees: { data: isEmpty } },
  {
    does: 'adds tags',
    send: `POST ${tagLinks}`,
    json: {
      data: [
        { type: 'tags', id: '{sea}' },
        { type: 'tags', id: '{sky}' },
      ],
    },
    type,
    status: [200, 204],
  },
  {
    does: 'adds a tag again, which changes nothing',
    send: `POST ${tagLinks}`,
    json: { data: [{ type: 'tags', id: '{sea}' }] },
    type,
    status: [200, 204],
  },
  {
    does: 'reads the tags in the order in which they were added',
    send: `GET ${tagLinks}`,
    sees: { 'data * id': ['{sea}', '{sky}'] },
  },
  {
    does: 'removes a tag',
    send: `DELETE ${tagLinks}`,
    json: { data: [{ type: 'tags', id: '{sea}' }] },
    type,
    status: [200, 204],
  },
  { does: 'reads the tag that is left', send: `GET ${tagLinks}`, sees: { 'data * id': ['{sky}'] } },
  {
    does: 'replaces the tags',
    send: `PATCH ${tagLinks}`,
    json: { data: [{ type: 'tags', id: '{sea}' }] },
    type,
    status: [200, 204],
  },
  {
    does: 'finds the tag at the article',
    send: 'GET {article}',
    query: { include: 'tags' },
    sees: { 'data relationships tags data * id': ['{sea}'], 'included * id': ['{sea}'] },
  },
];

const comments: Step[] = [
  {
    does: 'comments on the article',
    send: 'POST /comments',
    json: comment('Well said.', '{id}'),
    type,
    status: 201,
    sees: { [`${attributes} body`]: 'Well said.' },
    keeps: { comment: 'header:location', commentId: 'data id' },
  },
  {
    does: 'reads the comment',
    send: 'GET {comment}',
    sees: { 'data relationships article data id': '{id}' },
  },
  {
    does: 'comments a second time',
    send: 'POST /comments',
    json: comment('And more.', '{id}'),
    type,
    status: 201,
    keeps: { commentId2: 'data id' },
  },
  {
    does: 'lists the comments of the article',
    send: 'GET {article}/comments',
    sees: { 'data * id': ['{commentId}', '{commentId2}'], 'meta total': 2 },
  },
  {
    does: 'sees the count of comments follow',
    send: 'GET {article}',
    sees: { [`${attributes} commentCount`]: 2 },
  },
  {
    does: 'includes comments and their authors',
    send: 'GET {article}',
    query: { include: 'comments.author' },
    sees: { 'included * id': has('{commentId}', '{commentId2}', '{bob}') },
  },
  { does: 'deletes a comment', send: 'DELETE {comment}', status: 204 },
  {
    does: 'does not find it',
    send: 'GET {comment}',
    status: 404,
    sees: { 'errors 0 status': '404' },
  },
  {
    does: 'sees the count fall',
    send: 'GET {article}',
    sees: { [`${attributes} commentCount`]: 1 },
  },
  { does: 'deletes the article with its comments', send: 'DELETE {article}', status: 204 },
  { does: 'does not find the article', send: 'GET {article}', status: 404 },
  { does: 'does not find its comment', send: 'GET /comments/{commentId2}', status: 404 },
  {
    does: 'does not list it',
    send: list,
    query: { ...ours, 'page[size]': 50 },
    sees: { 'data * id': lacks('{id}'), 'meta total': not('{before}') },
  },
];

/** Articles, comments and tags. */
export const newsroom: Flow = {
  name: 'newsroom',
  steps: [...articles, ...lists, ...changes, ...comments],
};

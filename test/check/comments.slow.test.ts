import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'lists the replies of all'
  | 'lists what was written lately'
  | 'counts up only'
  | 'counts approved replies'
  | 'counts people'
  | 'counts writers'
  | 'hides new replies'
  | 'lists the last reply first'
  | 'knows the day of a reply, and lists the last one first'
  | 'stays at the first reply';

interface Comment {
  readonly id: string;
  readonly postId: string;
  readonly text: string;
  readonly parentId: string | null;
}

const counted: Readonly<Record<string, string>> = {
  'counts approved replies': 'How many approved replies there are.',
  'counts people': 'The number of people who replied.',
};

const commentOf = (quirk: Quirk | undefined): object => ({
  type: 'object',
  required: ['id', 'postId', 'text'],
  properties: {
    id: { type: 'string', readOnly: true },
    postId: { type: 'string' },
    text: { type: 'string', minLength: 1, maxLength: 200 },
    parentId: { type: ['string', 'null'] },
    createdOn: { type: 'string', format: 'date', readOnly: true },
    replyCount: { type: 'integer', readOnly: true, description: counted[quirk ?? ''] },
    lastReplyId: { type: 'string', readOnly: true },
  },
});

const json = (schema: object): object => ({ 'application/json': { schema } });
const one = { $ref: '#/components/schemas/Comment' };
const many = { type: 'object', properties: { items: { type: 'array', items: one } } };
const post = { $ref: '#/components/schemas/Post' };
const postSchema = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'string', readOnly: true },
    title: { type: 'string', minLength: 1, maxLength: 90 },
  },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const shows = (schema: object, status = 200): object => ({
  [status]: { description: 'Done.', content: json(schema) },
  404: { description: 'There is no such comment.' },
  422: { description: 'It is not valid.' },
});

const contractOf = (quirk?: Quirk): Contract =>
  parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Comments', version: '1' },
      paths: {
        '/posts': {
          get: { operationId: 'listPosts', responses: shows({ type: 'array', items: post }) },
          post: {
            operationId: 'writePost',
            requestBody: { required: true, content: json(post) },
            responses: shows(post, 201),
          },
        },
        '/posts/{id}': {
          parameters: [id],
          get: { operationId: 'readPost', responses: shows(post) },
        },
        '/comments': {
          get: { operationId: 'listComments', responses: shows(many) },
          post: {
            operationId: 'writeComment',
            requestBody: { required: true, content: json(one) },
            responses: shows(one, 201),
          },
        },
        '/comments/{id}': {
          parameters: [id],
          get: { operationId: 'readComment', responses: shows(one) },
          delete: {
            operationId: 'deleteComment',
            responses: { 204: { description: 'Done.' }, 404: { description: 'There is none.' } },
          },
        },
        '/comments/{id}/replies': {
          parameters: [id],
          get: {
            operationId: 'listReplies',
            description: 'The replies to a comment, oldest first.',
            responses: shows(many),
          },
        },
      },
      components: { schemas: { Comment: commentOf(quirk), Post: postSchema } },
    }),
    'comments.json',
  );

/** Comments that may answer others. */
function comments(quirk?: Quirk): Service {
  let all: Comment[] = [{ id: 'c101', postId: 'p1', text: 'First', parentId: null }];
  let last = 100;
  const written = new Map<string, number>();
  const repliesTo = (of: string): Comment[] => {
    if (quirk === 'lists what was written lately') return all.slice(-10);
    return all.filter(({ parentId }) =>
      quirk === 'lists the replies of all' ? parentId !== null : parentId === of,
    );
  };
  const show = (own: Comment): object => {
    const replies = repliesTo(own.id);
    const latest = quirk === 'stays at the first reply' ? replies[0] : replies.at(-1);
    const counts: Readonly<Record<string, number>> = {
      'counts up only': written.get(own.id) ?? 0,
      'counts approved replies': 0,
      'counts people': Math.min(1, replies.length),
      'counts writers': Math.min(1, replies.length),
    };
    const replyCount = counts[quirk ?? ''] ?? replies.length;
    const day = quirk?.startsWith('knows the day') === true ? { createdOn: '2026-11-27' } : {};
    return {
      ...own,
      ...day,
      replyCount,
      ...(latest === undefined ? {} : { lastReplyId: latest.id }),
    };
  };
  const posts = new Map<string, object>([['p1', { id: 'p1', title: 'News' }]]);
  const onPosts: Service = ({ method, path: [, of], body }) => {
    const own = posts.get(of ?? '');
    if (of !== undefined && own === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: own ?? [...posts.values()] };
    if (method !== 'POST' || of !== undefined) return { status: 405 };
    const { title } = jsonObject(body) ?? {};
    if (typeof title !== 'string' || title === '' || [...title].length > 90) return { status: 422 };
    last += 1;
    const made = { id: `p${String(last)}`, title };
    posts.set(made.id, made);
    return { status: 201, json: made };
  };
  return (call) => {
    const {
      method,
      path: [kind, of, part],
      body,
    } = call;
    if (kind === 'posts') return onPosts(call);
    const own = all.find((each) => each.id === of);
    if (of !== undefined && own === undefined) return { status: 404 };
    if (method === 'GET') {
      const parts = quirk === 'hides new replies' ? [] : repliesTo(of ?? '');
      if (quirk?.includes('lists the last') === true) parts.reverse();
      const shown = part === undefined ? all : parts;
      if (own !== undefined && part === undefined) return { status: 200, json: show(own) };
      return { status: 200, json: { items: shown.map(show) } };
    }
    if (method === 'DELETE' && own !== undefined && part === undefined) {
      all = all.filter((each) => each !== own);
      return { status: 204 };
    }
    if (method !== 'POST' || of !== undefined) return { status: 405 };
    const { text, postId, parentId = null } = jsonObject(body) ?? {};
    // An answer belongs to the post of what it answers.
    const isKnown =
      parentId === null || all.some((each) => each.id === parentId && each.postId === postId);
    if (typeof postId !== 'string' || !posts.has(postId)) return { status: 422 };
    if (typeof text !== 'string' || text === '' || [...text].length > 200 || !isKnown)
      return { status: 422 };
    last += 1;
    const made = { id: `c${String(last)}`, postId, text, parentId: parentId as string | null };
    all.push(made);
    written.set(String(parentId), (written.get(String(parentId)) ?? 0) + 1);
    return { status: 201, json: show(made) };
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string> {
  const found = alarms(await findingsOf(contractOf(quirk), comments(quirk)));
  return found.filter((line) => /parent-holds|shown-twice-agrees/.test(line)).join('\n');
}

describe('comments that may answer others', () => {
  test.each<Quirk | undefined>([
    undefined,
    'lists what was written lately',
    'counts approved replies',
    'counts people',
    'hides new replies',
    'knows the day of a reply, and lists the last one first',
  ])('raise no alarm: %s', async (quirk) => {
    expect(await alarmsOf(quirk)).toBe('');
  });

  test.each<[Quirk, RegExp]>([
    ['lists the replies of all', /error parent-holds listReplies: .*belongs to another one/],
    ['lists the last reply first', /error shown-twice-agrees listReplies: .*the newer first/],
    ['counts up only', /error shown-twice-agrees readComment: .*replyCount is 2 instead of 1/],
    ['counts writers', /error shown-twice-agrees readComment: .*replyCount is 1 instead of 2/],
    ['stays at the first reply', /error shown-twice-agrees readComment: .*was added last/],
  ])('that %s are noticed', async (quirk, alarm) => {
    expect(await alarmsOf(quirk)).toMatch(alarm);
  });
});

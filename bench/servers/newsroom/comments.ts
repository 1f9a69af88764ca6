import type { Answer } from '../serving/serve.ts';
import { related, type Sent } from './articles.ts';
import { findAt, linkOf, pageOf, show, type Call } from './call.ts';
import { all, fail, find, keep, writeTime, type Resource, type Type } from './store.ts';

export function createComment(call: Call): Answer {
  const { service, data } = call;
  const { has, missed } = service;
  const sent = data as Sent;
  if (sent.id !== undefined)
    fail(service, 403, 'The service chooses identifiers.', { pointer: '/data/id' });
  const to = related(service, sent);
  const article = String(to['article']);
  const isDraft = find(service, 'articles', article)?.attributes['status'] === 'draft';
  if (isDraft && !has('comment-on-draft'))
    fail(service, 409, 'A draft has no comments.', { pointer: '/data/relationships/article/data' });
  const attributes = { ...sent.attributes, createdAt: writeTime(service.now()) };
  const comment: Resource = { type: 'comments', id: service.nextId(), attributes, to };
  keep(service, comment);
  if (has('count-not-raised')) missed.set(article, (missed.get(article) ?? 0) + 1);
  const self = linkOf(comment, call);
  return {
    status: 201,
    headers: { Location: self },
    json: { data: { ...show(call, comment), links: { self } }, links: { self } },
  };
}

export function getComment(call: Call): Answer {
  const data = show(call, findAt(call, 'comments'));
  return { status: 200, json: { data, links: { self: call.origin + call.url } } };
}

export function deleteComment(call: Call): Answer {
  const { has, records, missed } = call.service;
  const { id, to } = findAt(call, 'comments');
  const article = String(to['article']);
  if (has('comment-not-deleted')) return { status: 204 };
  records.get('comments')?.delete(id);
  if (has('count-not-lowered')) missed.set(article, (missed.get(article) ?? 0) - 1);
  return { status: 204 };
}

export const list =
  (type: Type) =>
  (call: Call): Answer => {
    const { page, rest } = pageOf(call, all(call.service, type));
    return { status: 200, json: { data: page.map((one) => show(call, one)), ...rest } };
  };

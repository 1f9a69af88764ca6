import * as rule from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { users, type Base, type Change, type Comment, type Webhook } from './store.ts';
import { tableNames, type TableName } from './tables.ts';

type Call = api.Call;

const { done, fail, findBase } = api;
const { fields, listOf, oneOf, text } = rule;
const timeOf = (time: number): string => new Date(time).toISOString();

const showComment = ({ id, author, text: words, created }: Comment, { service }: Call): Json => ({
  ...{ id, author: users[author], text: words, createdTime: timeOf(created) },
  ...(service.varies('more-properties') ? { reactions: [] } : {}),
});

export function getComments(call: Call): Answer {
  const { has } = call.service;
  const { comments, id: recordId } = api.findRecord(call, findBase(call, 'read'), 'tasks');
  const page = api.pageOf(call, {
    key: `${recordId} comments`,
    size: api.wholeOf(call, 'pageSize', 100, 100),
    token: call.incoming.query.get('offset') ?? undefined,
    all: () => comments,
    list: (all) => (has('comments-oldest-first') ? all : all.toReversed()),
  });
  const shown = page.items.map((one) => showComment(one, call));
  return done({ comments: shown, ...api.offsetOf(page) });
}

export function postComment(call: Call): Answer {
  const record = api.findRecord(call, findBase(call, 'write'), 'tasks');
  const body = api.readBody(call, fields({ text: text(1, 2000) }, ['text']));
  if (record.archived) fail(422, 'RECORD_ARCHIVED', 'The record is archived.');
  const [id, words] = [call.service.newId('com'), String(body['text'])];
  const comment = { id, author: call.user, text: words, created: Date.now() };
  record.comments.push(comment);
  record.commentsEver += 1;
  return done(showComment(comment, call));
}

export function deleteComment(call: Call): Answer {
  const { comments } = api.findRecord(call, findBase(call, 'write'), 'tasks');
  const at = comments.findIndex(({ id }) => id === call.incoming.params['commentId']);
  const [{ id }] = at < 0 ? [api.none()] : (comments.splice(at, 1) as [Comment]);
  return done({ id, deleted: true });
}

const names = { add: 'created', update: 'changed', remove: 'destroyed' } as const;
const types = Object.keys(names) as (keyof typeof names)[];

const showWebhook = ({ id, table, changes, created, payloads }: Webhook): Json => ({
  ...{ id, table, changeTypes: types.filter((type) => changes.includes(names[type])) },
  ...{ createdTime: timeOf(created), cursorForNextPayload: payloads.length + 1 },
});

const webhookForm = fields(
  {
    table: oneOf(tableNames),
    changeTypes: listOf(oneOf(types), { min: 1, max: 3, unique: true }),
  },
  ['table'],
);

const ownIn = (base: Base, { user }: Call): Webhook[] =>
  [...base.webhooks.values()].filter((one) => one.user === user);

export const getWebhooks = (call: Call): Answer =>
  done({ webhooks: ownIn(findBase(call, 'read'), call).map(showWebhook) });

export function postWebhook(call: Call): Answer {
  const base = findBase(call, 'write');
  const body = api.readBody(call, webhookForm);
  const asked = (body['changeTypes'] ?? types) as typeof types;
  const changes: Change[] = asked.map((type) => names[type]);
  const webhook = {
    ...{ id: call.service.newId('ach'), user: call.user, table: body['table'] as TableName },
    ...{ changes, created: Date.now(), payloads: [] },
  };
  base.webhooks.set(webhook.id, webhook);
  return done(showWebhook(webhook));
}

function findWebhook(call: Call, base: Base): Webhook {
  const id = call.incoming.params['webhookId'];
  return ownIn(base, call).find((one) => one.id === id) ?? api.none();
}

export function getPayloads(call: Call): Answer {
  const { payloads } = findWebhook(call, findBase(call, 'read'));
  const first = api.wholeOf(call, 'cursor', Infinity, 1);
  const limit = api.wholeOf(call, 'limit', 50, 50);
  const page = payloads.slice(first - 1, first - 1 + limit);
  const shown = page.map(({ table, user, time, ids: { created, changed, destroyed } }, at) => ({
    ...{ number: first + at, timestamp: timeOf(time), table, userId: users[user].id },
    ...{ createdRecordIds: created, changedRecordIds: changed, destroyedRecordIds: destroyed },
  }));
  const isBack = page.length > 0 && call.service.has('payload-cursor-repeats');
  const cursor = first + page.length - (isBack ? 1 : 0);
  return done({ payloads: shown, cursor, mightHaveMore: payloads.length >= first + page.length });
}

export function deleteWebhook(call: Call): Answer {
  const base = findBase(call, 'write');
  base.webhooks.delete(findWebhook(call, base).id);
  return { status: 204 };
}

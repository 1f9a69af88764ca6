import { email, fields, oneOf, pick, text, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { addList, type List, type ListFields } from './store.ts';

type Call = api.Call;

const address = { company: text(1, 100), address1: text(0, 100), city: text(0, 60) };
const contact = { ...address, country: text(2, 2, /^[A-Z]{2}$/) };
const language = text(2, 2, /^[a-z]{2}$/);
const defaults = { from_name: text(1, 100), from_email: email, subject: text(0, 150), language };

const texts = { name: text(1, 100), permission_reminder: text(0, 300) };
const plain = { ...texts, visibility: oneOf(['pub', 'prv']) };

const namesOf = Object.keys;
const partsWith = (isNew: boolean): Readonly<Record<string, Rule>> => ({
  ...plain,
  contact: fields(contact, isNew ? namesOf(contact) : []),
  campaign_defaults: fields(defaults, isNew ? namesOf(defaults) : []),
});

const required = ['name', 'permission_reminder', 'contact', 'campaign_defaults'];
const newList = fields(partsWith(true), required);
const changedList = fields(partsWith(false), []);

/** The known fields of the body over those before. */
const fieldsFrom = (body: Json, before: ListFields): ListFields => ({
  ...before,
  ...pick(body, namesOf(plain)),
  contact: { ...before.contact, ...pick(body['contact'] ?? {}, namesOf(contact)) },
  campaign_defaults: {
    ...before.campaign_defaults,
    ...pick(body['campaign_defaults'] ?? {}, namesOf(defaults)),
  },
});

function statsOf(list: List, call: Call): Json {
  const { has, varies, campaigns } = call.service;
  const members = [...list.members.values()];
  const count = (status: string): number => members.filter((one) => one.status === status).length;
  const from = has('since-send-not-reset') ? 0 : list.lastSentTick;
  return {
    member_count: count('subscribed') + (has('pending-counted') ? count('pending') : 0),
    unsubscribe_count: has('unsubscribes-only-grow') ? list.unsubscribes : count('unsubscribed'),
    cleaned_count: count('cleaned'),
    pending_count: count('pending'),
    member_count_since_send: members.filter(
      ({ status, joined }) => status === 'subscribed' && joined > from,
    ).length,
    campaign_count: [...campaigns.values()].filter((one) => one.list === list).length,
    campaign_last_sent: api.writeTimeOrNull(list.lastSent, call),
    merge_field_count: list.mergeFields.size,
    ...(varies('more-properties') ? { open_rate: 0.4 } : {}),
  };
}

function show(list: List, call: Call): Json {
  const path = `/3.0/lists/${list.id}`;
  return {
    ...{ id: list.id, web_id: list.web_id, ...list.fields },
    date_created: api.writeTime(list.created, call),
    stats: statsOf(list, call),
    ...(call.service.varies('more-properties') ? { inbound: 'us7-4a@inbound.example' } : {}),
    _links: [
      api.link(call, 'self', 'GET', path),
      api.link(call, 'delete', 'DELETE', path),
      api.link(call, 'members', 'GET', `${path}/members`),
    ],
  };
}

const showOne = (list: List, call: Call): Answer => api.answer(call, show(list, call));

export function getLists(call: Call): Answer {
  const { has, lists } = call.service;
  const query = new api.Query(call);
  const within = query.within('date_created');
  const fold = (one = ''): string => (has('list-email-case-matters') ? one : one.toLowerCase());
  const wanted = query.text('email');
  const isIn = (list: List): boolean =>
    [...list.members.values()].some(
      (one) => fold(one.email_address) === fold(wanted) && one.status !== 'archived',
    );
  const records = [...lists.values()].filter(
    (list) =>
      list.account === call.account && within(list.created) && (wanted === undefined || isIn(list)),
  );
  const orders = { date_created: (list: List) => list.created };
  return api.pageOf(call, { name: 'lists', records, show: (list) => show(list, call), orders });
}

export function postLists(call: Call): Answer {
  const before = { visibility: 'pub', contact: {}, campaign_defaults: {} };
  const given = fieldsFrom(api.readBody(call, newList), before);
  return showOne(addList(call.service, { account: call.account, fields: given }), call);
}

export const getList = (call: Call): Answer => showOne(api.findList(call), call);

export function patchList(call: Call): Answer {
  const list = api.findList(call);
  list.fields = fieldsFrom(api.readBody(call, changedList), list.fields);
  return showOne(list, call);
}

export function deleteList(call: Call): Answer {
  const { has, lists, campaigns } = call.service;
  const list = api.findList(call);
  const own = [...campaigns.values()].filter((one) => one.list === list);
  if (own.some(({ status }) => status === 'schedule') && !has('list-with-schedule-deleted'))
    api.fail(400, 'A scheduled campaign is for this list.');
  lists.delete(list.id);
  list.isActive = false;
  return { status: 204 };
}

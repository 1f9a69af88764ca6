import * as rule from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import * as store from './store.ts';
import type { List, Member, MergeField, Service, Status } from './store.ts';

type Call = api.Call;

const { fields, listOf, oneOf, text } = rule;
const { hashOf, now, statuses } = store;
const given = oneOf(statuses.slice(0, 4));
const types = ['html', 'text'];

const rules = {
  email_address: rule.email,
  status: given,
  email_type: oneOf(types),
  language: text(2, 2, /^[a-z]{2}$/),
  vip: rule.flag,
  merge_fields: fields({}, []),
  timestamp_signup: rule.dateTime,
  timestamp_opt: rule.dateTime,
  unsubscribe_reason: text(0, 120),
};

export const changed = fields(rules, []);
const put = fields({ ...rules, status_if_new: given }, ['email_address', 'status_if_new']);

export const newMember = ({ has }: Service): rule.Rule => {
  const status = has('status-archived-accepted') ? oneOf(statuses) : given;
  const names = listOf(text(1, 100), { max: 50 });
  return fields({ ...rules, status, tags: names }, ['email_address', 'status']);
};

/** The merge fields of the list, each with the value of the member. */
export function valuesOf({ list, values, web_id }: Member, { has }: Service): Json {
  const standardOf = ({ merge_id, default_value }: MergeField): string =>
    has('default-not-shown') && web_id < merge_id ? '' : default_value;
  const own = [...list.mergeFields.values()].map(
    (field) => [field.tag, values[field.tag] ?? standardOf(field)] as const,
  );
  return { ...(has('deleted-field-remains') ? values : {}), ...Object.fromEntries(own) };
}

export function show(member: Member, call: Call): Json {
  const { has, varies } = call.service;
  const { list, values: _values, tags: own, joined: _joined, ...plain } = member;
  const id = hashOf(member.email_address, call.service);
  const at = `/3.0/lists/${list.id}/members/`;
  const self = at + (has('self-link-broken') ? member.email_address : id);
  return {
    ...{ id, list_id: list.id, ...plain },
    merge_fields: valuesOf(member, call.service),
    tags_count: own.length,
    tags: own.map((tag) => ({ id: tag, name: list.segments.get(tag)?.name ?? '' })),
    timestamp_signup: api.writeTime(member.timestamp_signup, call),
    timestamp_opt: api.writeTimeOrNull(member.timestamp_opt, call),
    last_changed: api.writeTime(member.last_changed, call),
    ...(varies('more-properties') ? { ip_opt: '', stats: { avg_open_rate: 0.5 } } : {}),
    _links: [
      api.link(call, 'self', 'GET', self),
      api.link(call, 'upsert', 'PUT', at + id),
      api.link(call, 'tags', 'POST', `${at}${id}/tags`),
    ],
  };
}

const showOne = (member: Member, call: Call): Answer => api.answer(call, show(member, call));

export function getMembers(call: Call): Answer {
  const { has } = call.service;
  const list = api.findList(call, has('members-of-other-account'));
  const query = new api.Query(call);
  const status = query.oneOf('status', statuses);
  const type = query.oneOf('email_type', types);
  const vip = query.flag('vip_only');
  const isVip = vip === true || (vip === false && has('vip-only-false-filters'));
  const [opt, last] = [query.within('timestamp_opt'), query.within('last_changed')];
  const isOpen = (one: Member): boolean => one.status !== 'archived' || has('archived-listed');
  const records = [...list.members.values()].filter(
    (one) =>
      (status === undefined ? isOpen(one) : one.status === status) &&
      (type === undefined || one.email_type === type) &&
      (!isVip || one.vip) &&
      opt(one.timestamp_opt) &&
      last(one.last_changed),
  );
  const orders = {
    timestamp_opt: (one: Member) => one.timestamp_opt,
    timestamp_signup: (one: Member) => one.timestamp_signup,
    last_changed: (one: Member) => one.last_changed,
  };
  const more = { list_id: list.id };
  const showIt = (member: Member): Json => show(member, call);
  return api.pageOf(call, { name: 'members', records, show: showIt, orders, more });
}

export const getMember = (call: Call): Answer => showOne(api.findMember(call), call);

function isFit({ type, choices }: MergeField, value: unknown, { has }: Service): boolean {
  const isText = typeof value === 'string';
  if (value === null || typeof value === 'boolean') return false;
  if (value === '') return true;
  if (type === 'number') return isText ? has('number-as-text-accepted') : !isNaN(Number(value));
  if (!isText || [...value].length > 255) return false;
  return type === 'date' ? rule.isDate(value) : type === 'text' || choices.includes(value);
}

/** The values in the body over those before. */
function readValues(body: Json, list: List, before: Json, service: Service): Json {
  const found: Record<string, unknown> = { ...before };
  for (const [tag, value] of Object.entries((body['merge_fields'] ?? {}) as Json)) {
    const field = [...list.mergeFields.values()].find((one) => one.tag === tag);
    if (field === undefined || !isFit(field, value, service))
      api.invalid(`merge_fields.${tag}`, 'There is no such field, or its type is another one.');
    if (value === '') delete found[tag];
    else found[tag] = value;
  }
  return found;
}

/** To which statuses a member may go. */
const next: Readonly<Record<Status, readonly Status[]>> = {
  subscribed: ['unsubscribed', 'cleaned'],
  unsubscribed: ['subscribed', 'pending'],
  cleaned: ['pending'],
  pending: ['subscribed', 'unsubscribed', 'cleaned'],
  archived: ['subscribed', 'unsubscribed', 'pending'],
};

/** What of the body needs no further judgement. */
function plainFields(body: Json): Partial<Member> {
  const times = rule.pick(body, ['timestamp_signup', 'timestamp_opt']);
  for (const [name, time] of Object.entries(times))
    times[name] = Math.floor(Date.parse(String(time)) / 1000) * 1000;
  return { ...rule.pick(body, ['email_type', 'language', 'vip']), ...times };
}

const reasonIn = (body: Json, before?: Member): string =>
  (body['unsubscribe_reason'] ?? before?.unsubscribe_reason ?? 'N/A') as string;

/** Adds a member. */
export function add(body: Json, status: Status, list: List, call: Call): Member {
  const { service } = call;
  const values = readValues(body, list, {}, service);
  const isLax = new api.Query(call).flag('skip_merge_validation') === true;
  for (const { required, tag } of list.mergeFields.values())
    if (required && values[tag] === undefined && !isLax && !service.has('required-field-skipped'))
      api.invalid(`merge_fields.${tag}`, 'This field is required.');
  const names = new Set((body['tags'] ?? []) as string[]);
  return store.addMember(service, list, {
    ...{ email_address: String(body['email_address']), status, values, ...plainFields(body) },
    unsubscribe_reason: status === 'unsubscribed' ? reasonIn(body) : null,
    tags: [...names].map((name) => store.tagOf(service, list, name).id),
  });
}

const exists = (): never =>
  api.fail(400, 'The list has this address. Use PUT to change it.', { title: 'Member Exists' });

/** Changes the member, all or nothing. */
export function change(member: Member, body: Json, { service }: Call, isBatch = false): Member {
  const { has } = service;
  const { list } = member;
  if (has('refused-change-kept')) Object.assign(member, plainFields(body));
  const status = (body['status'] ?? member.status) as Status;
  const isSame = status === member.status;
  const isSpared =
    member.status === 'cleaned' && has(isBatch ? 'cleaned-by-batch' : 'cleaned-resubscribed');
  if (!isSame && !isSpared && !next[member.status].includes(status))
    api.invalid('status', `A member that is ${member.status} cannot become ${status}.`);
  const isEmptied =
    (has('merge-fields-replaced') && body['merge_fields'] !== undefined) ||
    (has('archived-returns-empty') && member.status === 'archived' && !isSame);
  const values = readValues(body, list, isEmptied ? {} : member.values, service);
  const address = (body['email_address'] ?? member.email_address) as string;
  const [old, hash] = [hashOf(member.email_address, service), hashOf(address, service)];
  if (hash !== old && list.members.has(hash)) exists();
  if (status === 'subscribed' && !isSame)
    Object.assign(member, { timestamp_opt: now(), joined: service.tick() });
  if (status === 'unsubscribed' && !isSame) list.unsubscribes += 1;
  if (status === 'unsubscribed') member.unsubscribe_reason = reasonIn(body, member);
  else if (!has('reason-stays')) member.unsubscribe_reason = null;
  Object.assign(member, plainFields(body), { values, status, email_address: address });
  if (!has('last-changed-still')) member.last_changed = now();
  if (hash === old) return member;
  list.members.delete(old);
  list.members.set(hash, member);
  list.former.set(old, member);
  return member;
}

export function postMembers(call: Call): Answer {
  const { service } = call;
  const list = api.findList(call);
  const body = api.readBody(call, newMember(service));
  const known = list.members.get(hashOf(String(body['email_address']), service));
  if (known === undefined) return showOne(add(body, body['status'] as Status, list, call), call);
  return service.has('member-exists-200') ? showOne(known, call) : exists();
}

export function putMember(call: Call): Answer {
  const { service } = call;
  const list = api.findList(call);
  const body = api.readBody(call, put);
  const hash = hashOf(String(body['email_address']), service);
  if (hash !== call.incoming.params['subscriber_hash'])
    api.invalid('email_address', 'The hash in the path is that of another address.');
  const member = list.members.get(hash);
  const status = body['status_if_new'] as Status;
  if (member === undefined) return showOne(add(body, status, list, call), call);
  const isTaken = service.has('put-takes-status-if-new') && body['status'] === undefined;
  change(member, isTaken ? { ...body, status } : body, call);
  if (service.has('put-drops-tags')) member.tags = [];
  return showOne(member, call);
}

export function patchMember(call: Call): Answer {
  const member = api.findMember(call);
  return showOne(change(member, api.readBody(call, changed), call), call);
}

export function archiveMember(call: Call): Answer {
  const member = api.findMember(call);
  if (member.status !== 'archived')
    Object.assign(member, { status: 'archived', unsubscribe_reason: null, last_changed: now() });
  return call.service.has('archive-answers-200') ? { status: 200, json: {} } : { status: 204 };
}

const tag = { name: text(1, 100), status: oneOf(['active', 'inactive']) };
const tags = listOf(fields(tag, ['name', 'status']), { min: 1, max: 50 });
const tagsForm = fields({ tags }, ['tags']);

export function postTags(call: Call): Answer {
  const member = api.findMember(call);
  const { list } = member;
  const entries = api.readBody(call, tagsForm)['tags'] as { name: string; status: string }[];
  for (const { name, status } of entries) {
    const isActive = status === 'active';
    const found = isActive ? store.tagOf(call.service, list, name) : store.findTag(list, name);
    const others = member.tags.filter((id) => id !== found?.id);
    member.tags = isActive && found !== undefined ? [...others, found.id] : others;
  }
  member.last_changed = now();
  return { status: 204 };
}

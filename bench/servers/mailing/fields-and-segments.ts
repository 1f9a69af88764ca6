import { fields, flag, listOf, oneOf, pick, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { show as showMember, valuesOf } from './members.ts';
import * as store from './store.ts';
import type { List, Member, MergeField, Options, Segment, Service } from './store.ts';

type Call = api.Call;

const types = ['text', 'number', 'date', 'dropdown'] as const;

const newField = fields(
  {
    name: text(1, 50),
    type: oneOf(types),
    tag: text(1, 10, /^[A-Z][A-Z0-9_]{0,9}$/),
    required: flag,
    default_value: text(0, 255),
    choices: listOf(text(1, 50), { min: 1, max: 20, unique: true }),
  },
  ['name', 'type'],
);

function showField(field: MergeField, list: List, call: Call): Json {
  const path = `/3.0/lists/${list.id}/merge-fields/${String(field.merge_id)}`;
  return { ...field, list_id: list.id, _links: [api.link(call, 'delete', 'DELETE', path)] };
}

export function getMergeFields(call: Call): Answer {
  const list = api.findList(call);
  const query = new api.Query(call);
  const type = query.oneOf('type', types);
  const required = query.flag('required');
  const records = [...list.mergeFields.values()].filter(
    (one) =>
      (type === undefined || one.type === type) &&
      (required === undefined || one.required === required),
  );
  const show = (field: MergeField): Json => showField(field, list, call);
  return api.pageOf(call, { name: 'merge_fields', records, show, more: { list_id: list.id } });
}

export function postMergeFields(call: Call): Answer {
  const { service } = call;
  const list = api.findList(call);
  const { name, type, tag, ...body } = api.readBody(call, newField) as Partial<MergeField>;
  if (type === 'dropdown' && body.choices === undefined)
    api.invalid('choices', 'A dropdown needs choices.');
  const isTaken = [...list.mergeFields.values()].some((one) => one.tag === tag);
  if (isTaken && !service.has('merge-tag-taken')) api.invalid('tag', 'The list has this tag.');
  const field = store.addField(service, list, {
    ...{ name: name ?? '', type: type ?? '', required: body.required ?? false },
    default_value: type === 'text' ? (body.default_value ?? '') : '',
    choices: type === 'dropdown' ? (body.choices ?? []) : [],
    ...(tag === undefined ? {} : { tag }),
  });
  return api.answer(call, showField(field, list, call));
}

export function deleteMergeField(call: Call): Answer {
  const list = api.findList(call);
  const { merge_id, tag } = api.findNumbered(call, 'merge_id', list.mergeFields);
  list.mergeFields.delete(merge_id);
  for (const member of list.members.values()) {
    const { [tag]: _gone, ...rest } = member.values;
    if (!call.service.has('deleted-field-remains')) member.values = rest;
  }
  return { status: 204 };
}

const op = oneOf(['is', 'not', 'contains']);
const condition = { field: text(0, Infinity), op, value: text(0, 255) };
const conditions = listOf(fields(condition, Object.keys(condition)), { min: 1, max: 5 });
const options = fields({ match: oneOf(['all', 'any']), conditions }, ['match', 'conditions']);
const static_segment = listOf(text(0, Infinity), { max: 500 });
const newSegment = fields({ name: text(1, 100), static_segment, options }, ['name']);

function isMet({ match, conditions: all }: Options, member: Member, service: Service): boolean {
  const { status, language, email_type } = member;
  const own: Json = { ...valuesOf(member, service), status, language, email_type };
  const tests = all.map(({ field, op: how, value }) => {
    const [found, wanted] = [String(own[field] ?? '').toLowerCase(), value.toLowerCase()];
    return how === 'contains' ? found.includes(wanted) : (found === wanted) === (how === 'is');
  });
  const isAny = match === 'any' && !service.has('any-taken-for-all');
  return isAny ? tests.includes(true) : !tests.includes(false);
}

/** The members that a segment has now. */
export function membersOf(list: List, segment: Segment, service: Service): Member[] {
  const all = service.has('segment-frozen') ? segment.frozen : undefined;
  return (all ?? [...list.members.values()]).filter(
    (one) =>
      one.status !== 'archived' &&
      (segment.options === undefined
        ? one.tags.includes(segment.id)
        : all !== undefined || isMet(segment.options, one, service)),
  );
}

function showSegment(segment: Segment, list: List, call: Call): Json {
  const { id, name, created, options: given } = segment;
  const path = `/3.0/lists/${list.id}/segments/${String(id)}/members`;
  return {
    ...{ id, name, list_id: list.id, type: given === undefined ? 'static' : 'saved' },
    member_count: membersOf(list, segment, call.service).length,
    ...(given === undefined ? {} : { options: given }),
    created_at: api.writeTime(created, call),
    _links: [api.link(call, 'members', 'GET', path)],
  };
}

export function getSegments(call: Call): Answer {
  const list = api.findList(call);
  const type = new api.Query(call).oneOf('type', ['static', 'saved']);
  const records = [...list.segments.values()].filter(
    ({ options: given }) =>
      (type === undefined || (type === 'static') === (given === undefined)) &&
      !(given === undefined && call.service.has('tag-not-a-segment')),
  );
  const show = (segment: Segment): Json => showSegment(segment, list, call);
  return api.pageOf(call, { name: 'segments', records, show, more: { list_id: list.id } });
}

export function postSegments(call: Call): Answer {
  const { service } = call;
  const list = api.findList(call);
  const body = api.readBody(call, newSegment);
  const name = String(body['name']);
  const given = body['options'] as Options | undefined;
  const addresses = body['static_segment'] as string[] | undefined;
  if ((given === undefined) === (addresses === undefined))
    api.invalid('options', 'There must be either options or static_segment.');
  const tags = [...list.mergeFields.values()].map(({ tag }) => tag);
  const known = [...tags, 'status', 'language', 'email_type'];
  if (given?.conditions.some(({ field }) => !known.includes(field)) === true)
    api.invalid('options.conditions', 'There is no such field.');
  if ([...list.segments.values()].some((one) => one.name === name))
    api.invalid('name', 'The list has a segment of this name.');
  let segment: Segment;
  if (given === undefined) {
    segment = store.tagOf(service, list, name);
    for (const hash of new Set(addresses?.map((address) => store.hashOf(address, service)))) {
      const member = list.members.get(hash);
      if (member === undefined) continue;
      member.tags = [...member.tags, segment.id];
      member.last_changed = store.now();
    }
  } else {
    const all = given.conditions.map((one) => pick(one, Object.keys(condition)));
    const kept = { match: given.match, conditions: all as unknown as Options['conditions'] };
    const rest = { created: store.now(), options: kept };
    segment = { id: service.newNumber(), name, ...rest };
    segment.frozen = membersOf(list, segment, service);
    list.segments.set(segment.id, segment);
  }
  return api.answer(call, showSegment(segment, list, call));
}

export function getSegmentMembers(call: Call): Answer {
  const list = api.findList(call);
  const segment = api.findNumbered(call, 'segment_id', list.segments);
  const records = membersOf(list, segment, call.service);
  const show = (member: Member): Json => showMember(member, call);
  return api.pageOf(call, { name: 'members', records, show, more: { list_id: list.id } });
}

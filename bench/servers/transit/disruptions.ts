import { isDeepStrictEqual } from 'node:util';
import {
  dateTime,
  fields,
  listOf,
  oneOf,
  orNull,
  pick,
  text,
  type Rule,
} from '../serving/fields.ts';
import { areNames, namesIn, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  accountOf,
  answer,
  answerRead,
  bodyOf,
  datesOf,
  fail,
  failMember,
  failState,
  isAny,
  isIn,
  isMatch,
  iso,
  isoOrNull,
  parameter,
  placed,
  tagOf,
  urlOf,
  type Call,
} from './call.ts';
import { momentOf, pageOf } from './lists.ts';
import { severities, type Disruption } from './store.ts';

const states = ['draft', 'published', 'withdrawn'];
const causes = ['construction', 'accident', 'weather', 'strike', 'event', 'technical', 'other'];

const rules: Readonly<Record<string, Rule>> = {
  severity: oneOf(severities),
  cause: oneOf(causes),
  title: text(3, 120),
  text: orNull(text(0, 2000)),
  lineIds: listOf(text(0, 200), { min: 1, max: 20, unique: true }),
  stopIds: listOf(text(0, 200), { max: 50, unique: true }),
  validFrom: dateTime,
  validUntil: orNull(dateTime),
};

function show(disruption: Disruption): Json {
  const { validFrom, validUntil, published, withdrawn, created, modified, ...rest } = disruption;
  return {
    ...rest,
    validFrom: iso(validFrom),
    validUntil: isoOrNull(validUntil),
    publishedAt: isoOrNull(published),
    withdrawnAt: isoOrNull(withdrawn),
    ...datesOf({ id: rest.id, created, modified }),
  };
}

const tagFor = ({ service }: Call, disruption: Disruption): string =>
  service.has('tag-stays') ? `"${disruption.id}-1"` : tagOf(show(disruption));

const isOwn = ({ account }: Call, { operatorId }: Disruption): boolean =>
  account?.id === operatorId;

export function listDisruptions(call: Call): Answer {
  const { has, disruptions } = call.service;
  const status = parameter(call, 'status', isIn(states));
  const given = parameter(call, 'severity', areNames(severities, 1));
  const lineId = parameter(call, 'lineId', isAny);
  const operatorId = parameter(call, 'operatorId', isAny);
  const activeAt = momentOf(call, 'activeAt');
  const since = momentOf(call, 'modifiedSince');
  const orders = ['validFrom', '-validFrom', 'severity', '-severity'];
  const sort = parameter(call, 'sort', isIn(orders)) ?? '-validFrom';
  const wanted = namesIn(given).slice(0, has('severity-first-only') ? 1 : undefined);
  const open = has('active-at-misses-open-ended') ? -Infinity : Infinity;
  const shown = has('withdrawn-by-default') ? ['published', 'withdrawn'] : ['published'];
  const mayBeSeen = (record: Disruption): boolean =>
    record.status !== 'draft' || isOwn(call, record) || has('drafts-of-others-listed');
  const records = [...disruptions.values()].filter(
    (record) =>
      mayBeSeen(record) &&
      (status === undefined ? shown : [status]).includes(record.status) &&
      (given === undefined || wanted.includes(record.severity)) &&
      (lineId === undefined || record.lineIds.includes(lineId)) &&
      (operatorId ?? record.operatorId) === record.operatorId &&
      (activeAt === undefined ||
        (record.validFrom <= activeAt && activeAt < (record.validUntil ?? open))) &&
      (since ?? 0) <= (has('modified-since-compares-created') ? record.created : record.modified),
  );
  const weightOf = ({ severity }: Disruption) =>
    has('severity-by-alphabet') ? severity : severities.indexOf(severity);
  const keysOf = (record: Disruption) => [
    sort.endsWith('severity') ? weightOf(record) : record.validFrom,
    record.id,
  ];
  return pageOf(call, { records, keysOf, signs: [sort.startsWith('-') ? -1 : 1, 1], show });
}

/** The message of the path, if the caller may see it. */
function find(call: Call): Disruption {
  const disruption = call.service.disruptions.get(placed(call, 'disruptionId'));
  if (disruption !== undefined && (disruption.status !== 'draft' || isOwn(call, disruption)))
    return disruption;
  return fail(call, 'missing', { message: 'There is no such message.' });
}

export function getDisruption(call: Call): Answer {
  const disruption = find(call);
  return answerRead(call, show(disruption), { tag: tagFor(call, disruption) });
}

function checkOperator(call: Call): void {
  if (!accountOf(call).isOperator && !call.service.has('partner-drafts'))
    fail(call, 'forbidden', { message: 'Only operators write messages.' });
}

/** The message of the path, which the caller wrote. */
function findOwn(call: Call): Disruption {
  checkOperator(call);
  const disruption = find(call);
  if (isOwn(call, disruption)) return disruption;
  return fail(call, 'forbidden', { message: 'Another operator wrote the message.' });
}

type Sent = Omit<Partial<Disruption>, 'validFrom' | 'validUntil'> & {
  readonly validFrom?: string;
  readonly validUntil?: string | null;
};

/** The members of a body, with moments as milliseconds. */
function membersOf(body: Json): Partial<Disruption> {
  const { validFrom, validUntil, ...rest } = pick(body, Object.keys(rules)) as Sent;
  const until = typeof validUntil === 'string' ? Date.parse(validUntil) : validUntil;
  return {
    ...rest,
    ...(validFrom === undefined ? {} : { validFrom: Date.parse(validFrom) }),
    ...(until === undefined ? {} : { validUntil: until }),
  };
}

/** Refuses references to nothing, lines of others, and a validity that ends before it begins. */
function checkMembers(call: Call, record: Disruption): void {
  const { lines, stops, has } = call.service;
  const own = record.lineIds.map((id) => lines.get(id)?.operatorId);
  const mayBeAny = has('partner-drafts') && !accountOf(call).isOperator;
  if (own.some((id) => id === undefined || (id !== record.operatorId && !mayBeAny)))
    failMember(call, 'lineIds', 'lineIds must be lines that you run.');
  if (record.stopIds.some((id) => !stops.has(id)))
    failMember(call, 'stopIds', 'stopIds must be stops.');
  if (record.validUntil !== null && record.validUntil <= record.validFrom)
    failMember(call, 'validUntil', 'validUntil must be behind validFrom.');
}

function shownIn(call: Call, disruption: Disruption, status = 200): Answer {
  const path = urlOf(call, `/v1/disruptions/${disruption.id}`);
  const headers = status === 201 ? { Location: path } : {};
  return answer(show(disruption), { status, tag: tagFor(call, disruption), headers });
}

export function draftDisruption(call: Call): Answer {
  const { service } = call;
  checkOperator(call);
  const body = bodyOf(call, fields(rules, ['title', 'lineIds', 'validFrom']));
  const created = service.now();
  const isFree = service.has('status-from-body') && isIn(states)(String(body['status']));
  const disruption: Disruption = {
    id: `dis_${service.nextId()}`,
    status: isFree ? (body['status'] as Disruption['status']) : 'draft',
    operatorId: accountOf(call).id,
    severity: 'minor',
    cause: 'other',
    title: '',
    text: null,
    lineIds: [],
    stopIds: [],
    validFrom: created,
    validUntil: null,
    ...membersOf(body),
    published: null,
    withdrawn: null,
    created,
    modified: created,
  };
  checkMembers(call, disruption);
  service.disruptions.set(disruption.id, disruption);
  return shownIn(call, disruption, 201);
}

const changeable = ['severity', 'title', 'text', 'validUntil'];

/** Refuses what cannot be changed any more. */
function checkState(call: Call, disruption: Disruption, sent: Partial<Disruption>): void {
  const { has } = call.service;
  if (disruption.status === 'withdrawn' && !has('withdrawn-changed'))
    failState(call, 'The message is withdrawn.');
  const free = [...changeable, ...(has('published-lines-changed') ? ['lineIds'] : [])];
  const isKept = Object.entries(sent).every(
    ([name, value]) =>
      free.includes(name) || isDeepStrictEqual(value, disruption[name as keyof Disruption]),
  );
  if (disruption.status === 'published' && !isKept)
    failState(call, 'Only severity, title, text and validUntil of a published message change.');
}

export function patchDisruption(call: Call): Answer {
  const { service } = call;
  const { has, disruptions } = service;
  const disruption = findOwn(call);
  const all = membersOf(bodyOf(call, fields(rules, [])));
  const given = Object.entries(all).filter(
    ([, value]) => value !== null || !has('null-leaves-member'),
  );
  const sent: Partial<Disruption> = Object.fromEntries(given);
  const changed: Disruption = {
    ...disruption,
    ...(has('patch-resets-stops') ? { stopIds: [] } : {}),
    ...sent,
    modified: has('modified-at-stays') ? disruption.modified : service.now(),
  };
  checkMembers(call, changed);
  if (call.incoming.headers['if-match'] === undefined)
    fail(call, 'needed', { message: 'If-Match is needed.' });
  if (!isMatch(call, tagFor(call, disruption)) && !has('old-tag-accepted')) {
    if (has('refused-patch-kept')) disruptions.set(disruption.id, changed);
    fail(call, 'tag', { message: 'The message has been changed.' });
  }
  checkState(call, disruption, sent);
  disruptions.set(disruption.id, changed);
  return shownIn(call, changed);
}

export function deleteDisruption(call: Call): Answer {
  const disruption = findOwn(call);
  if (disruption.status !== 'draft') failState(call, 'Only drafts are deleted.');
  call.service.disruptions.delete(disruption.id);
  return { status: 204 };
}

export function publishDisruption(call: Call): Answer {
  const { service } = call;
  const disruption = findOwn(call);
  if (disruption.status !== 'draft') failState(call, 'The message is no draft.');
  const now = service.now();
  const isOver = disruption.validUntil !== null && disruption.validUntil <= now;
  if (isOver && !service.has('over-published')) failState(call, 'The validity is over.');
  const changed: Disruption = { ...disruption, status: 'published', published: now, modified: now };
  service.disruptions.set(disruption.id, changed);
  return shownIn(call, changed);
}

export function withdrawDisruption(call: Call): Answer {
  const { service } = call;
  const disruption = findOwn(call);
  if (disruption.status !== 'published') failState(call, 'The message is not published.');
  const now = service.now();
  const changed: Disruption = { ...disruption, status: 'withdrawn', withdrawn: now, modified: now };
  service.disruptions.set(disruption.id, changed);
  return shownIn(call, changed);
}

import { fields, listOf, oneOf, orNull, pick, text, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  accountOf,
  answer,
  answerRead,
  bodyOf,
  datesOf,
  fail,
  failMember,
  findOwn,
  isAny,
  isIn,
  isMatch,
  parameter,
  privacyOf,
  tagOf,
  urlOf,
  type Call,
} from './call.ts';
import { pageOf } from './lists.ts';
import type { Journey } from './store.ts';

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const rules: Readonly<Record<string, Rule>> = {
  name: text(1, 60),
  fromStopId: text(0, 200),
  toStopId: text(0, 200),
  viaStopIds: listOf(text(0, 200), { max: 5 }),
  days: listOf(oneOf(week), { min: 1, max: 7, unique: true }),
  departAfter: text(5, 5, /^([01][0-9]|2[0-3]):[0-5][0-9]$/),
  note: orNull(text(0, 500)),
};

function show({ service }: Call, journey: Journey): Json {
  const { owner: _owner, created, modified, ...rest } = journey;
  const alerts = [...service.subscriptions.values()].filter(
    ({ journeyId, status }) =>
      journeyId === journey.id && (status === 'active' || service.has('alerts-count-all')),
  );
  const dates = datesOf({ id: rest.id, created, modified });
  return { ...rest, activeAlerts: alerts.length, ...dates };
}

export function listJourneys(call: Call): Answer {
  const { id } = accountOf(call);
  const stopId = parameter(call, 'stopId', isAny);
  const day = parameter(call, 'day', isIn(week));
  const isShort = call.service.has('stop-filter-misses-via');
  const stopsOf = ({ fromStopId, toStopId, viaStopIds }: Journey): string[] => [
    fromStopId,
    toStopId,
    ...(isShort ? [] : viaStopIds),
  ];
  const records = [...call.service.journeys.values()].filter(
    (journey) =>
      journey.owner === id &&
      (stopId === undefined || stopsOf(journey).includes(stopId)) &&
      (day === undefined || journey.days.includes(day)),
  );
  return pageOf(call, {
    records,
    keysOf: (journey) => [journey.name.toLowerCase(), journey.id],
    show: (journey) => show(call, journey),
    headers: privacyOf(call),
  });
}

function find(call: Call): Journey {
  const isShared = call.service.has('journey-of-other-shown') && call.incoming.method === 'GET';
  return findOwn(call, call.service.journeys, { name: 'journeyId', isShared });
}

export function getJourney(call: Call): Answer {
  return answerRead(call, show(call, find(call)), { headers: privacyOf(call) });
}

/** The members of a body, those that are not sent by their defaults. */
function readJourney(call: Call): Omit<Journey, 'id' | 'owner' | 'created' | 'modified'> {
  const { stops, has } = call.service;
  const body = bodyOf(call, fields(rules, ['name', 'fromStopId', 'toStopId']));
  const sent = pick(body, Object.keys(rules)) as Pick<Journey, 'name' | 'fromStopId' | 'toStopId'>;
  const journey = {
    viaStopIds: [],
    days: has('days-default-all') ? week : week.slice(0, 5),
    departAfter: '07:00',
    note: null,
    ...sent,
  };
  for (const name of ['fromStopId', 'toStopId'] as const)
    if (!stops.has(journey[name])) failMember(call, name, `${name} must be a stop.`);
  if (journey.viaStopIds.some((id) => !stops.has(id)) && !has('unknown-stop-saved'))
    failMember(call, 'viaStopIds', 'viaStopIds must be stops.');
  if (journey.fromStopId === journey.toStopId)
    failMember(call, 'toStopId', 'toStopId must be another stop than fromStopId.');
  return journey;
}

/** Refuses the name of another journey of the account. */
function checkName(call: Call, name: string, own?: Journey): void {
  const { id } = accountOf(call);
  const fold = (value: string): string =>
    call.service.has('name-in-capitals-free') ? value : value.toLowerCase();
  const isTaken = [...call.service.journeys.values()].some(
    (other) => other !== own && other.owner === id && fold(other.name) === fold(name),
  );
  if (isTaken) fail(call, 'taken', { message: 'You have a journey of this name.', target: 'name' });
}

export function saveJourney(call: Call): Answer {
  const { service } = call;
  const { id: owner } = accountOf(call);
  const sent = readJourney(call);
  checkName(call, sent.name);
  const created = service.now();
  const id = `jrn_${service.nextId()}`;
  const journey: Journey = { id, owner, ...sent, created, modified: created };
  service.journeys.set(id, journey);
  const shown = show(call, journey);
  const headers = { Location: urlOf(call, `/v1/journeys/${id}`), ...privacyOf(call) };
  return answer(shown, { status: 201, tag: tagOf(shown), headers });
}

export function replaceJourney(call: Call): Answer {
  const { service } = call;
  const journey = find(call);
  const sent = readJourney(call);
  if (!isMatch(call, tagOf(show(call, journey))))
    fail(call, 'tag', { message: 'The journey has been changed.' });
  if (!service.has('rename-to-taken')) checkName(call, sent.name, journey);
  const isNoteKept = service.has('put-keeps-note') && sent.note === null;
  const { id, owner, created } = journey;
  const changed: Journey = {
    ...{ id, owner, ...sent, created, modified: service.now() },
    ...(isNoteKept ? { note: journey.note } : {}),
  };
  service.journeys.set(id, changed);
  const shown = show(call, changed);
  return answer(shown, { tag: tagOf(shown), headers: privacyOf(call) });
}

export function deleteJourney(call: Call): Answer {
  const { journeys, subscriptions, has } = call.service;
  const { id } = find(call);
  journeys.delete(id);
  if (!has('journey-leaves-subscriptions'))
    for (const subscription of subscriptions.values())
      if (subscription.journeyId === id) subscriptions.delete(subscription.id);
  return { status: 204 };
}

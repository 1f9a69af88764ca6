import { email, fields, oneOf, pick, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  accountOf,
  answer,
  bodyOf,
  datesOf,
  fail,
  failMember,
  failState,
  findOwn,
  isAny,
  isIn,
  isoOrNull,
  parameter,
  privacyOf,
  urlOf,
  type Call,
} from './call.ts';
import { pageOf } from './lists.ts';
import { sandboxCode, severities, type Subscription } from './store.ts';

const channels = ['email', 'webhook'];
const states = ['pending', 'active', 'paused', 'locked'];

function show({ service }: Call, subscription: Subscription): Json {
  const { id, journeyId, lineId, channel, destination, minSeverity, status } = subscription;
  return {
    ...{ id, journeyId, lineId, channel, destination, minSeverity, status },
    ...(service.has('secret-shown') ? { secret: subscription.secret ?? null } : {}),
    confirmedAt: isoOrNull(subscription.confirmed),
    ...datesOf(subscription),
  };
}

export function listSubscriptions(call: Call): Answer {
  const { id } = accountOf(call);
  const status = parameter(call, 'status', isIn(states));
  const channel = parameter(call, 'channel', isIn(channels));
  const journeyId = parameter(call, 'journeyId', isAny);
  const records = [...call.service.subscriptions.values()].filter(
    (record) =>
      record.owner === id &&
      (status ?? record.status) === record.status &&
      (channel ?? record.channel) === record.channel &&
      (journeyId ?? record.journeyId) === record.journeyId,
  );
  return pageOf(call, {
    records,
    keysOf: (record) => [record.created, record.id],
    show: (record) => show(call, record),
    headers: privacyOf(call),
  });
}

const find = (call: Call): Subscription =>
  findOwn(call, call.service.subscriptions, { name: 'subscriptionId' });

export const getSubscription = (call: Call): Answer =>
  answer(show(call, find(call)), { headers: privacyOf(call) });

const isHook = (value: string): boolean => /^https:\/\//i.test(value) && URL.canParse(value);

interface Sent {
  readonly journeyId?: string;
  readonly lineId?: string;
  readonly channel: string;
  readonly destination: string;
  readonly minSeverity?: string;
  readonly secret?: string;
}

/** Refuses what the subscription cannot be for, and a destination that is not of the channel. */
function checkSent(call: Call, { journeyId, lineId, channel, destination }: Sent): void {
  const { journeys, lines } = call.service;
  if ((journeyId === undefined) === (lineId === undefined))
    failMember(call, 'journeyId', 'One of journeyId and lineId is required, not both.');
  if (journeyId !== undefined && journeys.get(journeyId)?.owner !== accountOf(call).id)
    failMember(call, 'journeyId', 'journeyId must be one of your journeys.');
  if (lineId !== undefined && !lines.has(lineId))
    failMember(call, 'lineId', 'lineId must be a line.');
  const isFit = channel === 'webhook' ? isHook(destination) : email(destination, '') === undefined;
  if (!isFit) failMember(call, 'destination', `destination is not one of ${channel}.`);
}

const rules = {
  journeyId: text(0, 200),
  lineId: text(0, 200),
  channel: oneOf(channels),
  destination: text(5, 200),
  minSeverity: oneOf(severities),
  secret: text(16, 64),
};

export function subscribe(call: Call): Answer {
  const { service } = call;
  const { id: owner } = accountOf(call);
  const body = bodyOf(call, fields(rules, ['channel', 'destination']));
  const sent = pick(body, Object.keys(rules)) as Readonly<Record<string, unknown>> & Sent;
  checkSent(call, sent);
  const { journeyId = null, lineId = null, secret, ...rest } = sent;
  const isTaken = [...service.subscriptions.values()].some(
    (other) =>
      other.owner === owner &&
      other.journeyId === journeyId &&
      other.lineId === lineId &&
      other.destination === sent.destination,
  );
  if (isTaken) fail(call, 'taken', { message: 'You have this subscription already.' });
  const created = service.now();
  const subscription: Subscription = {
    id: `sub_${service.nextId()}`,
    owner,
    journeyId,
    lineId,
    minSeverity: 'minor',
    ...rest,
    secret,
    status: 'pending',
    confirmed: null,
    wrongCodes: 0,
    created,
    modified: created,
  };
  service.subscriptions.set(subscription.id, subscription);
  const headers = { Location: urlOf(call, `/v1/subscriptions/${subscription.id}`) };
  return answer(show(call, subscription), {
    status: 201,
    headers: { ...headers, ...privacyOf(call) },
  });
}

/** Stores a subscription as it is from now on. */
function change(call: Call, subscription: Subscription, members: Partial<Subscription>): Answer {
  const { service } = call;
  const changed = { ...subscription, ...members, modified: service.now() };
  service.subscriptions.set(subscription.id, changed);
  return answer(show(call, changed), { headers: privacyOf(call) });
}

export function patchSubscription(call: Call): Answer {
  const { has } = call.service;
  const subscription = find(call);
  const patchRules = { minSeverity: oneOf(severities), status: oneOf(['active', 'paused']) };
  const body = bodyOf(call, fields(patchRules, []));
  const { status, ...rest } = pick(body, Object.keys(patchRules)) as Partial<Subscription>;
  const isConfirmed = subscription.status === 'active' || subscription.status === 'paused';
  const mayBe = isConfirmed || (subscription.status === 'pending' && has('pending-activated'));
  if (status !== undefined && !mayBe) failState(call, 'The subscription is not confirmed.');
  const { destination } = body;
  return change(call, subscription, {
    ...rest,
    ...(status === undefined ? {} : { status }),
    ...(has('destination-changed') && typeof destination === 'string' ? { destination } : {}),
  });
}

export function unsubscribe(call: Call): Answer {
  call.service.subscriptions.delete(find(call).id);
  return { status: 204 };
}

export function confirmSubscription(call: Call): Answer {
  const { has, now } = call.service;
  const subscription = find(call);
  const { code } = bodyOf(call, fields({ code: text(6, 6, /^[0-9]{6}$/) }, ['code']));
  if (subscription.status !== 'pending') failState(call, 'The subscription is not pending.');
  if (code === sandboxCode)
    return change(call, subscription, { status: 'active', confirmed: now() });
  const wrongCodes = subscription.wrongCodes + 1;
  const isLocked = wrongCodes >= 3 && !has('third-code-locks-not');
  if (isLocked) change(call, subscription, { wrongCodes, status: 'locked' });
  else call.service.subscriptions.set(subscription.id, { ...subscription, wrongCodes });
  return fail(call, 'code', { message: 'The code is wrong.', target: 'code' });
}

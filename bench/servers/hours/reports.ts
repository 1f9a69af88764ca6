import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { amountOf, hoursOf } from './hours.ts';
import type { Entry, Service } from './store.ts';

type Call = api.Call;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What the entries of a report are grouped by. */
const groupings: Readonly<Record<string, (entry: Entry) => Named>> = {
  clients: ({ project }) => project.client,
  projects: ({ project }) => project,
  team: ({ user }) => ({ id: user.id, name: api.nameOf(user) }),
};

function sumsOf(entries: readonly Entry[], service: Service): Json {
  const sum = (some: readonly Entry[], valueOf: (one: Entry) => number): number =>
    api.decimal(some.reduce((all, one) => all + valueOf(one), 0));
  const hours = (one: Entry): number => hoursOf(one, service);
  const billable = entries.filter((one) => one.billable);
  return {
    ...{ total_hours: sum(entries, hours), billable_hours: sum(billable, hours) },
    billable_amount: sum(billable, (one) => amountOf(one, service)),
  };
}

/** A date of the query, which must be there. */
function dateOf({ incoming }: Call, place: string): string {
  return api.dateOf(place, incoming.query.get(place) ?? '');
}

export function reportTime(call: Call): Answer {
  const { service, account, incoming } = call;
  const { has, entries } = service;
  api.needAdmin(call);
  const grouping = incoming.params['grouping'] ?? '';
  if (!Object.hasOwn(groupings, grouping)) api.fail(404, 'There is no such report.');
  const groupOf = groupings[grouping] ?? (({ project }: Entry) => project);
  const [from, to] = [dateOf(call, 'from'), dateOf(call, 'to')];
  if (to < from) api.fail(400, 'The period ends before it begins.', ['to']);
  const counted = entries.filter(({ spent_date: day, timer_started_at }) => {
    const isIn = day >= from && (has('report-without-last-day') ? day < to : day <= to);
    return isIn && (timer_started_at === null || has('report-with-running'));
  });
  const own = counted.filter((one) => one.account === account);
  const groups = new Map(own.map((one) => [groupOf(one).id, groupOf(one)]));
  const sorted = [...groups.values()].toSorted((a, b) => a.id - b.id);
  const { rows, json } = api.pageOf(call, sorted, ['from', 'to']);
  const ofGroups = (some: readonly Named[]): Entry[] => {
    const ids = new Set(some.map(({ id }) => id));
    return own.filter((one) => ids.has(groupOf(one).id));
  };
  const results = rows.map((one) => {
    return { ...api.named(one), ...sumsOf(ofGroups([one]), service) };
  });
  const all = has('report-of-all-accounts') ? counted : own;
  const totals = sumsOf(has('totals-of-page') ? ofGroups(rows) : all, service);
  return { status: 200, json: { results, totals, ...json } };
}

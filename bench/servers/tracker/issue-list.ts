import { sortBy } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import type { InProject } from './call.ts';
import { pageOf, Query } from './query.ts';
import type { Issue, Service } from './store.ts';
import { seenIn, showIssue } from './views.ts';

type Test = (issue: Issue) => boolean;

function labelTests(query: Query, { has }: Service): (Test | false)[] {
  const labels = query.texts('labels');
  const without = query.texts('not[labels]');
  const [only = ''] = labels?.length === 1 ? labels : [];
  const hasAll = (wanted: readonly string[], isOneEnough: boolean): Test => {
    const how = isOneEnough ? 'some' : 'every';
    return (issue) => wanted[how]((name) => issue.labels.includes(name));
  };
  const test = hasAll(labels ?? [], has('labels-any-of-several'));
  const isBarred = hasAll(without ?? [], !has('not-labels-needs-all'));
  const isNone = only === 'None' && !has('labels-none-as-name');
  return [
    isNone && ((issue) => issue.labels.length === 0),
    only === 'Any' && ((issue) => issue.labels.length > 0),
    labels !== undefined && !isNone && only !== 'Any' && test,
    without !== undefined && ((issue) => !isBarred(issue)),
  ];
}

function textTest(query: Query, { has }: Service): Test {
  const part = query.text('search')?.toLowerCase() ?? '';
  const places = ['title', 'description', 'title,description'];
  const given = query.oneOf('in', places) ?? 'title,description';
  const place = has('search-in-ignored') ? 'title,description' : given;
  return ({ title, description }) =>
    (place.includes('title') && title.toLowerCase().includes(part)) ||
    (place.includes('description') && (description ?? '').toLowerCase().includes(part)) ||
    part === '';
}

function timeTests(query: Query, { has }: Service): (Test | false)[] {
  const from = query.moment('created_after');
  const to = query.moment('created_before');
  const since = query.moment('updated_after');
  const until = query.moment('updated_before');
  return [
    from !== undefined && ((one) => one.createdAt >= from),
    to !== undefined && ((one) => one.createdAt <= to),
    since !== undefined && ((one) => one.updatedAt >= since),
    until !== undefined && !has('updated-before-ignored') && ((one) => one.updatedAt <= until),
  ];
}

function filtersOf(query: Query, service: Service): Test[] {
  const state = query.oneOf('state', ['opened', 'closed', 'all']) ?? 'all';
  const milestone = query.text('milestone', 1);
  const author = query.number('author_id');
  const assignee = query.number('assignee_id');
  const confidential = query.flag('confidential');
  const all = query.numbers('iids[]');
  const iids = service.has('iids-last-only') ? all.slice(-1) : all;
  const titleOf = ({ milestoneId }: Issue): string =>
    service.milestones.get(milestoneId ?? 0)?.title ?? 'None';
  const tests: (Test | false)[] = [
    state !== 'all' && ((one) => (one.closedAt === null) === (state === 'opened')),
    milestone === 'Any' && ((one) => one.milestoneId !== null),
    milestone === 'None' && ((one) => one.milestoneId === null),
    milestone !== undefined &&
      !['Any', 'None'].includes(milestone) &&
      ((one) => one.milestoneId !== null && titleOf(one) === milestone),
    author !== undefined && ((one) => one.author.id === author),
    assignee !== undefined && ((one) => one.assignees.some(({ id }) => id === assignee)),
    confidential !== undefined && ((one) => one.confidential === confidential),
    iids.length > 0 && ((one) => iids.includes(one.iid)),
    ...labelTests(query, service),
    textTest(query, service),
    ...timeTests(query, service),
  ];
  return tests.filter((test) => test !== false);
}

function ordered(query: Query, issues: readonly Issue[], { has }: Service): Issue[] {
  const order = query.oneOf('order_by', ['created_at', 'updated_at', 'due_date']) ?? 'created_at';
  const sign = query.oneOf('sort', ['asc', 'desc']) === 'asc' ? 1 : -1;
  const valueOf = (issue: Issue): unknown => {
    if (order === 'due_date') return issue.dueDate;
    const isUpdated = order === 'updated_at' && !has('updated-order-by-creation');
    return isUpdated ? issue.updatedAt : issue.createdAt;
  };
  const last = has('due-date-nulls-first') ? -1 : 1;
  const isDateless = ({ dueDate }: Issue): number =>
    order === 'due_date' && dueDate === null ? last : 0;
  const orders = [
    { valueOf: isDateless, sign: 1 },
    { valueOf, sign },
  ];
  return sortBy(issues, [...orders, { valueOf: ({ id }: Issue) => id, sign }]);
}

export function listIssues(call: InProject): Answer {
  const { service, project } = call;
  const query = new Query(call);
  const tests = filtersOf(query, service);
  const isFound = (issue: Issue): boolean => tests.every((test) => test(issue));
  const found = ordered(query, seenIn(call).filter(isFound), service);
  const all = [...service.issues.values()].filter((one) => one.projectId === project.id);
  const hidden = service.has('total-counts-hidden') ? all.filter(isFound).length - found.length : 0;
  return pageOf(call, found, (issue) => showIssue(call, issue), { hidden, query });
}

import { date, oneOf, orNull, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { anyOrder, bad, fail, missing, need, numberIn, readBody, unfit } from './call.ts';
import type { InProject } from './call.ts';
import { pageOf, Query } from './query.ts';
import { addLabel, addMilestone, levels, type Label, type Milestone } from './store.ts';
import { showLabel, showMilestone } from './views.ts';

export const labelsOf = ({ service, project }: InProject): Label[] =>
  anyOrder(service, service.labels.values()).filter(({ projectId }) => projectId === project.id);

export function listLabels(call: InProject): Answer {
  const query = new Query(call);
  const part = query.text('search')?.toLowerCase() ?? '';
  const found = labelsOf(call).filter(({ name }) => name.toLowerCase().includes(part));
  return pageOf(call, found, (label) => showLabel(call, label), { query });
}

export function createLabel(call: InProject): Answer {
  const { service, project } = call;
  need(call, levels.reporter);
  const color = service.has('color-unchecked') ? undefined : /^#[0-9a-fA-F]{6}$/;
  const rules = {
    name: text(1, 255, /^[^\s,]([^,]*[^\s,])?$/),
    color: text(1, 20, color),
    description: orNull(text(0, 500)),
  };
  const body = readBody(call, rules, ['name', 'color']);
  const isTaken = labelsOf(call).some(({ name }) => name === body['name']);
  if (isTaken && !service.has('label-name-twice')) fail(service, 409, 'Label already exists');
  const label = addLabel(service, project, body as unknown as Label);
  return { status: 201, json: showLabel(call, label) };
}

export function deleteLabel(call: InProject): Answer {
  const { service, project } = call;
  const id = numberIn(call, 'label_id');
  const label = labelsOf(call).find((one) => one.id === id) ?? missing(service, 'Label ');
  need(call, levels.reporter);
  service.labels.delete(id);
  if (!service.has('deleted-label-stays'))
    for (const issue of service.issues.values())
      if (issue.projectId === project.id)
        issue.labels = issue.labels.filter((name) => name !== label.name);
  return { status: 204 };
}

const milestonesOf = ({ service, project }: InProject): Milestone[] =>
  [...service.milestones.values()].filter(({ projectId }) => projectId === project.id);

export function listMilestones(call: InProject): Answer {
  const query = new Query(call);
  const state = query.oneOf('state', ['active', 'closed']);
  const part = query.text('search')?.toLowerCase() ?? '';
  const found = milestonesOf(call).filter(
    ({ closed, title }) =>
      (state === undefined || closed === (state === 'closed')) &&
      title.toLowerCase().includes(part),
  );
  return pageOf(call, found, (one) => showMilestone(call, one), { query });
}

const rulesOfMilestone = {
  title: text(1, 255, /\S/),
  description: orNull(text(0, 10_000)),
  start_date: orNull(date),
  due_date: orNull(date),
};

/** What a milestone becomes by the body; refuses what does not fit. */
function readMilestone(call: InProject, body: Json, before?: Milestone): Partial<Milestone> {
  const { service } = call;
  const given = (name: string, old: unknown): unknown =>
    Object.hasOwn(body, name) ? body[name] : old;
  const read = {
    title: given('title', before?.title) as string,
    description: given('description', before?.description ?? null) as string | null,
    startDate: given('start_date', before?.startDate ?? null) as string | null,
    dueDate: given('due_date', before?.dueDate ?? null) as string | null,
  };
  const { title, startDate, dueDate } = read;
  const isTaken = milestonesOf(call).some((one) => one.title === title && one !== before);
  if (isTaken) unfit(service, 'title', 'has already been taken');
  const isBackwards = startDate !== null && dueDate !== null && startDate > dueDate;
  if (isBackwards && !service.has('start-after-due-accepted'))
    unfit(service, 'due_date', 'must be greater than start date');
  return read;
}

export function createMilestone(call: InProject): Answer {
  const { service, project } = call;
  need(call, levels.developer);
  const body = readBody(call, rulesOfMilestone, ['title']);
  const fields = readMilestone(call, body) as Pick<Milestone, 'title'>;
  return { status: 201, json: showMilestone(call, addMilestone(service, project, fields)) };
}

function findMilestone(call: InProject): Milestone {
  const { service, project } = call;
  const milestone = service.milestones.get(numberIn(call, 'milestone_id'));
  const isHere = milestone?.projectId === project.id || service.has('milestone-across-projects');
  return milestone !== undefined && isHere ? milestone : missing(service, 'Milestone ');
}

export const getMilestone = (call: InProject): Answer => ({
  status: 200,
  json: showMilestone(call, findMilestone(call)),
});

export function changeMilestone(call: InProject): Answer {
  const { service } = call;
  const milestone = findMilestone(call);
  need(call, levels.developer);
  const rules = { ...rulesOfMilestone, state_event: oneOf(['close', 'activate']) };
  const body = readBody(call, rules);
  if (!Object.keys(rules).some((name) => Object.hasOwn(body, name)))
    bad(service, 'at least one parameter must be provided');
  Object.assign(milestone, readMilestone(call, body, milestone), { updatedAt: service.now() });
  const event = body['state_event'];
  if (event !== undefined) milestone.closed = event === 'close';
  if (event === 'close' && service.has('milestone-closes-issues'))
    for (const issue of service.issues.values())
      if (issue.milestoneId === milestone.id) issue.closedAt ??= service.now();
  return { status: 200, json: showMilestone(call, milestone) };
}

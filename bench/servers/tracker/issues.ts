import { createHash } from 'node:crypto';
import { date, flag, listOf, oneOf, orNull, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { bad, fail, missing, need, numberIn, readBody, unfit } from './call.ts';
import type { InProject, OnIssue } from './call.ts';
import { labelsOf } from './planning.ts';
import { findProject } from './projects.ts';
import { addIssue, addLabel, addNote, levels, type Issue, type User } from './store.ts';
import { notesOf, sees, showWhole } from './views.ts';

/** The issue of the iid in the path; refuses with 404 where the user does not see it. */
export function findIssue(call: InProject, iid = numberIn(call, 'issue_iid')): OnIssue {
  const { service, project, incoming } = call;
  const issue = [...service.issues.values()].find(
    (one) => one.projectId === project.id && one.iid === iid,
  );
  const isShown = service.has('confidential-by-iid') && incoming.method === 'GET';
  if (issue === undefined || !(isShown || sees(call, issue))) return missing(service, 'Issue ');
  return { ...call, issue };
}

const rulesOfNew = {
  title: text(1, 255, /\S/),
  description: orNull(text(0, 10_000)),
  labels: text(0, 255),
  milestone_id: orNull(whole(0, 2_147_483_647)),
  assignee_ids: listOf(whole(1, 2_147_483_647), { max: 5, unique: true }),
  confidential: flag,
  due_date: orNull(date),
};

const rulesOfChange = {
  ...rulesOfNew,
  add_labels: text(0, 255),
  remove_labels: text(0, 255),
  state_event: oneOf(['close', 'reopen']),
};

/** The names of a list with commas; spaces around them do not count. */
function namesIn({ service }: InProject, list: unknown): string[] {
  const parts = String(list).split(',');
  const names = service.has('labels-not-trimmed') ? parts : parts.map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

function labelsFrom(call: InProject, body: Json, before: readonly string[]): string[] {
  const { labels, add_labels: added, remove_labels: removed } = body;
  let names = labels === undefined ? [...before] : namesIn(call, labels);
  if (added !== undefined)
    names = [...(call.service.has('add-labels-replaces') ? [] : names), ...namesIn(call, added)];
  if (removed !== undefined) {
    const gone = namesIn(call, removed);
    names = names.filter((name) => !gone.includes(name));
  }
  return [...new Set(names)];
}

/** Labels that the project does not have become labels of it. */
function makeLabels(call: InProject, names: readonly string[]): void {
  const { service, project } = call;
  if (service.has('unknown-label-not-listed')) return;
  const known = new Set(labelsOf(call).map(({ name }) => name));
  for (const name of names) if (!known.has(name)) addLabel(service, project, { name });
}

function milestoneFrom({ service, project }: InProject, given: unknown): number | null {
  const id = Number(given ?? 0);
  if (id === 0) return null;
  const milestone = service.milestones.get(id);
  const isHere = milestone?.projectId === project.id || service.has('foreign-milestone-accepted');
  if (milestone === undefined || !isHere) unfit(service, 'milestone_id', 'is not of this project');
  return id;
}

function assigneesFrom({ service, project }: InProject, ids: readonly unknown[]): User[] {
  return ids.map((id) => {
    const member = project.members.get(Number(id));
    return member?.user ?? unfit(service, 'assignee_ids', 'must be members of the project');
  });
}

/** The members of an issue that a body sets; most of them for a Reporter or higher only. */
function readFields(call: InProject, body: Json, before?: Issue): Partial<Issue> {
  const { level, service } = call;
  const { title, description, confidential, due_date: dueDate } = body;
  const fields: Partial<Issue> = {};
  if (title !== undefined) fields.title = title as string;
  if (description !== undefined) fields.description = description as string | null;
  const isReporter = level >= levels.reporter;
  if (confidential !== undefined && (isReporter || before === undefined))
    fields.confidential = confidential as boolean;
  if (isReporter || (service.has('guest-labels-kept') && before === undefined))
    fields.labels = labelsFrom(call, body, before?.labels ?? []);
  if (!isReporter) return fields;
  if (Object.hasOwn(body, 'milestone_id'))
    fields.milestoneId = milestoneFrom(call, body['milestone_id']);
  if (body['assignee_ids'] !== undefined)
    fields.assignees = assigneesFrom(call, body['assignee_ids'] as readonly unknown[]);
  if (dueDate !== undefined && !(dueDate === null && service.has('due-date-not-cleared')))
    fields.dueDate = dueDate as string | null;
  return fields;
}

export function createIssue(call: InProject): Answer {
  const { service, project, user } = call;
  const body = readBody(call, rulesOfNew, ['title']);
  const fields = readFields(call, body);
  makeLabels(call, fields.labels ?? []);
  const title = body['title'] as string;
  const issue = addIssue(service, project, { ...fields, title, author: user });
  return { status: 201, json: showWhole(call, issue) };
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

export function getIssue(call: OnIssue): Answer {
  const { issue, service, incoming } = call;
  const json = showWhole(call, issue);
  const tag = `W/"${hash(service.has('etag-same-after-change') ? issue.id : json)}"`;
  const headers = { ETag: tag };
  const wanted = (incoming.headers['if-none-match'] ?? '').split(/\s*,\s*/);
  const isSame = wanted.some((one) => one === '*' || `W/${one.replace('W/', '')}` === tag);
  return isSame ? { status: 304, headers } : { status: 200, json, headers };
}

function closeOrReopen({ service, user, issue }: OnIssue, event: unknown): void {
  const isOpen = issue.closedAt === null;
  if (event === 'close' && !isOpen && service.has('close-again-moves-time'))
    issue.closedAt = service.now();
  if (isOpen !== (event === 'close')) return;
  issue.closedAt = isOpen ? service.now() : null;
  issue.closedBy = isOpen ? user : null;
  issue.wasClosed = true;
  const body = isOpen ? 'closed' : 'reopened';
  if (!(isOpen && service.has('close-leaves-no-note')))
    addNote(service, issue, { body, author: user, system: true });
}

export function changeIssue(call: OnIssue): Answer {
  const { service, issue, user, level } = call;
  if (issue.author.id !== user.id && !service.has('guest-edits-others'))
    need(call, levels.reporter);
  const body = readBody(call, rulesOfChange);
  const isEmpty = !Object.keys(rulesOfChange).some((name) => Object.hasOwn(body, name));
  if (isEmpty && !service.has('empty-put-accepted'))
    bad(service, 'at least one parameter must be provided');
  const event = body['state_event'];
  const isLost = event !== undefined && service.has('event-drops-other-fields');
  const fields = readFields(call, isLost ? {} : body, issue);
  if (level >= levels.reporter) makeLabels(call, fields.labels ?? []);
  Object.assign(issue, fields, { updatedAt: service.now() });
  if (event !== undefined) closeOrReopen(call, event);
  return { status: 200, json: showWhole(call, issue) };
}

export function deleteIssue(call: OnIssue): Answer {
  const { service, issue, project, incoming } = call;
  need(call, service.has('reporter-deletes') ? levels.reporter : levels.owner);
  const since = Date.parse(incoming.headers['if-unmodified-since'] ?? '');
  const isNewer = Math.floor(issue.updatedAt / 1000) * 1000 > since;
  if (isNewer && !service.has('unmodified-since-ignored'))
    fail(service, 412, '412 Precondition Failed');
  service.issues.delete(issue.id);
  for (const { id } of notesOf(service, issue)) service.notes.delete(id);
  for (const { id, source, target } of service.links.values())
    if (source === issue || target === issue) service.links.delete(id);
  if (service.has('iid-used-again') && project.lastIid === issue.iid) project.lastIid -= 1;
  return { status: 204 };
}

export function moveIssue(call: OnIssue): Answer {
  const { service, issue, user } = call;
  need(call, levels.reporter);
  const body = readBody(call, { to_project_id: whole(1, 2_147_483_647) }, ['to_project_id']);
  const target = findProject(call, Number(body['to_project_id']));
  if (!service.has('move-into-guest-project')) need(target, levels.reporter);
  if (target.project === call.project || issue.movedTo !== null)
    fail(service, 400, 'Cannot move issue');
  const known = new Set(labelsOf(target).map(({ name }) => name));
  const title = service.milestones.get(issue.milestoneId ?? 0)?.title;
  const milestone = [...service.milestones.values()].find(
    (one) => one.projectId === target.project.id && one.title === title,
  );
  const { id: _id, iid: _iid, createdAt: _createdAt, updatedAt: _updatedAt, ...kept } = issue;
  const moved = addIssue(service, target.project, {
    ...kept,
    labels: issue.labels.filter((name) => known.has(name)),
    milestoneId: milestone?.id ?? null,
    assignees: issue.assignees.filter(({ id }) => target.project.members.has(id)),
    subscribers: new Set([issue.author.id, user.id]),
  });
  if (!service.has('move-loses-notes'))
    for (const note of notesOf(service, issue)) addNote(service, moved, note);
  issue.movedTo = moved;
  issue.updatedAt = service.now();
  closeOrReopen(call, 'close');
  return { status: 201, json: showWhole(target, moved) };
}

export function subscribe(call: OnIssue): Answer {
  const { issue, user, service } = call;
  if (issue.subscribers.has(user.id) && !service.has('subscribe-again-201')) return { status: 304 };
  issue.subscribers.add(user.id);
  return { status: 201, json: showWhole(call, issue) };
}

export function unsubscribe(call: OnIssue): Answer {
  const { issue, user } = call;
  if (!issue.subscribers.delete(user.id)) return { status: 304 };
  return { status: 201, json: showWhole(call, issue) };
}

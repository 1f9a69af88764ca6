import { originOf } from '../serving/requests.ts';
import { anyOrder, writeTime, type Call, type InProject } from './call.ts';
import { humanOf } from './durations.ts';
import {
  levels,
  type Issue,
  type Label,
  type Link,
  type LinkType,
  type Member,
  type Milestone,
  type Note,
  type Service,
  type User,
} from './store.ts';

const showUser = ({ incoming }: Call, { id, username, name }: User): object => ({
  id,
  username,
  name,
  state: 'active',
  web_url: `${originOf(incoming.headers)}/${username}`,
});

export const showMember = (call: Call, { user, level, createdAt }: Member): object => ({
  ...showUser(call, user),
  access_level: level,
  created_at: writeTime(createdAt),
});

/** Whether a user of this level sees the issue. */
export const sees = ({ user, level, service }: Omit<InProject, 'project'>, issue: Issue): boolean =>
  !issue.confidential ||
  level >= levels.reporter ||
  (issue.author.id === user.id && !service.has('confidential-author-shut-out')) ||
  issue.assignees.some(({ id }) => id === user.id);

/** The issues of a project that the user can see. */
export const seenIn = (call: InProject): Issue[] =>
  [...call.service.issues.values()].filter(
    (issue) => issue.projectId === call.project.id && sees(call, issue),
  );

export function showProject(call: InProject): object {
  const { project, level, service, incoming } = call;
  const address = `${originOf(incoming.headers)}/api/v4/projects/${String(project.id)}`;
  const open = seenIn(call).filter(
    ({ closedAt, wasClosed }) =>
      closedAt === null && !(wasClosed && service.has('open-count-without-reopened')),
  );
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    description: project.description,
    visibility: 'private',
    created_at: writeTime(project.createdAt),
    creator_id: project.creator.id,
    owner: showUser(call, project.creator),
    open_issues_count: open.length,
    permissions: { project_access: { access_level: level } },
    web_url: `${originOf(incoming.headers)}/${project.fullPath}`,
    _links: { self: address, issues: `${address}/issues`, members: `${address}/members` },
    ...(service.varies('busy-and-verbose') ? { archived: false, star_count: 4 } : {}),
  };
}

export function showLabel(call: InProject, label: Label): object {
  const { id, name, color, description } = label;
  const found = seenIn(call).filter(({ labels }) => labels.includes(name));
  const closed = found.filter(({ closedAt }) => closedAt !== null).length;
  const open = found.length - (call.service.has('label-count-with-closed') ? 0 : closed);
  const counts = { open_issues_count: open, closed_issues_count: closed };
  return { id, name, color, description, ...counts };
}

export function showMilestone({ service }: Call, milestone: Milestone): object {
  const { id, iid, projectId, title, description, startDate, dueDate, closed } = milestone;
  const isOver = dueDate !== null && dueDate < new Date().toISOString().slice(0, 10);
  return {
    id,
    iid,
    project_id: projectId,
    title,
    description,
    state: closed ? 'closed' : 'active',
    start_date: startDate,
    due_date: dueDate,
    expired: isOver && (!closed || service.has('expired-though-closed')),
    created_at: writeTime(milestone.createdAt),
    updated_at: writeTime(milestone.updatedAt),
  };
}

export const notesOf = ({ notes }: Service, { id }: Issue): Note[] =>
  [...notes.values()].filter(({ issueId }) => issueId === id);

export const showNote = (call: Call, note: Note, issue: Issue): object => ({
  id: note.id,
  body: note.body,
  author: showUser(call, note.author),
  created_at: writeTime(note.createdAt),
  system: note.system,
  internal: note.internal,
  noteable_type: 'Issue',
  noteable_id: issue.id,
  noteable_iid: issue.iid,
});

export const timeStats = (service: Service, { estimate, spent }: Issue): object => ({
  time_estimate: estimate,
  total_time_spent: spent,
  human_time_estimate: humanOf(estimate, service),
  human_total_time_spent: humanOf(spent, service),
});

function tasksIn(text: string | null, { has }: Service): object {
  const count = [...(text ?? '').matchAll(/^\s*[-*] \[[ x]\] /gm)].length;
  const done = [...(text ?? '').matchAll(/^\s*[-*] \[x\] /gm)].length;
  return { count: count - (has('tasks-open-only') ? done : 0), completed_count: done };
}

export function showIssue(call: Call, issue: Issue): object {
  const { service, incoming } = call;
  const { has } = service;
  const { closedAt, closedBy, movedTo } = issue;
  const fullPath = service.projects.get(issue.projectId)?.fullPath ?? '';
  const short = `#${String(issue.iid)}`;
  const milestone = service.milestones.get(issue.milestoneId ?? 0);
  const counted = notesOf(service, issue).filter(
    ({ system }) => !system || has('notes-count-with-system'),
  );
  const web = `${originOf(incoming.headers)}/${fullPath}/-/issues/${String(issue.iid)}`;
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.projectId,
    title: issue.title,
    description: issue.description,
    state: closedAt === null ? 'opened' : 'closed',
    created_at: writeTime(issue.createdAt),
    updated_at: writeTime(issue.updatedAt),
    closed_at: closedAt === null ? null : writeTime(closedAt),
    closed_by: closedBy === null ? null : showUser(call, closedBy),
    labels: anyOrder(service, issue.labels),
    milestone: milestone === undefined ? null : showMilestone(call, milestone),
    author: showUser(call, issue.author),
    assignees: issue.assignees.map((user) => showUser(call, user)),
    confidential: issue.confidential,
    due_date: issue.dueDate,
    user_notes_count: counted.length,
    task_completion_status: tasksIn(issue.description, service),
    time_stats: timeStats(service, issue),
    moved_to_id: (has('moved-to-is-iid') ? movedTo?.iid : movedTo?.id) ?? null,
    references: { short, relative: short, full: `${fullPath}${short}` },
    web_url: web,
    ...(service.varies('busy-and-verbose') ? { type: 'ISSUE', upvotes: 0, downvotes: 0 } : {}),
  };
}

/** The issue alone, which tells whether the user is subscribed. */
export function showWhole(call: Call, issue: Issue): object {
  const { subscribers } = issue;
  const isShared = call.service.has('subscription-of-all') && subscribers.size > 0;
  return { ...showIssue(call, issue), subscribed: subscribers.has(call.user.id) || isShared };
}

const opposite = { relates_to: 'relates_to', blocks: 'is_blocked_by', is_blocked_by: 'blocks' };

/** The link as it is seen from one of its issues. */
export function linkTypeFrom(service: Service, { source, type }: Link, { id }: Issue): LinkType {
  if (source.id === id || service.has('link-type-same-at-both-ends')) return type;
  return opposite[type] as LinkType;
}

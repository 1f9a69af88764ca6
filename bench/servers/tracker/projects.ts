import { oneOf, orNull, text, whole } from '../serving/fields.ts';
import { sortBy } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { anyOrder, bad, fail, missing, need, numberIn, readBody, unfit } from './call.ts';
import type { Call, InProject } from './call.ts';
import { pageOf, Query } from './query.ts';
import { addProject, levels, users, type Project } from './store.ts';
import { showMember, showProject } from './views.ts';

/** The project as the user sees it; undefined to those who are no members. */
export function within(call: Call, project: Project | undefined): InProject | undefined {
  const member = project?.members.get(call.user.id);
  if (project === undefined || member === undefined) return undefined;
  const { incoming, service, user } = call;
  return { incoming, service, user, project, level: member.level };
}

/** The project of an id or a path; refuses with 404 without it. */
export function findProject(call: Call, key: string | number): InProject {
  const { service } = call;
  const project = [...service.projects.values()].find(
    ({ id, fullPath }) => String(id) === String(key) || fullPath === key,
  );
  return within(call, project) ?? missing(service, 'Project ');
}

export function listProjects(call: Call): Answer {
  const query = new Query(call);
  const search = query.text('search')?.toLowerCase() ?? '';
  const least = Number(query.oneOf('min_access_level', ['10', '20', '30', '40', '50']) ?? 0);
  const order = query.oneOf('order_by', ['id', 'name', 'path', 'created_at']) ?? 'created_at';
  const sign = query.oneOf('sort', ['asc', 'desc']) === 'asc' ? 1 : -1;
  const found = [...call.service.projects.values()]
    .map((project) => within(call, project))
    .filter((one) => one !== undefined)
    .filter(({ level, project }) => level >= least && project.name.toLowerCase().includes(search));
  const valueOf = ({ project }: InProject): unknown =>
    order === 'created_at' ? project.createdAt : project[order];
  const orders = [
    { valueOf, sign },
    { valueOf: ({ project }: InProject) => project.id, sign },
  ];
  return pageOf(call, sortBy(found, orders), showProject, { query });
}

/** Small letters and digits, with hyphens for all else. */
const slug = (name: string): string => {
  const path = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return path.replaceAll(/^-|-$/g, '') || 'project';
};

export function createProject(call: Call): Answer {
  const { service, user } = call;
  const rules = {
    name: text(1, 255, /\S/),
    path: text(1, 255, /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/),
    description: orNull(text(0, 2000)),
  };
  const { name, path, description } = readBody(call, rules, ['name']);
  const taken = new Set([...service.projects.values()].map(({ fullPath }) => fullPath));
  const isTaken = (one: string): boolean => taken.has(`${user.username}/${one}`);
  if (path !== undefined && isTaken(path as string))
    unfit(service, 'path', 'has already been taken');
  let given = (path ?? slug(name as string)) as string;
  for (let at = 2; isTaken(given); at += 1) given = `${slug(name as string)}-${String(at)}`;
  const about = (description ?? null) as string | null;
  const fields = { name: name as string, path: given, description: about, creator: user };
  const project = addProject(service, fields);
  return { status: 201, json: showProject({ ...call, project, level: levels.owner }) };
}

export const getProject = (call: InProject): Answer => ({ status: 200, json: showProject(call) });

export function listMembers(call: InProject): Answer {
  const query = new Query(call);
  const part = query.text('query')?.toLowerCase() ?? '';
  const found = anyOrder(call.service, call.project.members.values()).filter(({ user }) =>
    [user.name, user.username].some((name) => name.toLowerCase().includes(part)),
  );
  return pageOf(call, found, (member) => showMember(call, member), { query });
}

export function addMember(call: InProject): Answer {
  const { service, project, level } = call;
  need(call, levels.maintainer);
  const rules = { user_id: whole(1, 2_147_483_647), access_level: whole(10, 50) };
  const body = readBody(call, rules, ['user_id', 'access_level']);
  const access = Number(body['access_level']);
  const known = Object.values<number>(levels).map(String);
  if (oneOf(known)(String(access), '') !== undefined)
    bad(service, 'access_level does not have a valid value');
  const user = users.find(({ id }) => id === Number(body['user_id']));
  if (user === undefined) {
    if (service.has('unknown-user-500')) throw new TypeError("undefined method 'id' for nil");
    return missing(service, 'User ');
  }
  if (access > level && !service.has('maintainer-makes-owner')) fail(service, 403, '403 Forbidden');
  if (project.members.has(user.id)) fail(service, 409, 'Member already exists');
  const member = { user, level: access, createdAt: service.now() };
  project.members.set(user.id, member);
  return { status: 201, json: showMember(call, member) };
}

export function removeMember(call: InProject): Answer {
  const { service, project, level, user } = call;
  const member = project.members.get(numberIn(call, 'user_id'));
  if (level < levels.maintainer && member?.user.id !== user.id) need(call, levels.maintainer);
  if (member === undefined) return missing(service, '');
  const owners = [...project.members.values()].filter((one) => one.level === levels.owner);
  const isLast = member.level === levels.owner && owners.length === 1;
  if (member.level > level || isLast) fail(service, 403, '403 Forbidden');
  project.members.delete(member.user.id);
  if (!service.has('removed-member-assigned'))
    for (const issue of service.issues.values())
      if (issue.projectId === project.id)
        issue.assignees = issue.assignees.filter(({ id }) => id !== member.user.id);
  return { status: 204 };
}

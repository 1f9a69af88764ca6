import { openService } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

export const levels = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

export interface Member {
  readonly user: User;
  readonly level: number;
  readonly createdAt: number;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly description: string | null;
  readonly creator: User;
  readonly createdAt: number;
  /** By the ids of the users. */
  readonly members: Map<number, Member>;
  lastIid: number;
  lastMilestone: number;
}

export interface Issue {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  title: string;
  description: string | null;
  readonly author: User;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: User | null;
  wasClosed: boolean;
  labels: string[];
  milestoneId: number | null;
  assignees: User[];
  confidential: boolean;
  dueDate: string | null;
  estimate: number;
  spent: number;
  movedTo: Issue | null;
  readonly subscribers: Set<number>;
}

export interface Note {
  readonly id: number;
  readonly issueId: number;
  readonly body: string;
  readonly author: User;
  readonly createdAt: number;
  readonly system: boolean;
  readonly internal: boolean;
}

export interface Label {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface Milestone {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  title: string;
  description: string | null;
  startDate: string | null;
  dueDate: string | null;
  closed: boolean;
  readonly createdAt: number;
  updatedAt: number;
}

export type LinkType = 'relates_to' | 'blocks' | 'is_blocked_by';

export interface Link {
  readonly id: number;
  readonly source: Issue;
  readonly target: Issue;
  readonly type: LinkType;
  readonly createdAt: number;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  /** Milliseconds; no two are the same. */
  readonly now: () => number;
  readonly nextId: (kind: Kind) => number;
  readonly projects: Map<number, Project>;
  readonly issues: Map<number, Issue>;
  readonly notes: Map<number, Note>;
  readonly labels: Map<number, Label>;
  readonly milestones: Map<number, Milestone>;
  readonly links: Map<number, Link>;
  requests: number;
  lastIid: number;
}

type Kind = 'project' | 'issue' | 'note' | 'label' | 'milestone' | 'link';

export const nora: User = { id: 3, username: 'nora', name: 'Nora Lind' };
export const pavel: User = { id: 7, username: 'pavel', name: 'Pavel Novák' };
export const yuki: User = { id: 11, username: 'yuki', name: 'Yuki Sato' };
const liam: User = { id: 15, username: 'liam', name: 'Liam Byrne' };

export const users: readonly User[] = [nora, pavel, yuki, liam];

export const tokens = {
  nora: 'trk-8d1f40c6b27e4a5f93c0',
  pavel: 'trk-27b9e6d3f1084c72a5e8',
} as const;

/** The records at the start. */
export function openTracker(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames };
  const { has, varies, now } = openService(names, start);
  const last = { project: 40, issue: 9000, note: 5000, label: 600, milestone: 300, link: 70 };
  let step = 1;
  const service: Service = {
    has,
    varies,
    now,
    nextId: (kind) => (last[kind] += step),
    projects: new Map(),
    issues: new Map(),
    notes: new Map(),
    labels: new Map(),
    milestones: new Map(),
    links: new Map(),
    requests: 0,
    lastIid: 0,
  };
  fill(service);
  if (varies('ids-far-apart')) step = 1009;
  return service;
}

type ProjectFields = Pick<Project, 'name' | 'path' | 'description' | 'creator'>;

/** A project whose creator is its Owner. */
export function addProject(service: Service, fields: ProjectFields, time?: number): Project {
  const { creator, path } = fields;
  const createdAt = time ?? service.now();
  const project: Project = {
    ...fields,
    id: service.nextId('project'),
    fullPath: `${creator.username}/${path}`,
    createdAt,
    members: new Map([[creator.id, { user: creator, level: levels.owner, createdAt }]]),
    lastIid: 0,
    lastMilestone: 0,
  };
  service.projects.set(project.id, project);
  return project;
}

export function addIssue(
  service: Service,
  project: Project,
  fields: Pick<Issue, 'title' | 'author'> & Partial<Issue>,
): Issue {
  const createdAt = fields.createdAt ?? service.now();
  service.lastIid += 1;
  project.lastIid = service.has('iid-across-projects') ? service.lastIid : project.lastIid + 1;
  const issue: Issue = {
    description: null,
    updatedAt: createdAt,
    closedAt: null,
    closedBy: null,
    wasClosed: false,
    labels: [],
    milestoneId: null,
    assignees: [],
    confidential: false,
    dueDate: null,
    estimate: 0,
    spent: 0,
    movedTo: null,
    subscribers: new Set([fields.author.id]),
    ...fields,
    id: service.nextId('issue'),
    iid: project.lastIid,
    projectId: project.id,
    createdAt,
  };
  service.issues.set(issue.id, issue);
  return issue;
}

type NoteFields = Pick<Note, 'body' | 'author'> & Partial<Note>;

export function addNote(service: Service, issue: Issue, fields: NoteFields): Note {
  const id = service.nextId('note');
  const kinds = { system: false, internal: false };
  const note = { ...kinds, createdAt: service.now(), ...fields, id, issueId: issue.id };
  service.notes.set(id, note);
  return note;
}

type LabelFields = Pick<Label, 'name'> & Partial<Label>;

export function addLabel(service: Service, { id: projectId }: Project, fields: LabelFields): Label {
  const id = service.nextId('label');
  const label = { color: '#428bca', description: null, ...fields, id, projectId };
  service.labels.set(id, label);
  return label;
}

export function addMilestone(
  service: Service,
  project: Project,
  fields: Pick<Milestone, 'title'> & Partial<Milestone>,
): Milestone {
  const createdAt = fields.createdAt ?? service.now();
  const [id, iid] = [service.nextId('milestone'), (project.lastMilestone += 1)];
  const times = { createdAt, updatedAt: createdAt };
  const dates = { startDate: null, dueDate: null, closed: false, description: null };
  const milestone: Milestone = { ...dates, ...times, ...fields, id, iid, projectId: project.id };
  service.milestones.set(id, milestone);
  return milestone;
}

const day = 86_400_000;

function fill(service: Service): void {
  const time = Date.UTC(2026, 1, 2, 8, 30);
  const join = (project: Project, user: User, level: number): unknown =>
    project.members.set(user.id, { user, level, createdAt: time });
  const open = (creator: User, name: string, description: string | null): Project => {
    const path = name.toLowerCase().replaceAll(' ', '-');
    return addProject(service, { creator, name, path, description }, time);
  };
  const website = open(nora, 'Website', 'The pages of the shop.');
  const app = open(nora, 'Mobile App', null);
  const field = open(pavel, 'Field Notes', 'What customers say.');
  join(website, pavel, levels.guest);
  join(website, yuki, levels.developer);
  join(app, yuki, levels.maintainer);
  for (const [name, color] of [
    ['bug', '#d9534f'],
    ['feature', '#5cb85c'],
    ['docs', '#428bca'],
    ['urgent', '#ff0000'],
  ] as const)
    addLabel(service, website, { name, color, description: `All about ${name}` });
  addLabel(service, app, { name: 'bug', color: '#d9534f' });
  addLabel(service, app, { name: 'crash', color: '#8e44ad' });
  const old = { startDate: '2026-01-01', dueDate: '2026-03-31', closed: true, createdAt: time };
  const first = addMilestone(service, website, { title: 'v1.0', ...old });
  const dates = { startDate: '2026-04-01', dueDate: '2099-12-31', createdAt: time };
  const next = addMilestone(service, website, { title: 'v1.1', ...dates });
  addMilestone(service, app, { title: 'Beta', dueDate: '2026-05-31', createdAt: time });
  const topics = ['Cart is empty', 'Login is slow', 'Search misses words', 'Footer is wrong'];
  for (let at = 0; at < 22; at += 1) {
    const project = at < 14 ? website : at < 20 ? app : field;
    const author = project === field ? pavel : at % 5 === 2 && at < 14 ? pavel : nora;
    const createdAt = time + ((at * 7) % 22) * day;
    const closedAt = at % 4 === 3 ? createdAt + day : null;
    const issue = addIssue(service, project, {
      title: `${topics[at % 4] ?? ''} (${String(at + 1)})`,
      description: at % 3 === 0 ? 'Steps:\n\n- [x] look\n- [ ] fix' : null,
      author,
      createdAt,
      updatedAt: closedAt ?? createdAt + at * 60_000,
      closedAt,
      closedBy: closedAt === null ? null : nora,
      labels: project === field ? [] : [['bug'], [], ['bug'], []][at % 4],
      milestoneId: project === website ? ([first.id, next.id, null][at % 3] ?? null) : null,
      assignees: project !== field && at % 2 === 0 ? [yuki] : [],
      confidential: at % 6 === 5,
      dueDate: at % 4 === 0 ? `2026-06-${String(10 + at)}` : null,
      estimate: at % 5 === 0 ? 28_800 : 0,
      spent: at % 5 === 0 ? 5_400 : 0,
    } as Partial<Issue> & Pick<Issue, 'title' | 'author'>);
    if (at % 3 !== 1) continue;
    addNote(service, issue, {
      body: 'I can repeat it.',
      author,
      createdAt: createdAt + at * 60_000,
    });
  }
  const [source, target] = service.issues.values();
  if (source === undefined || target === undefined) return;
  const id = service.nextId('link');
  service.links.set(id, { id, source, target, type: 'blocks', createdAt: time });
}

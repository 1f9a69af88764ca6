import { fields, flag, listOf as listRule, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { settingsOf } from './flags.ts';
import { remove, type Environment, type Project, type Service } from './store.ts';

type Call = api.Call;

const nameRule = text(1, 120, /\S/);
const keyRule = text(1, 64, api.key);

const environmentRules = { key: keyRule, name: nameRule, requireComments: flag };
const environmentInput = fields(environmentRules, ['key', 'name'], true);
const projectInput = fields(
  { key: keyRule, name: nameRule, environments: listRule(environmentInput, { min: 1, max: 10 }) },
  ['key', 'name'],
  true,
);

const pathOf = (project: Project): string => `projects/${project.key}`;

function showEnvironment(call: Call, environment: Environment): Json {
  const { project, key, name, requireComments, creationDate } = environment;
  const self = api.linkTo(call, `${pathOf(project)}/environments/${key}`);
  return { key, name, requireComments, creationDate, _links: { self } };
}

/** `isListed`: whether the project is one of a list. */
function show(call: Call, project: Project, isListed = false): Json {
  const { key, name, creationDate } = project;
  const asked = call.incoming.query.get('expand');
  const isBlind = isListed && call.service.has('expand-ignored-in-list');
  const items = project.environments.map((one) => showEnvironment(call, one));
  const expanded = { environments: { items, totalCount: items.length } };
  return {
    ...{ key, name, creationDate, _links: { self: api.linkTo(call, pathOf(project)) } },
    ...(asked === null || isBlind ? {} : expanded),
  };
}

function checkExpand({ incoming }: Call): void {
  if (!['environments', null].includes(incoming.query.get('expand'))) api.bad('expand is unknown.');
}

export function listProjects(call: Call): Answer {
  checkExpand(call);
  return api.listOf<Project>(call, {
    records: api.newest(call.token.account.projects),
    show: (one) => show(call, one, true),
    filters: { query: api.queryIn((one) => [one.key, one.name]) },
    sorts: api.usual((one) => one.name),
  });
}

export function getProject(call: Call): Answer {
  const project = api.projectOf(call);
  checkExpand(call);
  return api.answer(call, show(call, project));
}

/** Adds an environment, in which all flags of the project are off. */
function addEnvironment(service: Service, project: Project, given: Json): Environment {
  const creationDate = service.now();
  const { key = '', name = '', requireComments = false } = given as Partial<Environment>;
  const environment = { project, key, name, requireComments, creationDate, segments: [] };
  project.environments.push(environment);
  for (const { state } of project.flags)
    state.environments[key] = settingsOf(state.defaults, creationDate);
  return environment;
}

const usual: readonly Json[] = [
  { key: 'test', name: 'Test' },
  { key: 'production', name: 'Production' },
];

export function addProject(
  { service, token }: Pick<Call, 'service'> & { readonly token: Pick<Call['token'], 'account'> },
  given: Json,
): Project {
  const { key, name, environments = usual } = given as unknown as Project;
  const base = { account: token.account, creationDate: service.now() };
  const project: Project = { ...base, key, name, environments: [], flags: [] };
  for (const one of environments) addEnvironment(service, project, one as Json);
  token.account.projects.push(project);
  return project;
}

const logOf = (project: Project) =>
  ({ kind: 'project', resource: `proj/${project.key}`, name: project.name }) as const;

export function createProject(call: Call): Answer {
  const given = api.readBody(call, projectInput);
  const environments = (given['environments'] ?? []) as Json[];
  if (new Set(environments.map((one) => one['key'])).size < environments.length)
    api.bad('Two environments have one key.');
  if (call.token.account.projects.some((one) => one.key === given['key']))
    api.conflict('The key is taken.');
  const project = addProject(call, given);
  api.log(call, { ...logOf(project), action: 'created', date: project.creationDate });
  return api.answer(call, show(call, project), 201);
}

export function deleteProject(call: Call): Answer {
  const project = api.projectOf(call);
  remove(call.token.account.projects, project);
  api.log(call, { ...logOf(project), action: 'deleted' });
  return { status: 204 };
}

export function listEnvironments(call: Call): Answer {
  const { environments } = api.projectOf(call);
  return api.listOf<Environment>(call, {
    records: environments,
    show: (one) => showEnvironment(call, one),
  });
}

const environmentLog = ({ project, key, name }: Environment) =>
  ({ kind: 'environment', resource: `proj/${project.key}:env/${key}`, name }) as const;

export function createEnvironment(call: Call): Answer {
  const project = api.projectOf(call);
  const given = api.readBody(call, environmentInput);
  if (project.environments.some((one) => one.key === given['key']))
    api.conflict('The key is taken.');
  const environment = addEnvironment(call.service, project, given);
  const { creationDate: date } = environment;
  api.log(call, { ...environmentLog(environment), action: 'created', date });
  return api.answer(call, showEnvironment(call, environment), 201);
}

export function deleteEnvironment(call: Call): Answer {
  const environment = api.environmentOf(call);
  const { project, key } = environment;
  if (project.environments.length === 1) api.conflict('It is the only environment.');
  remove(project.environments, environment);
  if (!call.service.has('environment-stays-in-flags'))
    for (const { state } of project.flags) Reflect.deleteProperty(state.environments, key);
  api.log(call, { ...environmentLog(environment), action: 'deleted' });
  return { status: 204 };
}

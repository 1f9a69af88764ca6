import { fields, flag, listOf as listRule, text, whole, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import {
  remove,
  type Flag,
  type FlagState,
  type Project,
  type Service,
  type Settings,
  type Value,
  type Variation,
} from './store.ts';

type Call = api.Call;

export const tagsRule = listRule(text(1, 40, /^[a-z0-9-]+$/), { max: 20 });

export const valueRule: Rule = (value, name) => {
  if (typeof value === 'string') return text(0, 200)(value, name);
  const isNumber = typeof value === 'number' && Math.abs(value) <= 1_000_000_000;
  return isNumber || typeof value === 'boolean' ? undefined : `${name} must be a value.`;
};

const variationInput = fields({ value: valueRule, name: text(0, 120) }, ['value'], true);
const indexes = { onVariation: whole(0, 9), offVariation: whole(0, 9) };
const inputRules = {
  key: text(1, 64, api.key),
  name: text(1, 120, /\S/),
  description: text(0, 500),
  ...{ tags: tagsRule, temporary: flag, maintainerId: text(0, 100) },
  variations: listRule(variationInput, { min: 2, max: 10 }),
  defaults: fields(indexes, Object.keys(indexes), true),
};
const input = fields(inputRules, ['key', 'name'], true);
const laxInput = fields(inputRules, ['key', 'name']);

/** The settings in a new environment. */
export const settingsOf = (defaults: FlagState['defaults'], moment: number): Settings => ({
  ...{ on: false, offVariation: defaults.offVariation },
  fallthrough: { variation: defaults.onVariation },
  ...{ targets: [], rules: [], prerequisites: [], version: 1, lastModified: moment },
});

/** What is wrong with the values of variations; undefined if nothing is. */
export function faultOfValues(values: readonly Value[]): string | undefined {
  if (new Set(values).size < values.length) return 'Two variations have one value.';
  const types = new Set(values.map((value) => typeof value));
  return types.size > 1 ? 'The values of variations have several types.' : undefined;
}

/** A set of tags, as the service keeps it. */
export function tagsOf({ varies }: Service, tags: readonly string[]): string[] {
  const all = [...new Set(tags)];
  return varies('tags-sorted') ? all.sort() : all;
}

function showSettings({ service }: Call, settings: Settings): Json {
  const { targets, rules, prerequisites } = settings;
  const counted = service.has('summary-counts-entries')
    ? targets.length
    : targets.reduce((sum, { values }) => sum + values.length, 0);
  const _summary = {
    ...{ targets: counted, rules: rules.length, prerequisites: prerequisites.length },
  };
  return { ...settings, _summary };
}

/** The flags whose prerequisite the flag is. */
export const dependentsOf = ({ project, key }: Flag): Flag[] =>
  project.flags.filter(({ state }) =>
    Object.values(state.environments).some(({ prerequisites }) =>
      prerequisites.some((one) => one.key === key),
    ),
  );

/** The whole record. */
export function show(call: Call, one: Flag): Json {
  const { state, key, creationDate, version, project } = one;
  const { environments, variations } = state;
  const settings = Object.entries(environments).map(([name, each]) => [
    name,
    showSettings(call, each),
  ]);
  return {
    ...{ key, creationDate, _version: version, ...state },
    kind: variations.every(({ value }) => typeof value === 'boolean') ? 'boolean' : 'multivariate',
    environments: Object.fromEntries(settings) as Json,
    _links: { self: api.linkTo(call, `flags/${project.key}/${key}`) },
  };
}

/** The record as the parameters `env` and `expand` ask for it. */
function showAsked(call: Call, one: Flag, isListed = false): Json {
  const { query } = call.incoming;
  const all = show(call, one);
  const isBlind = isListed && call.service.has('env-ignored-in-list');
  const wanted = isBlind ? [] : query.getAll('env');
  const environments = Object.entries(all['environments'] as Json).filter(
    ([key]) => wanted.length === 0 || wanted.includes(key),
  );
  const dependents = dependentsOf(one).map(({ key }) => key);
  return {
    ...{ ...all, environments: Object.fromEntries(environments) },
    ...(query.has('expand') ? { dependents } : {}),
  };
}

function checkAsked({ incoming: { query } }: Call, project: Project): void {
  if (!['dependents', null].includes(query.get('expand'))) api.bad('expand is unknown.');
  for (const key of query.getAll('env'))
    if (!project.environments.some((one) => one.key === key)) api.bad('env is unknown.');
}

const yesOrNo = (value: string, yes: string, no: string): boolean =>
  [yes, no].includes(value) ? value === yes : api.bad(`${value} is not ${yes} or ${no}.`);

function filtersOf({ service: { has }, token }: Call, project: Project): api.Parts<Flag> {
  const { environments } = project;
  return {
    query: api.queryIn(({ key, state }) => (has('query-in-keys-only') ? [key] : [key, state.name])),
    tag:
      (value) =>
      ({ state }) =>
        state.tags.includes(value),
    archived: (value) => {
      const wanted = yesOrNo(value, 'true', 'false');
      return ({ state }) => state.archived === wanted;
    },
    type: (value) => {
      const wanted = yesOrNo(value, 'temporary', 'permanent');
      return ({ state }) => state.temporary === wanted;
    },
    maintainer: (value) => {
      if (!token.account.members.some((one) => one._id === value))
        api.bad('There is no such member.');
      return ({ state }) => state.maintainerId === value;
    },
    on: (value) => {
      if (!environments.some((one) => one.key === value)) api.bad('There is no such environment.');
      return ({ state }) =>
        has('on-in-any-environment')
          ? Object.values(state.environments).some(({ on }) => on)
          : state.environments[value]?.on === true;
    },
  };
}

export function listFlags(call: Call): Answer {
  const { has } = call.service;
  const { projectKey = '' } = call.incoming.params;
  const isThere = call.token.account.projects.some((one) => one.key === projectKey);
  if (!isThere && has('missing-project-empty'))
    return api.listOf(call, { records: [], show: () => ({}) });
  const project = api.projectOf(call);
  checkAsked(call, project);
  const isCounted = has('total-counts-archived') && !call.incoming.query.has('filter');
  return api.listOf<Flag>(call, {
    records: api.newest(project.flags),
    show: (one) => showAsked(call, one, true),
    filters: filtersOf(call, project),
    unless: has('archived-listed') ? {} : { archived: ({ state }) => !state.archived },
    sorts: api.usual(({ state }) => state.name),
    ...(isCounted ? { total: () => project.flags.length } : {}),
  });
}

export function getFlag(call: Call): Answer {
  const one = api.flagOf(call);
  checkAsked(call, one.project);
  return api.answer(call, showAsked(call, one));
}

/** Adds a flag that is off everywhere. */
export function addFlag(service: Service, project: Project, given: Json): Flag {
  const creationDate = service.now();
  const values = (given['variations'] ?? [{ value: true }, { value: false }]) as Variation[];
  const variations = values.map(({ value, name = '' }) => ({ _id: service.newId(), value, name }));
  const usual = { onVariation: 0, offVariation: variations.length - 1 };
  const defaults = (given['defaults'] ?? usual) as FlagState['defaults'];
  const { name, description = '', temporary = false, maintainerId, tags = [] } = given;
  const environments = project.environments.map(({ key }) => [
    key,
    settingsOf(defaults, creationDate),
  ]);
  const state = {
    ...{ name, description, tags: tagsOf(service, tags as string[]), temporary },
    ...{ archived: false, archivedDate: null, maintainerId, variations, defaults },
    environments: Object.fromEntries(environments) as Record<string, Settings>,
  } as FlagState;
  const added = { project, key: String(given['key']), creationDate, version: 1, state };
  project.flags.push(added);
  return added;
}

export const logOf = ({ project, key, state }: Flag) =>
  ({ kind: 'flag', resource: `proj/${project.key}:flag/${key}`, name: state.name }) as const;

export function createFlag(call: Call): Answer {
  const project = api.projectOf(call);
  const { service, token } = call;
  const { has } = service;
  const body = api.readBody(call, has('unknown-property-accepted') ? laxInput : input);
  const given = { maintainerId: token.member._id, ...body };
  if (!token.account.members.some(({ _id }) => _id === given.maintainerId))
    api.bad('There is no such member.');
  const variations = given['variations' as keyof typeof given] as unknown as
    Variation[] | undefined;
  const fault = faultOfValues((variations ?? []).map(({ value }) => value));
  if (fault !== undefined) api.bad(fault);
  const { onVariation = 0, offVariation = 0 } = (body['defaults'] ?? {}) as Json;
  const last = (variations?.length ?? 2) - 1;
  if (Number(onVariation) > last || Number(offVariation) > last) api.bad('There is no variation.');
  const old = project.flags.find((one) => one.key === body['key']);
  if (old !== undefined && !has('flag-key-taken-replaces')) api.conflict('The key is taken.');
  if (old !== undefined) remove(project.flags, old);
  const added = addFlag(service, project, given);
  api.log(call, { ...logOf(added), action: 'created', date: added.creationDate });
  return api.answer(call, show(call, added), 201);
}

export function deleteFlag(call: Call): Answer {
  const one = api.flagOf(call);
  if (dependentsOf(one).length > 0 && !call.service.has('prerequisite-deleted'))
    api.conflict('It is a prerequisite of another flag.');
  remove(one.project.flags, one);
  api.log(call, { ...logOf(one), action: 'deleted' });
  return { status: 204 };
}

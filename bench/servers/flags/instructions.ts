import {
  fields,
  flag,
  listOf as listRule,
  oneOf,
  text,
  whole,
  type Rule,
} from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import * as api from './call.ts';
import { faultOfValues, tagsRule, valueRule } from './flags.ts';
import { comment } from './patch.ts';
import type {
  Clause,
  Environment,
  Fallthrough,
  Flag,
  FlagState,
  Settings,
  Share,
  Value,
} from './store.ts';

type Call = api.Call;

/** A flag while a request changes it. */
export interface Work {
  readonly call: Call;
  readonly flag: Flag;
  /** What the flag is to be. */
  readonly next: FlagState;
  /** What it was, with the indexes that variations have now. */
  readonly base: FlagState;
  readonly environment: Environment | undefined;
}

const id = text(1, 100);
export const contextKeys = listRule(text(1, 100), { min: 1, max: 500 });

const clause = fields(
  {
    attribute: text(1, 60),
    op: oneOf(['in', 'startsWith', 'contains', 'greaterThan', 'lessThan', 'segmentMatch']),
    values: listRule(
      (value, name) =>
        ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
          ? undefined
          : `${name} is no value.`,
      { min: 1, max: 50 },
    ),
    negate: flag,
  },
  ['attribute', 'op', 'values'],
  true,
);
export const clausesRule = (min: number): Rule => listRule(clause, { min, max: 10 });

export const clausesOf = (given: unknown): Clause[] =>
  (given as readonly Clause[]).map((one) => ({ ...one, negate: one.negate ?? false }));

const weight = whole(0, 100_000);
const share = fields({ variationId: id, weight }, ['variationId', 'weight'], true);

/** Refuses a rollout whose weights or variations are wrong. */
export function checkFallthrough(call: Call, fallthrough: Fallthrough, count: number): void {
  const shares = 'rollout' in fallthrough ? fallthrough.rollout : [fallthrough];
  if (shares.some(({ variation }) => variation >= count)) api.bad('There is no such variation.');
  if (!('rollout' in fallthrough)) return;
  const { rollout } = fallthrough;
  if (new Set(rollout.map((one) => one.variation)).size < rollout.length)
    api.bad('A variation comes twice in the rollout.');
  const sum = rollout.reduce((all, one) => all + one.weight, 0);
  if (sum !== 100_000 && !call.service.has('weights-not-summed'))
    api.bad('The weights must add up to 100000.');
}

function indexOf({ next }: Work, variationId: unknown): number {
  const at = next.variations.findIndex(({ _id }) => _id === variationId);
  return at < 0 ? api.bad('There is no such variation.') : at;
}

function settingsIn({ next, environment }: Work): Settings {
  const settings = next.environments[environment?.key ?? ''];
  return settings ?? api.bad('The instruction needs an environmentKey.');
}

/** Takes context keys from the targets of these variations. */
function dropTargets(settings: Settings, keys: readonly string[], isOf: (at: number) => boolean) {
  settings.targets = settings.targets
    .map(({ variation, values }) => ({
      variation,
      values: isOf(variation) ? values.filter((one) => !keys.includes(one)) : values,
    }))
    .filter(({ values }) => values.length > 0);
}

function addTargets(work: Work, { variationId, values }: Json): void {
  const settings = settingsIn(work);
  const at = indexOf(work, variationId);
  const keys = [...new Set(values as string[])];
  const isMoved = !work.call.service.has('target-in-two-variations');
  if (isMoved) dropTargets(settings, keys, (variation) => variation !== at);
  const own = settings.targets.find(({ variation }) => variation === at);
  if (own === undefined) settings.targets.push({ variation: at, values: keys });
  else own.values = [...new Set([...own.values, ...keys])];
  settings.targets.sort((a, b) => a.variation - b.variation);
}

function removeTargets(work: Work, { variationId, values }: Json): void {
  const at = indexOf(work, variationId);
  dropTargets(settingsIn(work), values as string[], (variation) => variation === at);
}

export const segmentsOf = (clauses: readonly Clause[]): Value[] =>
  clauses.flatMap(({ op, values }) => (op === 'segmentMatch' ? values : []));

function addRule(work: Work, { clauses: given, variationId, description = '' }: Json): void {
  const settings = settingsIn(work);
  const clauses = clausesOf(given);
  const keys = work.environment?.segments.map(({ key }) => key);
  if (!segmentsOf(clauses).every((key) => keys?.includes(key as string)))
    api.bad('There is no such segment in the environment.');
  const variation = indexOf(work, variationId);
  const _id = work.call.service.newId();
  settings.rules.push({ _id, description: String(description), clauses, variation });
}

function removeRule(work: Work, { ruleId }: Json): void {
  const settings = settingsIn(work);
  const rules = settings.rules.filter(({ _id }) => _id !== ruleId);
  if (rules.length === settings.rules.length) api.bad('There is no such rule.');
  settings.rules = rules;
}

function updateFallthrough(work: Work, { variationId, rollout }: Json): void {
  const settings = settingsIn(work);
  if ((variationId === undefined) === (rollout === undefined))
    api.bad('Either variationId or rollout is needed.');
  const shares = (rollout ?? []) as readonly (Json & Share)[];
  const fallthrough =
    rollout === undefined
      ? { variation: indexOf(work, variationId) }
      : {
          rollout: shares.map((one) => ({
            variation: indexOf(work, one['variationId']),
            weight: one.weight,
          })),
        };
  checkFallthrough(work.call, fallthrough, work.next.variations.length);
  settings.fallthrough = fallthrough;
}

/** Whether the prerequisites of a flag lead to the one with this key. */
export function leadsTo(
  from: Flag,
  goal: string,
  environment: string,
  seen: string[] = [],
): boolean {
  if (seen.includes(from.key)) return false;
  seen.push(from.key);
  const { prerequisites = [] } = from.state.environments[environment] ?? {};
  return prerequisites.some(({ key }) => {
    const next = from.project.flags.find((one) => one.key === key);
    return key === goal || (next !== undefined && leadsTo(next, goal, environment, seen));
  });
}

function addPrerequisite(work: Work, { key, variationId }: Json): void {
  const settings = settingsIn(work);
  const { flag: own, call, environment } = work;
  const { has } = call.service;
  const other = own.project.flags.find((one) => one.key === key);
  if (other === undefined && !has('prerequisite-missing')) api.bad('There is no such flag.');
  if (other === own || other?.state.archived === true) api.bad('The flag cannot be one.');
  if (other?.state.variations.every(({ _id }) => _id !== variationId) === true)
    api.bad('There is no such variation.');
  const isCircle = other !== undefined && leadsTo(other, own.key, environment?.key ?? '');
  if (isCircle && !has('prerequisite-circle')) api.bad('The prerequisites lead in a circle.');
  const added = { key: String(key), variationId: String(variationId) };
  const at = settings.prerequisites.findIndex((one) => one.key === key);
  if (at < 0) settings.prerequisites.push(added);
  else settings.prerequisites[at] = added;
}

function removePrerequisite(work: Work, { key }: Json): void {
  const settings = settingsIn(work);
  settings.prerequisites = settings.prerequisites.filter((one) => one.key !== key);
}

function addVariation({ next, call }: Work, { value, name = '' }: Json): void {
  const fault = faultOfValues([...next.variations.map((one) => one.value), value as Value]);
  if (fault !== undefined) api.bad(fault);
  if (next.variations.length === 10) api.bad('There are ten variations already.');
  const added = { _id: call.service.newId(), value: value as Value, name: String(name) };
  next.variations.push(added);
}

const sharesOf = ({ fallthrough }: Settings): { variation: number }[] =>
  'rollout' in fallthrough ? fallthrough.rollout : [fallthrough];

/** Gives each index in the state its place after the removal of one. */
function moveUp(state: FlagState, removed: number): void {
  const place = (at: number): number => (at > removed ? at - 1 : at);
  const { defaults, environments } = state;
  defaults.onVariation = place(defaults.onVariation);
  defaults.offVariation = place(defaults.offVariation);
  for (const settings of Object.values(environments)) {
    settings.offVariation = place(settings.offVariation);
    for (const one of [...settings.targets, ...settings.rules, ...sharesOf(settings)])
      one.variation = place(one.variation);
  }
}

function removeVariation(work: Work, { variationId }: Json): void {
  const { next, base, flag: own, call } = work;
  const { has } = call.service;
  const at = indexOf(work, variationId);
  const settings = Object.values(next.environments);
  const isLax = has('variation-in-use-removed');
  const isNeeded = own.project.flags.some((one) =>
    Object.values(one.state.environments).some(({ prerequisites }) =>
      prerequisites.some((each) => each.variationId === variationId),
    ),
  );
  const isUsed = settings.some((one) =>
    [...(isLax ? [] : one.targets), ...one.rules, ...sharesOf(one)]
      .map(({ variation }) => variation)
      .concat(one.offVariation, next.defaults.onVariation, next.defaults.offVariation)
      .includes(at),
  );
  if (isUsed || isNeeded) api.conflict('The variation is in use.');
  if (next.variations.length === 2) api.conflict('A flag has two variations at least.');
  next.variations.splice(at, 1);
  for (const one of settings) one.targets = one.targets.filter(({ variation }) => variation !== at);
  if (!has('indexes-stay-after-removal')) for (const state of [next, base]) moveUp(state, at);
}

interface Kind {
  readonly rules?: Readonly<Record<string, Rule>>;
  readonly optional?: readonly string[];
  readonly isOfEnvironment?: boolean;
  readonly apply: (work: Work, given: Json) => void;
}

const value = text(0, 500);
const ofKeys = { variationId: id, values: contextKeys };
const tagValues = listRule(text(1, 40, /^[a-z0-9-]+$/), { min: 1, max: 500 });

const kinds: Readonly<Record<string, Kind>> = {
  turnFlagOn: { isOfEnvironment: true, apply: (work) => (settingsIn(work).on = true) },
  turnFlagOff: { isOfEnvironment: true, apply: (work) => (settingsIn(work).on = false) },
  addTargets: { rules: ofKeys, isOfEnvironment: true, apply: addTargets },
  removeTargets: { rules: ofKeys, isOfEnvironment: true, apply: removeTargets },
  addRule: {
    rules: { clauses: clausesRule(1), variationId: id, description: text(0, 200) },
    ...{ optional: ['description'], isOfEnvironment: true, apply: addRule },
  },
  removeRule: { rules: { ruleId: id }, isOfEnvironment: true, apply: removeRule },
  updateFallthrough: {
    rules: { variationId: id, rollout: listRule(share, { min: 1, max: 10 }) },
    ...{ optional: ['variationId', 'rollout'], isOfEnvironment: true, apply: updateFallthrough },
  },
  updateOffVariation: {
    ...{ rules: { variationId: id }, isOfEnvironment: true },
    apply: (work, { variationId }) => (settingsIn(work).offVariation = indexOf(work, variationId)),
  },
  addPrerequisite: {
    ...{ rules: { key: text(1, 64, api.key), variationId: id }, isOfEnvironment: true },
    apply: addPrerequisite,
  },
  removePrerequisite: {
    ...{ rules: { key: text(1, 64, api.key) }, isOfEnvironment: true, apply: removePrerequisite },
  },
  updateName: {
    rules: { value: text(1, 120, /\S/) },
    apply: ({ next }, given) => (next.name = String(given['value'])),
  },
  updateDescription: {
    rules: { value },
    apply: ({ next }, given) => (next.description = String(given['value'])),
  },
  addTags: {
    rules: { values: tagValues },
    apply: ({ next }, { values }) => {
      next.tags = [...new Set([...next.tags, ...(values as string[])])];
      api.judge(next.tags, tagsRule);
    },
  },
  removeTags: {
    rules: { values: tagValues },
    apply: ({ next }, { values }) =>
      (next.tags = next.tags.filter((one) => !(values as string[]).includes(one))),
  },
  addVariation: {
    ...{ rules: { value: valueRule, name: text(0, 120) }, optional: ['name'] },
    apply: addVariation,
  },
  removeVariation: { rules: { variationId: id }, apply: removeVariation },
  archiveFlag: { apply: ({ next }) => (next.archived = true) },
  restoreFlag: { apply: ({ next }) => (next.archived = false) },
};

const one: Rule = (given, name) => fields({ kind: text(0, 100) }, ['kind'])(given, name);

/** The body of a PATCH that has instructions for flags. */
export const instructed = fields(
  {
    ...{ comment, environmentKey: text(1, 64, api.key) },
    instructions: listRule(one, { min: 1, max: 50 }),
  },
  ['instructions'],
  true,
);

/** Applies an instruction, or refuses it. */
export function instruct(work: Work, given: Json): void {
  const { kind: name, ...rest } = given;
  const kind = Object.hasOwn(kinds, String(name)) ? kinds[String(name)] : undefined;
  if (kind === undefined) {
    if (!work.call.service.has('unknown-instruction-skipped')) api.bad('The kind is not known.');
    return;
  }
  const { rules = {}, optional = [] } = kind;
  const required = Object.keys(rules).filter((each) => !optional.includes(each));
  api.judge(rest, fields(rules, required, true));
  if (kind.isOfEnvironment === true) settingsIn(work);
  kind.apply(work, rest);
}

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
import { Refused, type Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { dependentsOf, faultOfValues, logOf, show, tagsOf, tagsRule, valueRule } from './flags.ts';
import { checkFallthrough, instruct, instructed, leadsTo, segmentsOf } from './instructions.ts';
import type { Work } from './instructions.ts';
import { applyPatch, comment as commentRule, readChange, same, type Operation } from './patch.ts';
import type { Flag, FlagState, Settings, Variation } from './store.ts';

type Call = api.Call;

const index = whole(0, 9);
const share = fields(
  { variation: index, weight: whole(0, 100_000) },
  ['variation', 'weight'],
  true,
);
const rollout = listRule(share, { min: 1, max: 10 });

const fallthrough: Rule = (value, name) => {
  const isRollout = typeof value === 'object' && value !== null && 'rollout' in value;
  const kind = isRollout ? 'rollout' : 'variation';
  return fields(isRollout ? { rollout } : { variation: index }, [kind], true)(value, name);
};

const plain = {
  name: text(1, 120, /\S/),
  description: text(0, 500),
  ...{ tags: listRule(text(1, 40, /^[a-z0-9-]+$/)), temporary: flag, archived: flag },
  maintainerId: text(0, 100),
};
const ofVariation = { value: valueRule, name: text(0, 120) };
const ofSettings = { on: flag, offVariation: index, fallthrough };

const environments: Rule = (value, name) => {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const rule = fields(ofSettings, Object.keys(ofSettings));
  return fields(Object.fromEntries(keys.map((key) => [key, rule])), keys)(value, name);
};

const result = fields(
  {
    ...plain,
    variations: listRule(fields(ofVariation, Object.keys(ofVariation))),
    environments,
  },
  [...Object.keys(plain), 'variations', 'environments'],
);

const without = (record: object, names: object): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !Object.hasOwn(names, name)));

/** What requests cannot write in the record. */
function fixedIn(record: Json): Json {
  const settings = Object.entries(record['environments'] as Record<string, Settings>);
  return {
    ...without(record, plain),
    variations: (record['variations'] as Variation[]).map((one) => without(one, ofVariation)),
    environments: Object.fromEntries(settings.map(([key, one]) => [key, without(one, ofSettings)])),
  };
}

/** The state that a patched record stands for; refuses one that is not valid. */
function stateIn(call: Call, one: Flag, record: Json): FlagState {
  const { has } = call.service;
  const {
    variations,
    environments: settings,
    ...rest
  } = api.judge(record, result) as unknown as FlagState;
  if (!same(fixedIn(show(call, one)), fixedIn(record)) && !has('read-only-accepted'))
    api.bad('The patch changes what is read-only.');
  const next = structuredClone(one.state);
  for (const name of Object.keys(plain)) Object.assign(next, { [name]: (rest as Json)[name] });
  next.tags = [...new Set(next.tags)];
  api.judge(next.tags, tagsRule);
  if (!call.token.account.members.some(({ _id }) => _id === next.maintainerId))
    api.bad('There is no such member.');
  for (const [at, own] of next.variations.entries()) {
    const { value = own.value, name = own.name } = variations[at] ?? {};
    Object.assign(own, { value, name });
  }
  const fault = faultOfValues(next.variations.map(({ value }) => value));
  if (fault !== undefined) api.bad(fault);
  for (const [key, own] of Object.entries(next.environments)) {
    const { on, offVariation, fallthrough: given } = settings[key] ?? own;
    if (offVariation >= next.variations.length) api.bad('There is no such variation.');
    checkFallthrough(call, given, next.variations.length);
    Object.assign(own, { on, offVariation, fallthrough: given });
  }
  return next;
}

/** The state after a JSON Patch. */
function patched(call: Call, one: Flag, patch: readonly Operation[]): FlagState {
  const record = structuredClone(show(call, one));
  try {
    applyPatch(call, record, patch);
  } catch (error) {
    if (call.service.has('refused-patch-kept')) one.state = stateIn(call, one, record);
    throw error;
  }
  return stateIn(call, one, record);
}

/** Refuses a change that the state of the flag does not allow. */
function checkState({ call, flag: one, next, base }: Work): void {
  const { has } = call.service;
  const isRestored = same({ ...next, archived: true }, base);
  if (base.archived && !(isRestored && !next.archived) && !has('archived-changed'))
    api.conflict('The flag is archived.');
  const isArchived = next.archived && !base.archived;
  if (isArchived && dependentsOf(one).length > 0 && !has('prerequisite-archived'))
    api.conflict('The flag is a prerequisite of another flag.');
}

interface Request {
  readonly comment: string | undefined;
  /** How many instructions there are. */
  readonly steps?: number;
  readonly isLogged?: boolean;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  same(a.toSorted(), b.toSorted());

/** Stores what a request makes of the flag. */
function commit(work: Work, { comment, steps = 1, isLogged = true }: Request): void {
  const { call, flag: one, next, base } = work;
  const { has } = call.service;
  next.tags = isSame(next.tags, base.tags) ? base.tags : tagsOf(call.service, next.tags);
  if (same(next, base)) {
    if (has('version-without-change')) one.version += 1;
    return;
  }
  checkState(work);
  const changed = one.project.environments.filter(
    ({ key }) => !same(next.environments[key], base.environments[key]),
  );
  const isSilent = comment === undefined && !has('comment-not-required');
  if (isSilent && changed.some(({ requireComments }) => requireComments))
    api.bad('The environment requires a comment.');
  const date = call.service.now();
  const counted = changed.length > 0 && has('versions-of-all-environments');
  for (const { key } of counted ? one.project.environments : changed) {
    const settings = next.environments[key];
    if (settings === undefined) continue;
    settings.version += 1;
    if (!has('last-modified-still')) settings.lastModified = date;
  }
  if (next.archived !== base.archived) {
    const isKept = !next.archived && has('archived-date-stays');
    next.archivedDate = isKept ? base.archivedDate : next.archived ? date : null;
  }
  one.version += has('version-per-instruction') ? steps : 1;
  one.state = next;
  if (isLogged) api.log(call, { ...logOf(one), action: 'updated', comment, date });
}

const workOn = (call: Call, one: Flag, environmentKey?: string): Work => ({
  ...{ call, flag: one, next: structuredClone(one.state), base: structuredClone(one.state) },
  environment: one.project.environments.find(({ key }) => key === environmentKey),
});

function change(call: Call, one: Flag): void {
  const { comment, patch, environmentKey, instructions = [] } = readChange(call, instructed);
  const work = workOn(call, one, environmentKey);
  if (patch !== undefined) return commit({ ...work, next: patched(call, one, patch) }, { comment });
  if (environmentKey !== undefined && work.environment === undefined)
    api.bad('There is no such environment.');
  try {
    for (const each of instructions) instruct(work, each);
  } catch (error) {
    if (call.service.has('refused-instructions-kept')) one.state = work.next;
    throw error;
  }
  return commit(work, { comment, steps: instructions.length });
}

export function patchFlag(call: Call): Answer {
  const one = api.flagOf(call);
  try {
    change(call, one);
  } catch (error) {
    if (error instanceof Refused && call.service.has('refusal-logged'))
      api.log(call, { ...logOf(one), action: 'updated' });
    throw error;
  }
  return api.answer(call, show(call, one));
}

const actions = {
  updateOn: 'on',
  updateTargets: 'targets',
  updateRules: 'rules',
  updateFallthrough: 'fallthrough',
  updateOffVariation: 'offVariation',
  updatePrerequisites: 'prerequisites',
} as const;

const end = fields(
  { key: text(1, 64, api.key), currentVersion: whole(1, Number.MAX_SAFE_INTEGER) },
  ['key'],
  true,
);
const copyInput = fields(
  {
    ...{ source: end, target: end, comment: commentRule },
    includedActions: listRule(oneOf(Object.keys(actions)), { min: 1, unique: true }),
  },
  ['source', 'target'],
  true,
);

interface Copy {
  readonly source: { readonly key: string; readonly currentVersion?: number };
  readonly target: { readonly key: string; readonly currentVersion?: number };
  readonly includedActions?: readonly (keyof typeof actions)[];
  readonly comment?: string;
}

export function copyFlag(call: Call): Answer {
  const one = api.flagOf(call);
  const { source, target, comment, ...rest } = api.readBody(call, copyInput) as unknown as Copy;
  const { has } = call.service;
  const work = workOn(call, one, target.key);
  const { environments: all } = work.next;
  const [from, to] = [source, target].map(({ key }) =>
    Object.hasOwn(all, key) ? all[key] : undefined,
  );
  if (from === undefined || to === undefined) return api.bad('There is no such environment.');
  if (from === to) api.bad('The target is the source.');
  if (one.state.archived && !has('archived-changed')) api.conflict('The flag is archived.');
  const isOld = [source, target].some(({ key, currentVersion }) => {
    const { version } = work.next.environments[key] ?? {};
    return currentVersion !== undefined && currentVersion !== version;
  });
  if (isOld && !has('copy-version-ignored')) api.conflict('The version is another one.');
  for (const action of rest.includedActions ?? (Object.keys(actions) as (keyof typeof actions)[]))
    Object.assign(to, { [actions[action]]: structuredClone(from[actions[action]]) });
  const keys = work.environment?.segments.map(({ key }) => key) ?? [];
  const named = to.rules.flatMap(({ clauses }) => segmentsOf(clauses));
  if (!named.every((key) => keys.includes(key as string)))
    api.conflict('The target lacks a segment of a rule.');
  for (const { key } of to.prerequisites) {
    const other = one.project.flags.find((each) => each.key === key);
    if (other !== undefined && leadsTo(other, one.key, target.key))
      api.bad('The prerequisites lead in a circle.');
  }
  commit(work, { comment, isLogged: !has('copy-not-logged') });
  return api.answer(call, show(call, one));
}

import { fields, listOf as listRule, oneOf, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { clausesOf, clausesRule, contextKeys, segmentsOf } from './instructions.ts';
import { applyPatch, comment as commentRule, readChange, same } from './patch.ts';
import {
  remove,
  type Clause,
  type Environment,
  type Segment,
  type SegmentState,
  type Service,
} from './store.ts';

type Call = api.Call;

const name = text(1, 120, /\S/);
const description = text(0, 500);
const keys = listRule(text(1, 100), { max: 500 });
const input = fields(
  {
    ...{ key: text(1, 64, api.key), name, description },
    ...{ included: keys, excluded: keys, clauses: clausesRule(0) },
  },
  ['key', 'name'],
  true,
);

function show(call: Call, environment: Environment, one: Segment): Json {
  const { key, creationDate, clauses, version, state } = one;
  const path = `segments/${environment.project.key}/${environment.key}/${key}`;
  const _links = { self: api.linkTo(call, path) };
  return { key, creationDate, clauses, _version: version, ...state, _links };
}

export function listSegments(call: Call): Answer {
  const environment = api.environmentOf(call);
  return api.listOf<Segment>(call, {
    records: api.newest(environment.segments),
    show: (one) => show(call, environment, one),
    filters: { query: api.queryIn((one) => [one.key, one.state.name]) },
    sorts: api.usual((one) => one.state.name),
  });
}

export function addSegment(service: Service, environment: Environment, given: Json): Segment {
  const { included = [], excluded = [], clauses = [] } = given;
  const [inside, outside] = [included, excluded].map((all) => [...new Set(all as string[])]);
  const state = {
    ...{ name: String(given['name']), description: String(given['description'] ?? '') },
    ...{ included: inside ?? [], excluded: outside ?? [] },
  };
  const base = { key: String(given['key']), creationDate: service.now(), version: 1 };
  const segment = { ...base, clauses: clausesOf(clauses), state };
  environment.segments.push(segment);
  return segment;
}

const logOf = ({ project, key }: Environment, one: Segment) =>
  ({
    kind: 'segment',
    resource: `proj/${project.key}:env/${key}:segment/${one.key}`,
    name: one.state.name,
  }) as const;

export function createSegment(call: Call): Answer {
  const environment = api.environmentOf(call);
  const given = api.readBody(call, input);
  const { included = [], excluded = [], clauses = [] } = given;
  if ((included as string[]).some((one) => (excluded as string[]).includes(one)))
    api.bad('A context key is in both lists.');
  if ((clauses as Clause[]).some(({ op }) => op === 'segmentMatch'))
    api.bad('Clauses of segments cannot name segments.');
  if (environment.segments.some(({ key }) => key === given['key']))
    api.conflict('The key is taken.');
  const one = addSegment(call.service, environment, given);
  api.log(call, { ...logOf(environment, one), action: 'created', date: one.creationDate });
  return api.answer(call, show(call, environment, one), 201);
}

function segmentOf(call: Call): [Environment, Segment] {
  const environment = api.environmentOf(call);
  const { segmentKey } = call.incoming.params;
  const found = environment.segments.find(({ key }) => key === segmentKey);
  return [environment, found ?? api.fail(404, 'There is no such segment.')];
}

export const getSegment = (call: Call): Answer => api.answer(call, show(call, ...segmentOf(call)));

const instruction = fields(
  {
    kind: oneOf(['addIncluded', 'removeIncluded', 'addExcluded', 'removeExcluded']),
    values: contextKeys,
  },
  ['kind', 'values'],
  true,
);
const instructed = fields(
  { comment: commentRule, instructions: listRule(instruction, { min: 1, max: 50 }) },
  ['instructions'],
  true,
);

function instruct(state: SegmentState, { kind, values }: Json): void {
  const given = values as string[];
  const without = (all: readonly string[]) => all.filter((one) => !given.includes(one));
  const [own, other] = String(kind).endsWith('Included')
    ? (['included', 'excluded'] as const)
    : (['excluded', 'included'] as const);
  if (String(kind).startsWith('remove')) state[own] = without(state[own]);
  else {
    state[own] = [...new Set([...state[own], ...given])];
    state[other] = without(state[other]);
  }
}

export function patchSegment(call: Call): Answer {
  const [environment, one] = segmentOf(call);
  const { comment, patch, instructions = [] } = readChange(call, instructed);
  const next = structuredClone(one.state);
  if (patch !== undefined) {
    const record = structuredClone(show(call, environment, one));
    applyPatch(call, record, patch);
    const writable = api.judge(record, fields({ name, description }, ['name', 'description']));
    Object.assign(next, { name: writable['name'], description: writable['description'] });
    const { state } = one;
    const fixed = { ...record, name: state.name, description: state.description };
    if (!same(fixed, show(call, environment, one)) && !call.service.has('read-only-accepted'))
      api.bad('The patch changes what is read-only.');
  }
  for (const each of instructions) instruct(next, each);
  const isChanged = !same(next, one.state);
  if (isChanged || call.service.has('version-without-change')) one.version += 1;
  one.state = next;
  if (isChanged) api.log(call, { ...logOf(environment, one), action: 'updated', comment });
  return api.answer(call, show(call, environment, one));
}

export function deleteSegment(call: Call): Answer {
  const [environment, one] = segmentOf(call);
  const rules = environment.project.flags.flatMap(
    ({ state }) => state.environments[environment.key]?.rules ?? [],
  );
  const isUsed = rules.some(({ clauses }) => segmentsOf(clauses).includes(one.key));
  if (isUsed && !call.service.has('segment-in-use-deleted'))
    api.conflict('A rule of a flag names the segment.');
  remove(environment.segments, one);
  api.log(call, { ...logOf(environment, one), action: 'deleted' });
  return { status: 204 };
}

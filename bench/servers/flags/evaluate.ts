import { createHash } from 'node:crypto';
import { fields, listOf as listRule, text, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import type { Clause, Environment, Flag, Segment, Service, Settings } from './store.ts';

type Call = api.Call;

const contextRule: Rule = (value, name) => {
  const fault = fields({ key: text(1, 100) }, ['key'])(value, name);
  const values = fault === undefined ? Object.values(value as Json) : [];
  if (values.length > 50) return `${name} must have 50 attributes at most.`;
  const isOdd = values.some(
    (one) => !['string', 'number', 'bigint', 'boolean'].includes(typeof one),
  );
  return isOdd ? `${name} has an attribute that is no value.` : fault;
};

const input = fields(
  { context: contextRule, flagKeys: listRule(text(1, 64, api.key)) },
  ['context'],
  true,
);

/** What is evaluated for whom. */
interface Question {
  readonly service: Service;
  readonly environment: Environment;
  readonly context: Json;
}

const isNumeric = (value: unknown): value is number =>
  typeof value === 'number' || typeof value === 'bigint';

function fits(attribute: unknown, op: string, value: unknown): boolean {
  const isText = typeof attribute === 'string' && typeof value === 'string';
  const isNumber = isNumeric(attribute) && isNumeric(value);
  if (op === 'startsWith') return isText && attribute.startsWith(value);
  if (op === 'contains') return isText && attribute.includes(value);
  if (op === 'greaterThan') return isNumber && attribute > value;
  if (op === 'lessThan') return isNumber && attribute < value;
  return attribute === value;
}

function isIn({ state, clauses }: Segment, question: Question): boolean {
  const key = String(question.context['key']);
  if (state.included.includes(key)) return true;
  const isOut = state.excluded.includes(key) && !question.service.has('excluded-by-clauses');
  return !isOut && clauses.length > 0 && clauses.every((one) => matches(one, question));
}

function matches({ attribute, op, values, negate }: Clause, question: Question): boolean {
  const { environment, context, service } = question;
  if (op === 'segmentMatch') {
    const segments = environment.segments.filter(({ key }) => values.includes(key));
    return segments.some((one) => isIn(one, question)) !== negate;
  }
  if (!Object.hasOwn(context, attribute)) return negate && service.has('negated-absent-matches');
  return values.some((value) => fits(context[attribute], op, value)) !== negate;
}

/** The variation of a context, always the same one in a rollout. */
function fallThrough({ fallthrough }: Settings, flagKey: string, { context }: Question): number {
  if (!('rollout' in fallthrough)) return fallthrough.variation;
  const digest = createHash('sha1')
    .update(`${flagKey}.${String(context['key'])}`)
    .digest();
  let place = digest.readUInt32BE() % 100_000;
  for (const { variation, weight } of fallthrough.rollout) {
    if (place < weight) return variation;
    place -= weight;
  }
  return fallthrough.rollout[0]?.variation ?? 0;
}

interface Outcome {
  readonly variation: number;
  readonly reason: Json & { readonly kind: string };
}

function outcomeOf(one: Flag, question: Question, seen: readonly Flag[] = []): Outcome {
  const { service, environment, context } = question;
  const settings = one.state.environments[environment.key];
  if (settings === undefined) return { variation: 0, reason: { kind: 'OFF' } };
  const { offVariation, targets, rules, prerequisites } = settings;
  if (!settings.on) return { variation: offVariation, reason: { kind: 'OFF' } };
  const failed = prerequisites.find(({ key, variationId }) => {
    const other = one.project.flags.find((each) => each.key === key);
    if (other === undefined || seen.includes(other)) return true;
    const { variation, reason } = outcomeOf(other, question, [...seen, one]);
    const isOff = reason.kind === 'OFF' && !service.has('off-prerequisite-met');
    return isOff || other.state.variations[variation]?._id !== variationId;
  });
  if (failed !== undefined) {
    const reason = { kind: 'PREREQUISITE_FAILED', prerequisiteKey: failed.key };
    return { variation: offVariation, reason };
  }
  const target = targets.find(({ values }) => values.includes(String(context['key'])));
  if (target !== undefined)
    return { variation: target.variation, reason: { kind: 'TARGET_MATCH' } };
  const matching = rules.filter(({ clauses }) => clauses.every((each) => matches(each, question)));
  const rule = matching.at(service.has('last-rule-decides') ? -1 : 0);
  if (rule !== undefined)
    return { variation: rule.variation, reason: { kind: 'RULE_MATCH', ruleId: rule._id } };
  return {
    variation: fallThrough(settings, one.key, question),
    reason: { kind: 'FALLTHROUGH' },
  };
}

export function evaluate(call: Call): Answer {
  const environment = api.environmentOf(call);
  const { service } = call;
  const body = api.readBody(call, input) as { context: Json; flagKeys?: string[] };
  const question = { service, environment, context: body.context };
  const asked = environment.project.flags
    .filter(({ state }) => !state.archived || service.has('archived-evaluated'))
    .filter(({ key }) => body.flagKeys?.includes(key) ?? true)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const items = asked.map((one) => {
    const { variation, reason } = outcomeOf(one, question);
    const value = one.state.variations[variation]?.value ?? null;
    return api.shown(call, { key: one.key, value, variation, reason });
  });
  return { status: 200, json: { items, totalCount: items.length } };
}

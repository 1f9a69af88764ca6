import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { KnownIds, RuleJudgement, Schema, Contract, Rule } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import {
  setMember,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../../json/pointer.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { type BodyPlace, editAt, successBodies } from '../../mutants/places.ts';

/** Responses conform to the rules that the owner of the contract states in CEL. */
export const rulesHold = check({
  id: 'rules-hold',
  basis: 'contract',
  harm: 'results',
  rule:
    'A successful response conforms to the rules that x-vouch-rules in the contract, ' +
    'or rules in vouch.config.yaml, state for its schema or operation.',
  reason:
    'A wrong sum, count or order of dates conforms to every schema, and is wrong on ' +
    'the invoice.',
  example: [
    '> GET /orders/1',
    '< 200 OK',
    '< {"total": 12, "lines": [{"amount": 5}, {"amount": 6}]}   (the rule says 11)',
  ],
  confirm: 'once',
  needs: ['identifiers'],
  intents: ['valid'],
  mutants: [() => ruleMutators],
  inspect(subject) {
    const { contract } = subject;
    const judged = contract.rules.all.length === 0 ? undefined : judge(subject);
    return judged && [...firstOfEach(judged, subject), ...unfitRules(judged)];
  },
});

function judge(subject: CheckInput): readonly RuleJudgement[] | undefined {
  const { contract, operation, answer, exchange, knowledge } = subject;
  const status = exchange.response?.status ?? 0;
  if (answer.kind !== 'json' || !isSuccess(status)) return undefined;
  const content = selectResponse(operation, status)?.content ?? [];
  const schema = selectMediaType(content, answer.mediaType)?.schema;
  const ids: KnownIds = (resource) => knowledge.identifiers.get(resource);
  const exchanged = {
    path: argumentsIn('path', subject),
    query: argumentsIn('query', subject),
    requestBody: wholeBody(subject),
    status,
    body: answer.value,
    schema,
  };
  return [
    ...ofBody(subject, schema, ids),
    ...contract.rules.judgeExchange(operation, exchanged, ids),
  ];
}

/** The body as it was sent, with its envelope. */
function wholeBody({ case: testCase, sent }: CheckInput): JsonValue | undefined {
  const envelope = mediaOf(testCase)?.envelope;
  return envelope === undefined || sent.body === undefined
    ? sent.body
    : closeBody(envelope, sent.body);
}

function ofBody(
  { contract, answer }: CheckInput,
  schema: Schema | undefined,
  ids: KnownIds,
): readonly RuleJudgement[] {
  if (schema === undefined || answer.kind !== 'json') return [];
  return contract.rules.judgeBody(schema, answer.value, ids);
}

function argumentsIn(location: 'path' | 'query', { sent }: CheckInput): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const [parameter, value] of sent.arguments)
    if (parameter.in === location) setMember(members, parameter.name, value);
  return members;
}

/** One violation per rule: otherwise a list would repeat a wrong sum for each record. */
function firstOfEach(judged: readonly RuleJudgement[], subject: CheckInput): Violation[] {
  const broken = judged.filter(({ outcome }) => outcome === 'broken');
  const status = String(subject.exchange.response?.status ?? 0);
  return [...Map.groupBy(broken, ({ rule }) => rule)].flatMap(([rule, [first]]) => {
    if (first === undefined) return [];
    const where = first.at === '' ? 'The body' : `The value at ${first.at}`;
    return {
      at: rule.at,
      message: `${where} of the ${status} response breaks the rule: ${rule.says ?? rule.rule}`,
      expected: rule.rule,
      actual: first.detail === '' ? 'the rule is false' : first.detail,
      cause: rule.rule,
    };
  });
}

/** Rules that cannot judge: faults of who wrote them, which accuse no server. */
function unfitRules(judged: readonly RuleJudgement[]): Violation[] {
  const unfit = judged.filter(({ outcome }) => outcome === 'unfit' || outcome === 'exceeded');
  return [...Map.groupBy(unfit, ({ rule }) => rule)].flatMap(([rule, [first]]) =>
    first === undefined
      ? []
      : {
          at: rule.at,
          message: `The rule ${first.detail}, and was not judged: ${rule.rule}`,
          expected: 'an expression in CEL that is true or false, in little work',
          actual: `it ${first.detail}`,
          cause: `unfit ${rule.rule}`,
          severity: first.outcome === 'unfit' ? 'error' : 'note',
          blame: 'contract',
        },
  );
}

/** The number of mutations per rule: more add little. */
const maxOfRule = 3;

/** A service that violates an owner's rule about a schema. */
const ruleMutators: readonly Mutator[] = [
  mutantsOf('body')('breaks-rule', {
    rule: 'A response breaks a rule that the owner of the contract states.',
    where: breakable,
    max: Infinity,
    says: ({ rule }) =>
      `returns a body that violates the rule: ${(rule.says ?? rule.rule).replace(/[.]$/, '')}`,
    body: (body, { rule, schema, rules }) =>
      breakRule(rule, body, (changed) =>
        rules.judgeBody(schema, changed).filter((one) => one.rule === rule),
      ),
  }),
];

/** The operations in whose responses each rule can be violated. */
function breakable(
  contract: Contract,
): (Pick<BodyPlace, 'operation' | 'schema'> & Pick<Contract, 'rules'> & { readonly rule: Rule })[] {
  const { rules } = contract;
  const bodies = rules.all.length === 0 ? [] : successBodies(contract);
  return rules.all
    .filter(({ operation }) => operation === undefined)
    .flatMap((rule) =>
      bodies
        .filter(({ schema }) => rules.speaksOf(rule, schema))
        .slice(0, maxOfRule)
        .map(({ operation, schema }) => ({ operation, schema, rules, rule })),
    );
}

/** Evaluates one rule for a body. */
type Judge = (body: JsonValue) => ReturnType<Contract['rules']['judgeBody']>;

/**
 * The body with the first change of one member that violates the rule; undefined if no change does.
 */
function breakRule(rule: Rule, body: JsonValue, judged: Judge): JsonValue | undefined {
  const kept = judged(body).filter(({ outcome }) => outcome === 'kept');
  return kept
    .flatMap(({ at }) => rule.members.flatMap((member) => changesOf(body, at, member)))
    .find((changed) => judged(changed).some(({ outcome }) => outcome === 'broken'));
}

/** The body with changed values of a member of the object at a place. */
function changesOf(body: JsonValue, at: Pointer, member: string): readonly JsonValue[] {
  const found = valueAt(body, joinPointer(at, member));
  const way = [...splitPointer(at), member];
  return (found === undefined ? [] : othersOf(found))
    .map((other) => editAt(body, way, () => other))
    .filter((changed) => changed !== undefined);
}

/** Values of the same kind: near ones, then distant ones. */
function othersOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'bigint') return [value + 1n, -value];
  if (typeof value === 'number') return [value + 1, value - 1, -value - 1, value * 1000 + 1];
  if (isJsonArray(value)) return [value.slice(0, -1), [...value, ...value], []];
  if (typeof value !== 'string' || isJsonObject(value)) return [];
  if (/^-?\d+(\.\d+)?$/.test(value)) return [value.replace(/^(-?)/, '$11'), '0'];
  if (/^\d{4}-\d\d/.test(value)) return [`1970${value.slice(4)}`, `2999${value.slice(4)}`];
  return [`${value}2`, ''];
}

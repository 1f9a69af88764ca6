import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { KnownIds, RuleJudgement, Schema } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { setMember, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** Responses conform to the rules that the owner of the contract states in CEL. */
export const rulesHold = check({
  id: 'rules-hold',
  basis: 'contract',
  severity: 'error',
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
  mutants: [async () => (await import('./rules-mutants.ts')).ruleMutators],
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
    return [
      {
        at: rule.at,
        message: `${where} of the ${status} response breaks the rule: ${rule.says ?? rule.rule}`,
        expected: rule.rule,
        actual: first.detail === '' ? 'the rule is false' : first.detail,
        cause: rule.rule,
      },
    ];
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

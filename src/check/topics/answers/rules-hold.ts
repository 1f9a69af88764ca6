import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import type { Formula, KnownIds, RuleJudgement, Schema } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { type Decimal, isDecimalText, toDecimal, unitsAt } from '../../../json/decimal.ts';
import {
  isJsonArray,
  isJsonObject,
  setMember,
  type JsonObject,
  type JsonValue,
} from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';

/** Responses conform to the rules that the owner of the contract states in CEL. */
export const rulesHold = check({
  id: 'rules-hold',
  basis: 'contract',
  severity: 'error',
  rule:
    'A successful response conforms to the rules that x-vouch-rules in the contract, ' +
    'or rules in vouch.config.yaml, state for its schema or operation, and to descriptions that ' +
    'are formulas, such as `subtotal + tax`.',
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
  inspect(subject) {
    const { contract } = subject;
    const unlike = byFormulas(subject);
    if (contract.rules.all.length === 0) return unlike;
    const judged = judge(subject);
    if (judged === undefined) return unlike;
    return [...firstOfEach(judged, subject), ...unfitRules(judged), ...(unlike ?? [])];
  },
});

function judge(subject: CheckInput): readonly RuleJudgement[] | undefined {
  const { contract, operation, answer, sent, exchange, knowledge } = subject;
  const status = exchange.response?.status ?? 0;
  if (answer.kind !== 'json' || !isSuccess(status)) return undefined;
  const content = selectResponse(operation, status)?.content ?? [];
  const schema = selectMediaType(content, answer.mediaType)?.schema;
  const ids: KnownIds = (resource) => knowledge.identifiers.get(resource);
  const exchanged = {
    path: argumentsIn('path', subject),
    query: argumentsIn('query', subject),
    requestBody: sent.body,
    status,
    body: answer.value,
    schema,
  };
  return [
    ...ofBody(subject, schema, ids),
    ...contract.rules.judgeExchange(operation, exchanged, ids),
  ];
}

function ofBody(
  { contract, answer }: CheckInput,
  schema: Schema | undefined,
  ids: KnownIds,
): readonly RuleJudgement[] {
  if (schema === undefined || answer.kind !== 'json') return [];
  return contract.rules.judgeBody(schema, answer.value, ids);
}

function argumentsIn(place: 'path' | 'query', { sent }: CheckInput): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const [parameter, value] of sent.arguments)
    if (parameter.in === place) setMember(members, parameter.name, value);
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

/** The fields of the shown records that differ from what their descriptions compute. */
function byFormulas(subject: CheckInput): Violation[] | undefined {
  const { contract, operation, answer, exchange } = subject;
  const status = exchange.response?.status ?? 0;
  const role = isSuccess(status) ? roleOf(contract, operation) : undefined;
  const { formulas = [] } = role?.resource ?? {};
  if (role === undefined || formulas.length === 0) return undefined;
  const { resource, action } = role;
  const one = action === 'list' ? undefined : shownRecord(resource, answer);
  const records = action === 'list' ? listedRecords(resource, answer) : one && [one];
  if (records === undefined) return undefined;
  return formulas.flatMap((formula): Violation[] => {
    const parts = records.flatMap((record) => partsFor(record, formula));
    const wrong = parts.flatMap((part) => deviation(part, formula) ?? [])[0];
    return wrong === undefined ? [] : [unlikeFormula(formula, wrong)];
  });
}

/** The record, or the items of its list, to which a formula applies. */
function partsFor(record: JsonObject, { list }: Formula): readonly JsonObject[] {
  if (list === undefined) return [record];
  const items = record[list];
  return items !== undefined && isJsonArray(items) ? items.filter(isJsonObject) : [];
}

interface Deviation {
  readonly wanted: string;
  readonly got: JsonValue;
}

function unlikeFormula({ member, pointer, says }: Formula, { wanted, got }: Deviation): Violation {
  return {
    at: pointer,
    message: `The ${member} is ${showValue(got)}; its description, “${says}”, gives ${wanted}.`,
    expected: `${member} is ${wanted}`,
    actual: `${member} is ${showValue(got)}`,
    cause: `formula of ${member}`,
  };
}

/** How a field differs from its formula; undefined if it does not, or if an operand is missing. */
function deviation(part: JsonObject, formula: Formula): Deviation | undefined {
  const { kind, of, member } = formula;
  const got = part[member];
  if (got === undefined || got === null) return undefined;
  if (kind === 'days') return otherDay(part, formula, got);
  const shown = decimalOf(got);
  const exact = computed(part, kind, of);
  if (shown === undefined || exact === undefined) return undefined;
  // Rounding to the last digit that is shown is no deviation. A double need not be exact.
  const isDouble = [got, ...operandsOf(part, kind, of)].some(
    (value) => typeof value === 'number' && !Number.isInteger(value),
  );
  const digits = isDouble ? Math.min(2, shown.digits) : shown.digits;
  const scale = Math.max(shown.digits, exact.digits, digits);
  const apart = unitsAt(shown, scale) - unitsAt(exact, scale);
  const size = apart < 0n ? -apart : apart;
  return size * 2n <= 10n ** BigInt(scale - digits)
    ? undefined
    : { wanted: decimalText(exact), got };
}

function operandsOf(
  part: JsonObject,
  kind: Formula['kind'],
  [left, right]: Formula['of'],
): readonly (JsonValue | undefined)[] {
  const list = part[left];
  if (kind !== 'sum') return [part[left], part[right]];
  return list !== undefined && isJsonArray(list)
    ? list.map((item) => (isJsonObject(item) ? item[right] : undefined))
    : [undefined];
}

function computed(part: JsonObject, kind: Formula['kind'], of: Formula['of']): Decimal | undefined {
  const values = operandsOf(part, kind, of).map((value) =>
    value === undefined ? undefined : decimalOf(value),
  );
  if (!values.every((value) => value !== undefined)) return undefined;
  const [left, right] = values;
  if (kind === 'sum') return values.reduce((sum, value) => add(sum, value, 1n), zero);
  if (left === undefined || right === undefined) return undefined;
  if (kind === 'plus') return add(left, right, 1n);
  if (kind === 'minus') return add(left, right, -1n);
  const digits = left.digits + right.digits + (kind === 'percent' ? 2 : 0);
  return { units: left.units * right.units, digits };
}

const zero: Decimal = { units: 0n, digits: 0 };

function add(left: Decimal, right: Decimal, sign: bigint): Decimal {
  const digits = Math.max(left.digits, right.digits);
  return { units: unitsAt(left, digits) + sign * unitsAt(right, digits), digits };
}

/** A number, or a decimal that is written as text. */
function decimalOf(value: JsonValue): Decimal | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return toDecimal(value);
  if (!isDecimalText(value)) return undefined;
  const [whole = '0', fraction = ''] = value.split('.');
  return { units: BigInt(whole + fraction), digits: fraction.length };
}

function decimalText({ units, digits }: Decimal): string {
  const size = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const whole = size.slice(0, size.length - digits);
  const sign = units < 0n ? '-' : '';
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${size.slice(-digits)}`;
}

/** A date that is not so many days after another one; an hour apart may be summer time. */
function otherDay(
  part: JsonObject,
  { of: [date, days] }: Formula,
  got: JsonValue,
): Deviation | undefined {
  const [from, to] = [part[date], got].map((value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : NaN,
  );
  const wanted = (from ?? NaN) + Number(days) * dayMs;
  if (to === undefined || Number.isNaN(wanted) || Number.isNaN(to)) return undefined;
  if (Math.abs(to - wanted) <= 2 * hourMs) return undefined;
  return {
    wanted: `"${new Date(wanted).toISOString().slice(0, String(got).length > 10 ? 19 : 10)}"`,
    got,
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

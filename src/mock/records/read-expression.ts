import type { RecordField } from '../../contract/infer/record-fields.ts';
import { joinedParts, leavesOf } from '../../contract/query-languages/conditions.ts';
import type { Comparison, Condition as Asked } from '../../contract/query-languages/language.ts';
import type { Expression, ListShape, Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import type { Condition } from '../../store/store.ts';
import { valueFault } from '../errors/describe-issue.ts';
import type { Fault } from '../model/reply.ts';
import type { ParameterValues, ValidRequest } from '../model/request.ts';
import { parameterKey } from '../request/read-request.ts';
import { otherSpellings } from './collection-name.ts';
import { comparedField } from './related-fields.ts';

/** What the expressions of a request select; one that cannot be read selects every record. */
export function readExpressions(
  { expressions = [] }: ListShape,
  parameters: ParameterValues,
): Condition[] {
  return expressions.flatMap(({ parameter, language }) => {
    const text = parameters.get(parameterKey(parameter));
    const asked = typeof text === 'string' ? language.read(text) : undefined;
    return asked === undefined ? [] : [conditionOf(asked)];
  });
}

/** The condition of a store that an expression is. */
export function conditionOf(asked: Asked): Condition {
  const joined = joinedParts(asked);
  if (joined !== undefined)
    return { op: joined.joint, of: joined.parts.map((part) => conditionOf(part)) };
  if ('not' in asked) return { op: 'none', of: [conditionOf(asked.not)] };
  return 'field' in asked ? compared(asked) : { op: 'all', of: [] };
}

const bounds = { lt: 'lt', le: 'lte', gt: 'gt', ge: 'gte' } as const;

function compared({ field, by, op, value }: Comparison): Condition {
  const of = { field, ...defined({ by }) };
  if (value === null) {
    const isNull: Condition = { op: 'null', ...of };
    return op === 'ne' ? { op: 'none', of: [isNull] } : isNull;
  }
  switch (op) {
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return { op: bounds[op], ...of, value };
    case 'contains':
    case 'starts':
    case 'ends':
      return { op, ...of, value };
    default:
      return { op: op === 'ne' ? 'not in' : 'in', ...of, values: spellings(value) };
  }
}

/** How a record may write a value: the number 5 also as the text `5`, and an UUID in either case. */
export function spellings(value: JsonValue): JsonValue[] {
  return typeof value === 'string' ? [value, ...otherSpellings(value)] : [value, String(value)];
}

/** The fault for an expression that its language has refused; undefined if there is none. */
export function strayExpression(
  { plan, parameters }: ValidRequest,
  resource: Resource,
  { expressions = [] }: ListShape,
): Fault | undefined {
  const fieldNamed = (name: string): RecordField | undefined => comparedField(plan, resource, name);
  for (const expression of expressions) {
    const text = parameters.get(parameterKey(expression.parameter));
    const why = typeof text === 'string' ? refusalOf(text, expression, fieldNamed) : undefined;
    if (why !== undefined) return expressionFault(expression, String(text), why);
  }
  return undefined;
}

/** Why an expression is refused, as a clause. */
function refusalOf(
  text: string,
  { language }: Expression,
  fieldNamed: (name: string) => RecordField | undefined,
): string | undefined {
  const { refuses } = language;
  if (refuses.length === 0 || text.trim() === '') return undefined;
  const condition = language.read(text);
  if (condition === undefined) return 'is no expression that this mock reads';
  for (const leaf of leavesOf(condition)) {
    const field = fieldNamed(leaf.field);
    if (field === undefined && refuses.includes('field'))
      return `has ${quoteExcerpt(leaf.field)}, which is no field of a record`;
    if (field === undefined || leaf.value === null) continue;
    const { node } = field.flat;
    const isNumeric = field.types.every((type) => type === 'integer' || type === 'number');
    const isSize = leaf.by === undefined ? isNumeric : leaf.by === 'length';
    if (refuses.includes('literal') && isSize && Number.isNaN(Number(leaf.value)))
      return `compares ${quoteExcerpt(leaf.field)}, a number, with another value`;
    if (refuses.includes('literal') && isNumeric && leaf.by !== undefined)
      return `takes ${quoteExcerpt(leaf.field)}, a number, for a text`;
    if (leaf.by !== undefined) continue;
    if (refuses.includes('enum') && node.enum !== undefined && !node.enum.includes(leaf.value))
      return `compares ${quoteExcerpt(leaf.field)} with a value that it cannot have`;
  }
  return undefined;
}

function expressionFault({ parameter, language }: Expression, text: string, why: string): Fault {
  const said = `${why}: ${quoteExcerpt(text)} (${language.name})`;
  return valueFault(parameter.name, 'expression', said);
}

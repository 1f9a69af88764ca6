import type { RecordField } from '../../../contract/infer/record-fields.ts';
import { join } from '../../../contract/query-languages/conditions.ts';
import type { Condition, Joint, Operator } from '../../../contract/query-languages/language.ts';
import type { Expression } from '../../../contract/model.ts';
import type { Compared, Misreading } from '../../model/request-template.ts';
import type { Listing } from '../../plan/listing.ts';
import { chooseFields, comparedAs, comparedFields } from './compared-fields.ts';

/** What an expression says, and the mistake that it is to show. */
export interface Asked {
  readonly condition: Condition<Compared>;
  readonly unlike?: Misreading | undefined;
}

/**
 * Conditions that are more than comparisons which all must hold, as far as the language has them.
 * Each shows a service that makes one mistake.
 */
export function compoundConditions(listing: Listing, expression: Expression): Asked[] {
  return [
    ...joinedOnes(listing, expression),
    ...negatedOnes(listing, expression),
    ...wholeItems(listing, expression),
    ...partialTexts(listing, expression),
    ...withoutValue(listing, expression),
  ];
}

/** Comparisons of single fields, the likeliest to be supported first. */
function plainLeaves(listing: Listing, expression: Expression): Compared[] {
  return chooseFields(listing, expression)
    .filter(({ field }) => !field.many && !field.name.includes('.'))
    .map(({ kind, compared }) => ({ ...compared, op: kind.beside }));
}

/** Three comparisons: once the joint that binds more tightly decides, once the parentheses. */
function joinedOnes(listing: Listing, expression: Expression): Asked[] {
  const { tighter } = expression.language;
  const looser: Joint = tighter === 'all' ? 'any' : 'all';
  const [first, second, third = first] = plainLeaves(listing, expression);
  if (first === undefined || second === undefined || third === undefined) return [];
  return [
    { condition: join(looser, [first, join(tighter, [second, third])]), unlike: 'joints' },
    { condition: join(tighter, [join(looser, [first, second]), third]), unlike: 'joints' },
  ];
}

/** One comparison behind each of the words for "not". */
function negatedOnes(listing: Listing, expression: Expression): Asked[] {
  const [leaf] = plainLeaves(listing, expression);
  if (leaf === undefined) return [];
  return expression.language.nots.map((_word, as) => ({
    condition: { not: leaf, ...(as === 0 ? {} : { as }) },
    unlike: 'negation',
  }));
}

/** A part of an item, which is no item. */
function wholeItems(listing: Listing, expression: Expression): Asked[] {
  const list = comparedFields(listing, expression).find(
    ({ many, types }) => many && types.includes('string'),
  );
  return list === undefined
    ? []
    : [{ condition: { ...comparedAs(list), op: 'has', takes: 'part' }, unlike: 'item' }];
}

function partialTexts(listing: Listing, expression: Expression): Asked[] {
  const { parts, language } = expression;
  const text = comparedFields(listing, expression).find(isPlainText);
  if (text === undefined) return [];
  const compared = comparedAs(text);
  const alone = parts.map((op): Asked => {
    const condition = { ...compared, op };
    return op === 'contains' ? { condition } : { condition, unlike: 'place' };
  });
  const inOtherCase = parts
    .filter((op) => language.caseSensitive.includes(op))
    .slice(0, 1)
    .map((op): Asked => ({
      condition: { ...compared, op, takes: 'other case' },
      unlike: 'case',
    }));
  return [...alone, ...inOtherCase];
}

/** Whether a field holds any text, and neither a list nor a part of an object. */
export function isPlainText({ name, types, many, flat: { node } }: RecordField): boolean {
  const isFree = node.format === undefined && node.enum === undefined && node.const === undefined;
  return isFree && !many && !name.includes('.') && types.length === 1 && types[0] === 'string';
}

/** Whether a field may be null, and is neither a list nor a part of an object. */
export function isNullable({ many, name, flat }: RecordField): boolean {
  return !many && !name.includes('.') && flat.types.includes('null');
}

/** How many fields that may be null are compared with it. */
const maxNullable = 2;

/** Null as a value, where the language has one, and values beside it. */
function withoutValue(listing: Listing, expression: Expression): Asked[] {
  if (!expression.language.hasNull) return [];
  const nullable = comparedFields(listing, expression).filter(isNullable).slice(0, maxNullable);
  return nullable.flatMap((field): Asked[] => {
    const compared = comparedAs(field);
    const operators: readonly Operator[] = ['eq', 'ne'];
    const isExact = field.flat.node.format !== 'date-time' && !field.types.includes('number');
    return [
      ...operators.map((op): Asked => ({
        condition: { ...compared, op, takes: 'null' },
        unlike: 'null',
      })),
      ...(isExact
        ? [{ condition: { ...compared, op: 'ne' as const }, unlike: 'null' as const }]
        : []),
    ];
  });
}

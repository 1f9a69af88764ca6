import { type RecordField, recordFields } from '../../../contract/infer/record-fields.ts';
import type { Expression } from '../../../contract/model.ts';
import type { Operator } from '../../../contract/query-languages/language.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, Compared, Source } from '../../model/request-template.ts';
import { requestOf } from '../../plan/draft.ts';
import { askList, type Listing, sourced, valued, widestPage } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { betweenLists } from './filter-sequences.ts';

/** A kind of field, and how expressions compare it. */
interface FieldKind {
  readonly operators: readonly Operator[];
  /** How it is compared beside another field. */
  readonly beside: Operator;
  readonly holds: (field: RecordField) => boolean;
}

const listKind: FieldKind = { operators: ['has'], beside: 'has', holds: ({ many }) => many };

/** A field of an object in the record: services often know those at its top alone. */
const nestedKind: FieldKind = {
  operators: ['eq', 'ne'],
  beside: 'eq',
  holds: ({ name, types, flat: { node } }) =>
    name.includes('.') && node.format === undefined && !types.includes('number'),
};

/** Those that nothing but the value decides come first: two of them are compared at once. */
const kinds: readonly FieldKind[] = [
  listKind,
  nestedKind,
  {
    operators: ['eq', 'ne'],
    beside: 'eq',
    holds: ({ flat: { node } }) => node.enum !== undefined && node.enum.length > 1,
  },
  {
    operators: ['eq', 'ne', 'lt', 'le', 'gt', 'ge'],
    beside: 'le',
    holds: ({ types }) => types.includes('integer') || types.includes('number'),
  },
  { operators: ['eq', 'ne'], beside: 'eq', holds: ({ types }) => types.includes('boolean') },
  // Moments may be shown less exactly than they are compared.
  {
    operators: ['lt', 'gt'],
    beside: 'gt',
    holds: ({ flat: { node } }) => node.format === 'date-time' || node.format === 'date',
  },
  {
    operators: ['eq', 'ne'],
    beside: 'eq',
    holds: ({ types, flat: { node } }) => types.includes('string') && node.format === undefined,
  },
];

/** The most fields that one parameter compares, besides a list and one of an object. */
const most = 4;

/**
 * Tests the expressions of a list: a few fields of different kinds, each compared with what a
 * record has, and two at once; and texts that are no expression, which may be refused. All are
 * between two requests of the whole list, by which they are judged.
 */
export function planExpressions(listing: Listing, { seed }: PlanContext): Sequence[] {
  const { expressions = [] } = listing.shape;
  return expressions.flatMap((expression) => {
    const chosen = chooseFields(listing, expression);
    const alone = chosen.map(({ kind: { operators }, compared }) =>
      betweenLists(
        listing,
        ...operators.map((op) => comparing(listing, expression, [{ ...compared, op }])),
      ),
    );
    const pair = chosen.slice(0, 2).map(({ kind, compared }) => ({ ...compared, op: kind.beside }));
    const both = comparing(listing, expression, pair);
    return [
      ...alone,
      ...(pair.length < 2 ? [] : [betweenLists(listing, both)]),
      ...invalidExpressions(listing, expression, seed),
    ];
  });
}

/**
 * The arguments by which the pages of a list are walked with an expression: for each, the value of
 * one field, of those that have few values if there is one.
 */
export function expressionsToWalk(listing: Listing): ExpressionWalk[] {
  return (listing.shape.expressions ?? []).flatMap((expression) => {
    const [first] = chooseFields(listing, expression).filter(({ kind }) => kind.beside === 'eq');
    if (first === undefined) return [];
    const source = expressionSource(listing, expression, [{ ...first.compared, op: 'eq' }]);
    const { field } = first.compared;
    return [
      {
        words: ` where ${expression.parameter.name} says that ${field} ${phrases.eq}`,
        query: sourced(expression.parameter, source),
      },
    ];
  });
}

interface ExpressionWalk {
  readonly words: string;
  readonly query: readonly Argument[];
}

interface ChosenField {
  readonly kind: FieldKind;
  readonly compared: Omit<Compared, 'op'>;
}

/** One field of each kind: one that clients write, rather than what the service sets. */
function chooseFields({ resource }: Listing, { fields, lists }: Expression): ChosenField[] {
  const known = new Map(recordFields(resource.record).map((field) => [field.name, field]));
  const candidates = [...lists, ...fields]
    .flatMap((name) => known.get(name) ?? [])
    .filter(({ name }) => name !== resource.identifier.field)
    .toSorted((left, right) => Number(isSet(left)) - Number(isSet(right)));
  const chosen: ChosenField[] = [];
  for (const kind of kinds) {
    const field = candidates.find((one) => kindOf(one) === kind);
    if (field === undefined) continue;
    const { format } = field.flat.node;
    chosen.push({
      kind,
      compared: { field: field.name, ...(format === undefined ? {} : { format }) },
    });
  }
  const isOdd = ({ kind }: ChosenField): boolean => kind === listKind || kind === nestedKind;
  return [...chosen.filter((one) => !isOdd(one)).slice(0, most), ...chosen.filter(isOdd)];
}

function isSet({ flat: { node } }: RecordField): boolean {
  return node.readOnly === true;
}

function kindOf(field: RecordField): FieldKind | undefined {
  return kinds.find(({ holds }) => holds(field));
}

const phrases: Readonly<Record<Operator, string>> = {
  eq: 'is what a record has',
  ne: 'is not what a record has',
  lt: 'is less than what a record has',
  le: 'is at most what a record has',
  gt: 'is greater than what a record has',
  ge: 'is at least what a record has',
  has: 'has an item that a record has',
};

/** An expression with the values of a record. A service may leave fields and operators out. */
function comparing(listing: Listing, expression: Expression, compared: readonly Compared[]): Case {
  const { parameter } = expression;
  const source = expressionSource(listing, expression, compared);
  const words = compared.map(({ field, op }) => `${field} ${phrases[op]}`).join(' and ');
  return {
    ...askList(listing, {
      title: `${parameter.name} says that ${words}`,
      query: [...sourced(parameter, source), ...widestPage(listing)],
      at: parameter.pointer,
      rigour: 'exotic',
    }),
    optional: true,
  };
}

function expressionSource(
  { resource }: Listing,
  { language }: Expression,
  compared: readonly Compared[],
): Source {
  return { kind: 'expression', resource: resource.name, language: language.id, compared };
}

/** Texts that are no expression of the language: a service should refuse them, and many do not. */
function invalidExpressions(
  { draft }: Listing,
  { parameter, language }: Expression,
  seed: string,
): Sequence[] {
  const field = `zq${hash(`${seed} ${parameter.name} no field`)}`;
  const texts = [language.invalid[0], language.write({ field, op: 'eq', value: 1 })];
  return texts.flatMap((text) => {
    const argument = text === undefined ? [] : valued(parameter, text);
    const rule = `${parameter.name} is ${String(text)}, no expression over the fields of a record`;
    if (argument.length === 0) return [];
    const { operation } = draft;
    return [
      makeSequence(
        makeCase({
          title: rule,
          phase: 'sequence',
          operation,
          request: requestOf(draft, 'known', { extra: argument }),
          intent: {
            kind: 'invalid',
            at: parameter.pointer,
            rule,
            part: 'query',
            subject: parameter.name,
            accepted: 'fine',
          },
          control: requestOf(draft, 'known'),
        }),
      ),
    ];
  });
}

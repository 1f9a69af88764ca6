import type { RecordField } from '../../../contract/infer/record-fields.ts';
import type { Expression } from '../../../contract/model.ts';
import type { FilterLanguage } from '../../../contract/query-languages/language.ts';
import { hash, invalidIntent, makeSequence, type Sequence } from '../../model/case.ts';
import { requestOf } from '../../plan/draft.ts';
import { type Listing, valued, wholeList } from '../../plan/listing.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
import { comparedAs, comparedFields } from './compared-fields.ts';

/**
 * Texts that are no expression over the fields of a record: of no such syntax, with a field that
 * there is not, with a literal that its field cannot have. Where the language has them refused, a
 * service must; otherwise it may accept them.
 */
export function invalidExpressions(
  listing: Listing,
  expression: Expression,
  context: PlanContext,
): Sequence[] {
  const { parameter, language } = expression;
  const word = `zq${hash(`${context.seed} ${parameter.name} no field`)}`;
  const unknown: Invalid = {
    text: language.write({ field: word, op: 'eq', value: 1 }),
    why: 'no expression over the fields of a record',
  };
  const noSyntax: Invalid = { text: language.invalid[0], why: 'no expression' };
  const isRefused = language.refuses.includes('field');
  return [
    ...[noSyntax, ...(isRefused ? [] : [unknown])].flatMap((invalid) =>
      openCase(listing, expression, invalid),
    ),
    ...refusedOnes(context, listing, expression, [
      ...(isRefused ? [unknown] : []),
      ...wrongLiterals(comparedFields(listing, expression), language, word),
    ]),
  ];
}

/** A text that is no expression of the language, and why. */
interface Invalid {
  readonly text: string | undefined;
  readonly why: string;
}

function titleOf({ parameter }: Expression, { text, why }: Invalid): string {
  return `${parameter.name} is ${String(text)}, ${why}`;
}

/** A text that a service may accept, but must not fail on. */
function openCase({ draft }: Listing, expression: Expression, invalid: Invalid): Sequence[] {
  const { parameter } = expression;
  const argument = invalid.text === undefined ? [] : valued(parameter, invalid.text);
  const rule = titleOf(expression, invalid);
  if (argument.length === 0) return [];
  return [
    makeSequence(
      draftCase(draft, {
        title: rule,
        record: 'known',
        extra: argument,
        intent: invalidIntent(parameter, { at: parameter.pointer, rule, accepted: 'fine' }),
        control: requestOf(draft, 'known'),
      }),
    ),
  ];
}

function refusedOnes(
  context: PlanContext,
  listing: Listing,
  expression: Expression,
  invalid: readonly Invalid[],
): Sequence[] {
  const before = wholeList(listing, 'the list is asked for, before what is no expression of it');
  const refused = invalid.flatMap((one) =>
    (one.text === undefined ? [] : valued(expression.parameter, one.text)).map((argument) => ({
      title: titleOf(expression, one),
      rule: 'no-expression' as const,
      argument,
    })),
  );
  return refusedQueries(context, listing.draft, [before], refused);
}

/** A word for a number, and one that an enum does not have, where the language has it refused. */
function wrongLiterals(
  fields: readonly RecordField[],
  { refuses, write }: FilterLanguage,
  word: string,
): Invalid[] {
  const own = fields.filter(({ many, name }) => !many && !name.includes('.'));
  const number = own.find(({ flat }) => flat.types.length > 0 && flat.types.every(isNumeric));
  const listed = own.find(({ flat: { node } }) => node.enum !== undefined);
  const literal = (field: RecordField | undefined, value: string): string | undefined =>
    field && write({ ...comparedAs(field), op: 'eq', value });
  return [
    {
      text: refuses.includes('literal') ? literal(number, word) : undefined,
      why: 'which compares a number with a word',
    },
    {
      text: refuses.includes('enum') ? literal(listed, word.toUpperCase()) : undefined,
      why: 'which compares an enum with a value that it does not have',
    },
  ];
}

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'number' || type === 'null';
}

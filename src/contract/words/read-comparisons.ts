import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf } from '../infer/infer-names.ts';
import { recordFields, type RecordField } from '../infer/record-fields.ts';
import type { Operation, Resource, Schema } from '../model.ts';
import { bodySchema, documentsRefusal } from '../model/operation.ts';
import { type Fact, factsIn, fieldTexts, operationTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/** A field of a body whose value is refused on one side of another field. */
export interface Comparison {
  readonly field: string;
  /** How it must relate to the other field. */
  readonly op: 'gt' | 'gte' | 'lt' | 'lte';
  readonly other: string;
  /** Whether the other field is one of the record above: `the balance of the account`. */
  readonly isAbove: boolean;
  readonly fact: Fact;
}

const refusals = ['400', '409', '422'];

/**
 * The comparisons that descriptions state of the fields of a body, where the operation documents a
 * refusal: `end must be after start`, `An amount above the invoice's balance is refused`.
 */
export function comparisonsIn(operation: Operation, above: Resource | undefined): Comparison[] {
  const schema = bodySchema(operation);
  if (schema === undefined || !documentsRefusal(operation, refusals)) return [];
  const fields = recordFields(schema).filter(({ many, name }) => !many && !name.includes('.'));
  const texts = operationTexts(operation);
  const facts = [...factsIn(texts, 'compares-to'), ...factsIn(texts, 'has-order')];
  const told = facts.flatMap((fact) => {
    const { field: named, side = '' } = fact.groups;
    const before = named ?? fact.sentence.slice(0, fact.sentence.indexOf(side));
    const [field, ...more] = fields.filter(({ name }) => mentions(before, name));
    return field === undefined || more.length > 0 ? [] : [{ field, fact }];
  });
  const own = fields.flatMap((field) =>
    factsIn(fieldTexts(field.flat), 'compares-to').map((fact) => ({ field, fact })),
  );
  return [...told, ...own].flatMap((one) => compared(one, { fields, above }));
}

interface Told {
  readonly field: RecordField;
  readonly fact: Fact;
}

interface Around {
  readonly fields: readonly RecordField[];
  readonly above: Resource | undefined;
}

function compared({ field, fact }: Told, { fields, above }: Around): Comparison[] {
  const value = fact.groups['value'] ?? '';
  const isNamed = (one: RecordField): boolean => one !== field && mentions(value, one.name);
  const isAbove =
    above !== undefined && mentions(value, singularOf(lastWord(above.collectionPath)));
  const others = (isAbove ? plainFields(above.record) : fields).filter(isNamed);
  const [other, ...more] = others;
  if (other === undefined || more.length > 0 || kindOf(other) !== kindOf(field)) return [];
  return [{ field: field.name, op: operatorOf(fact), other: other.name, isAbove, fact }];
}

function plainFields(record: Schema): RecordField[] {
  return recordFields(record).filter(({ many, name }) => !many && !name.includes('.'));
}

/** Values of one kind can be compared: numbers, dates, or texts such as amounts. */
function kindOf({ types, flat }: RecordField): string {
  const isNumber = types.every((type) => type === 'integer' || type === 'number');
  return isNumber ? 'number' : `${types.join()} ${flat.node.format ?? ''}`;
}

/** What must hold, by the side that the sentence names and whether it forbids it. */
function operatorOf({ groups }: Fact): Comparison['op'] {
  const isUp = /^(?:after|behind|above|exceed|later|greater|higher|more|larger)/i.test(
    groups['side'] ?? '',
  );
  const isForbidden = ['not', 'never', 'refused'].some((name) => groups[name] !== undefined);
  const hasSame = groups['same'] !== undefined;
  const isWithin = isForbidden !== hasSame;
  return `${isUp === isForbidden ? 'l' : 'g'}t${isWithin ? 'e' : ''}`;
}

/** The greatest number of parts of a record: a number of another record that it names. */
export interface CountLimit {
  readonly field: string;
  /** The field of the record above that names the other record. */
  readonly key: string;
  readonly target: Resource;
}

/**
 * How many parts an operation may add to a record, where its description says so: `One seat more
 * than the capacity of the hall is refused.`
 */
export function countLimit(operation: Operation, above: Resource): CountLimit | undefined {
  const noun = singularOf(lastWord(operation.path));
  for (const { groups, sentence } of factsIn(operationTexts(operation), 'compares-to')) {
    const { value = '', side = '' } = groups;
    if (!mentions(sentence.slice(0, sentence.indexOf(side)), noun)) continue;
    for (const { field: key, resource: target, many } of above.foreignKeys) {
      const isNamed = mentions(value, singularOf(lastWord(target.collectionPath)));
      const field = plainFields(target.record).find(
        (one) => kindOf(one) === 'number' && mentions(value, one.name),
      );
      if (isNamed && !many && !key.includes('.') && field !== undefined)
        return { field: field.name, key, target };
    }
  }
  return undefined;
}

import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf } from '../infer/infer-names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { Operation, Resource } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { type PeriodFields, recurrenceIn } from '../protocols/recurrence.ts';
import { type Fact, factsIn, operationTexts } from './facts.ts';
import { mentions } from './mentions.ts';
import { comparisonsIn } from './read-comparisons.ts';
import { stateFieldsOf } from './read-states.ts';

/** Periods of records that must not overlap, among those that name the same other record. */
export interface Exclusion extends PeriodFields {
  /** The field that names the record whose periods they are. */
  readonly key: string;
  /** The state in which alone a record has its period. */
  readonly only?: { readonly field: string; readonly value: string } | undefined;
  readonly fact: Fact;
}

/**
 * The periods of the records that an operation makes, where it says that no two of them overlap and
 * documents a conflict: `No two confirmed visits of a guide overlap.`
 */
export function exclusionOf(create: Operation, resource: Resource): Exclusion | undefined {
  if (!create.responses.some(({ status }) => status === '409')) return undefined;
  const period = periodIn(create);
  if (period === undefined) return undefined;
  for (const fact of factsIn(operationTexts(create), 'never-overlaps')) {
    const named = resource.foreignKeys.filter(
      ({ field, many, resource: target }) =>
        !many &&
        !field.includes('.') &&
        mentions(fact.sentence, singularOf(lastWord(target.collectionPath))),
    );
    const [key, ...more] = named;
    if (key === undefined || more.length > 0) continue;
    const recurrence = recurrenceIn(resource.record);
    return { ...period, recurrence, key: key.field, only: stateIn(fact.sentence, resource), fact };
  }
  return undefined;
}

/** The two moments of a body, in the order that it states, or in which they stand. */
function periodIn(create: Operation): Pick<Exclusion, 'start' | 'end'> | undefined {
  const schema = bodySchema(create);
  const moments = schema === undefined ? [] : recordFields(schema).filter(isMoment);
  const [first, second, ...more] = moments.map(({ name }) => name);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const isReversed = comparisonsIn(create, undefined).some(
    ({ field, op, other }) => field === first && other === second && op.startsWith('g'),
  );
  return isReversed ? { start: second, end: first } : { start: first, end: second };
}

function isMoment({ name, many, flat }: ReturnType<typeof recordFields>[number]): boolean {
  const { format, readOnly } = flat.node;
  const isPlain = !many && !name.includes('.') && readOnly !== true;
  return isPlain && (format === 'date-time' || format === 'date');
}

/** The only state that a sentence names. */
function stateIn(sentence: string, { record }: Resource): Exclusion['only'] {
  const [found, ...more] = stateFieldsOf(record).flatMap(({ field, values }) =>
    values.filter((value) => mentions(sentence, value)).map((value) => ({ field, value })),
  );
  return more.length === 0 ? found : undefined;
}

import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf } from '../infer/infer-names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { Operation, Resource } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { type PeriodFields, recurrenceIn } from '../protocols/recurrence.ts';
import { type Fact, factsIn, operationTexts } from './facts.ts';
import { mentions } from './mentions.ts';
import { comparisonsIn } from './read-comparisons.ts';
import { type NamedState, stateNamedIn } from './read-states.ts';

/** Periods of records that must not overlap, among those that name the same other record. */
export interface Exclusion extends PeriodFields {
  /** The field that names the record whose periods they are. */
  readonly key: string;
  /** The state in which alone a record has its period. */
  readonly only?: NamedState | undefined;
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
    return {
      ...period,
      recurrence,
      key: key.field,
      only: stateNamedIn(fact.sentence, resource.record),
      fact,
    };
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

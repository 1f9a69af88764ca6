import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { valueBy, type Formula, formulasIn, sumsIn } from '../../../contract/words/read-amounts.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { editShown, type ShowingPlace, showingPlaces } from '../../mutants/edit-records.ts';
import { mutantsOf, type Scene } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { jsonAt } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

interface SumPlace extends ShowingPlace {
  readonly field: string;
  readonly child: Resource;
  readonly of: string;
}

/** The reads of records that sum up a field of the records below them. */
function sums({ resources }: Contract): SumPlace[] {
  return resources.flatMap((resource) => {
    const { read } = resource.operations;
    return read === undefined
      ? []
      : sumsIn(resource, resources)
          .filter(({ child, isText }) => !isText && child.operations.list !== undefined)
          .map(({ field, child, of }) => ({
            operation: read,
            resource,
            field: field.name,
            child,
            of,
          }));
  });
}

/** What the last of the summed records adds; 0 without one. */
async function lastOf({ child, of }: SumPlace, { request, service }: Scene): Promise<number> {
  const target = `${request.target.split('?', 1)[0] ?? ''}/${lastWord(child.collectionPath)}`;
  const body = await jsonAt(service, { ...request, target });
  const records = child.list === undefined ? undefined : valueAt(body, child.list.records);
  const last = records !== undefined && isJsonArray(records) ? records.at(-1) : undefined;
  const value = last !== undefined && isJsonObject(last) ? last[of] : 0;
  return typeof value === 'number' ? value : 0;
}

interface FormulaPlace extends ShowingPlace {
  readonly formula: Formula;
}

function formulas({ resources }: Contract): FormulaPlace[] {
  return resources.flatMap((resource) =>
    formulasIn(resource).flatMap((formula) =>
      showingPlaces(resource).map((place) => ({ ...place, formula })),
    ),
  );
}

/** A record whose computed member lacks the last of its parts; undefined if it is the same. */
function withoutLast(record: JsonObject, { formula }: FormulaPlace): JsonObject | undefined {
  const { field, terms } = formula;
  const last = terms.at(-1);
  const isSum = last?.list !== undefined;
  const factors = last?.factors.slice(0, -1) ?? [];
  const rest = factors.length === 0 ? [] : [{ ...last, factors }];
  const rows = isSum ? record[last.list ?? ''] : undefined;
  const held = isJsonArray(rows) ? { ...record, [last?.list ?? '']: rows.slice(0, -1) } : record;
  const value = valueBy(isSum ? formula : { field, terms: [...terms.slice(0, -1), ...rest] }, held);
  const got = record[field.name];
  return got === undefined || got === null || value === undefined || Number(got) === Number(value)
    ? undefined
    : { ...record, [field.name]: typeof got === 'string' ? String(value) : value };
}

/** Mutations of sums and other computed members. */
export const amountMutants: readonly Mutator[] = [
  mutant('sums-without-last', {
    rule: 'A sum leaves out the last of the records that it sums up.',
    where: sums,
    says: ({ field }) => `shows ${field} without the last record`,
    body: async (body, place, scene) => {
      const less = await lastOf(place, scene);
      return editShown(body, place, (record) => {
        const sum = record[place.field];
        return less === 0 || typeof sum !== 'number'
          ? undefined
          : { ...record, [place.field]: Math.max(0, sum - less) };
      });
    },
  }),
  mutant('forgets-factor', {
    rule: 'A computed member leaves out the last of what it is computed from.',
    where: formulas,
    says: ({ formula }) => `computes ${formula.field.name} without the last of its parts`,
    body: (body, place) => editShown(body, place, (record) => withoutLast(record, place)),
  }),
];

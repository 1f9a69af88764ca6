import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import type { Contract } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace } from '../../mutants/edit-records.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { toldOf } from '../../../contract/infer/told-parts.ts';

const mutant = mutantsOf('state');

interface CountPlace extends ShowingPlace {
  readonly field: string;
}

/** The reads of records that count others, which clients create. */
function counts({ resources }: Contract): CountPlace[] {
  return resources.flatMap((resource) => {
    const { read, create } = resource.operations;
    return read === undefined || create === undefined
      ? []
      : resource.counts
          .filter(({ child }) => child?.operations.create !== undefined)
          .map(({ field }) => ({ operation: read, resource, field }));
  });
}

/** Places where what is counted can be deleted. */
function shrinking(contract: Contract): CountPlace[] {
  return counts(contract).filter(({ resource, field }) =>
    resource.counts.some(
      ({ field: own, child }) => own === field && child?.operations.delete !== undefined,
    ),
  );
}

/** Shows another count, by the one that the record has. */
function counting(edit: (count: number, target: string) => number) {
  return (place: CountPlace): Plant =>
    (service, fired) =>
      editBodies(service, fired, place, (body, { target }) =>
        editShown(body, place, (record) => {
          const count = record[place.field];
          const other = typeof count === 'number' ? edit(count, target) : count;
          return other === undefined || other === count
            ? undefined
            : { ...record, [place.field]: other };
        }),
      );
}

/** Shows the greatest count that a record ever had. */
function neverLess(place: CountPlace): Plant {
  const greatest = new Map<string, number>();
  return counting((count, target) => {
    const most = Math.max(count, greatest.get(target) ?? 0);
    greatest.set(target, most);
    return most;
  })(place);
}

/** The reads of records that name the last of those below them, which clients create. */
function lasts({ resources }: Contract): CountPlace[] {
  return resources.flatMap((resource) => {
    const { read, create } = resource.operations;
    if (read === undefined || create === undefined) return [];
    return resources
      .filter(
        ({ parents, operations }) =>
          parents.at(-1)?.resource === resource &&
          operations.create !== undefined &&
          operations.list !== undefined,
      )
      .flatMap(({ collectionPath }) => toldOf(resource, singularOf(lastWord(collectionPath))).lasts)
      .map((field) => ({ operation: read, resource, field }));
  });
}

/** Names the first part for good as the last one. */
function namingFirst(place: CountPlace): Plant {
  const first = new Map<string, JsonValue>();
  return (service, fired) =>
    editBodies(service, fired, place, (body, { target }) =>
      editShown(body, place, (record) => {
        const last = record[place.field] ?? null;
        if (last === null) return undefined;
        const known = first.get(target) ?? last;
        first.set(target, known);
        return equalJson(known, last) ? undefined : { ...record, [place.field]: known };
      }),
    );
}

/**
 * Mutations of counts of records. Where a description leaves some of them out, a check only doubts
 * the count.
 */
export const countMutants: readonly Mutator[] = [
  mutant('counts-without-last', {
    rule: 'A record counts one fewer of its parts than there are.',
    killedBy: 'warning',
    where: counts,
    says: ({ field }) => `leaves out the last in ${field}`,
    act: counting((count) => Math.max(0, count - 1)),
  }),
  mutant('counts-twice', {
    rule: 'A record counts each of its parts twice.',
    killedBy: 'warning',
    where: counts,
    says: ({ field }) => `counts each twice in ${field}`,
    act: counting((count) => count * 2),
  }),
  mutant('counts-removed', {
    rule: 'A record still counts a part that was deleted.',
    killedBy: 'warning',
    where: shrinking,
    says: ({ field }) => `counts what was deleted in ${field}`,
    act: neverLess,
  }),
  mutant('names-first-as-last', {
    rule: 'A record still names the first of its parts as the last one.',
    where: lasts,
    says: ({ field }) => `names the first part in ${field}`,
    act: namingFirst,
  }),
];

import type { Contract, CopyField, LinkField, Resource } from '../../../contract/model.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace } from '../../mutants/open-bodies.ts';
import { editAnswers, editBodies, setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { isFreeText } from '../../mutants/free-text.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { toldOf } from '../../../contract/infer/told-parts.ts';

const mutant = mutantsOf('state');

/** Resources whose records clients create and read. */
function readable({ resources }: Contract): ShowingPlace[] {
  return resources.flatMap((resource) => {
    const { create, read } = resource.operations;
    return create === undefined || read === undefined ? [] : [{ operation: read, resource }];
  });
}

/** Creates whose success is documented with the address of the new record. */
function located(contract: Contract): Place[] {
  return readable(contract).flatMap(({ resource: { operations } }) =>
    operations.create?.responses.some(
      ({ status, headers }) =>
        status.startsWith('2') && headers.some(({ name }) => name.toLowerCase() === 'location'),
    ) === true
      ? [{ operation: operations.create }]
      : [],
  );
}

/** Answers a create with the address of the record that was created before. */
function locatingFormer({ operation }: Place): Plant {
  let former: string | undefined;
  return (service, fired) =>
    editAnswers(service, fired, { operation }, (response): HttpResponse | undefined => {
      const own = headerValue(response.headers, 'location');
      const other = former;
      former = own;
      return other === undefined || own === undefined || other === own
        ? undefined
        : setHeader(response, 'Location', other);
    });
}

interface LinkPlace extends ShowingPlace {
  readonly link: LinkField;
}

function linked(contract: Contract, to: LinkField['to']): LinkPlace[] {
  return readable(contract).flatMap((place) =>
    place.resource.links.filter((link) => link.to === to).map((link) => ({ ...place, link })),
  );
}

/** Shows the address of the record that was read before another one. */
function linkingFormer(place: LinkPlace): Plant {
  const { field } = place.link;
  return (service, fired) => {
    let [former, latest]: (JsonValue | undefined)[] = [];
    return editBodies(service, fired, place, (body) =>
      editShown(body, place, (record) => {
        const own = record[field];
        if (own !== latest) [former, latest] = [latest, own];
        return former === undefined || own === undefined
          ? undefined
          : { ...record, [field]: former };
      }),
    );
  };
}

interface CopyPlace extends ShowingPlace {
  readonly copy: CopyField;
  /** A text of the copied record. */
  readonly name: string;
}

function copied(contract: Contract): CopyPlace[] {
  return readable(contract).flatMap((place) =>
    place.resource.copies.flatMap((copy) => {
      const [name] = textsOf(place.resource, copy);
      return name === undefined ? [] : [{ ...place, copy, name }];
    }),
  );
}

/** The texts that a copy shows, which may be nearly any. */
function textsOf({ record }: Resource, { field, resource: target }: CopyField): string[] {
  const place = record.flatten().properties.get(field);
  const shown = place && record.flatten(place).properties;
  return [...(shown?.keys() ?? [])].filter(
    (name) => name !== target.identifier.field && isFreeText(target, name),
  );
}

interface CountPlace extends ShowingPlace {
  readonly field: string;
}

/** The reads of records that count others, which clients create. */
function counts(contract: Contract): CountPlace[] {
  return readable(contract).flatMap((place) =>
    place.resource.counts
      .filter(({ child }) => child?.operations.create !== undefined)
      .map(({ field }) => ({ ...place, field })),
  );
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
function lasts(contract: Contract): CountPlace[] {
  return readable(contract).flatMap(({ operation, resource }) =>
    contract.resources
      .filter(
        ({ parents, operations }) =>
          parents.at(-1)?.resource === resource &&
          operations.create !== undefined &&
          operations.list !== undefined,
      )
      .flatMap(({ collectionPath }) => toldOf(resource, singularOf(lastWord(collectionPath))).lasts)
      .map((field) => ({ operation, resource, field })),
  );
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
 * Mutations of addresses, copies and counts in records. Where a description leaves some records
 * out, a check only doubts the count.
 */
export const linkMutants: readonly Mutator[] = [
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
  mutant('locates-former', {
    rule: 'The Location of a new record is the address of another one.',
    where: located,
    says: 'answers with the Location of the record before',
    act: locatingFormer,
  }),
  mutant('links-former', {
    rule: 'The address of a record in itself leads to another one.',
    where: (contract) => linked(contract, 'self'),
    says: ({ link }) => `shows the ${link.field} of another record`,
    act: linkingFormer,
  }),
  mutant('links-nowhere', {
    rule: 'An address in a record leads to nothing.',
    where: (contract) => linked(contract, 'part'),
    says: ({ link }) => `shows a ${link.field} that leads nowhere`,
    body: (body, place) =>
      editShown(body, place, (record) => {
        const { field } = place.link;
        const address = record[field];
        return typeof address === 'string' ? { ...record, [field]: `${address}-gone` } : undefined;
      }),
  }),
  mutant('copies-otherwise', {
    rule: 'What a record shows of another one differs from it.',
    where: copied,
    says: ({ copy, name }) => `shows another ${name} in ${copy.field} than its record has`,
    body: (body, { copy: { field }, name, ...place }) =>
      editShown(body, place, (record) => {
        const copy = record[field];
        if (!isJsonObject(copy)) return undefined;
        const text = copy[name];
        return typeof text === 'string'
          ? { ...record, [field]: { ...copy, [name]: `${text} x` } }
          : undefined;
      }),
  }),
];

import type { Contract, CopyField, LinkField, Resource } from '../../../contract/model.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace } from '../../mutants/edit-records.ts';
import { editAnswers, editBodies, setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { isFreeText } from '../../mutants/free-text.ts';

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

/** Mutations of addresses and copies in records. */
export const linkMutants: readonly Mutator[] = [
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
        if (copy === undefined || !isJsonObject(copy)) return undefined;
        const text = copy[name];
        return typeof text === 'string'
          ? { ...record, [field]: { ...copy, [name]: `${text} x` } }
          : undefined;
      }),
  }),
];

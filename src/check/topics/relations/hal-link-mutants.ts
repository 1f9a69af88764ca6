import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace, showingPlaces } from '../../mutants/edit-records.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

interface RelationPlace extends ShowingPlace {
  readonly relation: string;
}

/** The relations that the `_links` of a record in HAL must have. */
function relationsOf({ record }: Resource): readonly string[] {
  const place = record.flatten().properties.get('_links');
  return place === undefined ? [] : [...record.flatten(place).required];
}

/** The resources whose records have links in HAL, and which clients create. */
function inHal(contract: Contract): Resource[] {
  return contract.resources.filter(
    (one) => one.operations.create !== undefined && protocolsOf(contract, one).hal !== undefined,
  );
}

/** Answers with records that link to the one below which they stand. */
function toParents(contract: Contract): RelationPlace[] {
  return inHal(contract).flatMap((resource) => {
    const parent = resource.parents.at(-1)?.resource;
    const word = parent && plainName(singularOf(lastWord(parent.collectionPath)));
    return relationsOf(resource)
      .filter((relation) => plainName(relation) === word)
      .flatMap((relation) => showingPlaces(resource).map((place) => ({ ...place, relation })));
  });
}

/** Creates whose record links to what their body names by an address. */
function toSent(contract: Contract): RelationPlace[] {
  return inHal(contract).flatMap((resource) => {
    const { create } = resource.operations;
    const schema = create && bodySchema(create);
    if (create === undefined || schema === undefined) return [];
    return relationsOf(resource).flatMap((relation) => {
      const place = schema.flatten().properties.get(relation);
      const isText = place !== undefined && schema.part(place).flatten().types.includes('string');
      return isText ? [{ operation: create, resource, relation }] : [];
    });
  });
}

/** A record whose link of a relation leads to another one; undefined if it has no such link. */
function leadingElsewhere(record: JsonObject, relation: string): JsonObject | undefined {
  const links = record['_links'];
  const link = links !== undefined && isJsonObject(links) ? links[relation] : undefined;
  if (links === undefined || !isJsonObject(links)) return undefined;
  if (link === undefined || !isJsonObject(link) || typeof link['href'] !== 'string')
    return undefined;
  const href = link['href'].replace(/[^/]+$/, otherName);
  return { ...record, _links: { ...links, [relation]: { ...link, href } } };
}

/** Another identifier in the form of one. */
function otherName(name: string): string {
  return /^\d{1,15}$/.test(name) ? String(Number(name) + 1) : `${name}-other`;
}

const elsewhere = (body: JsonValue, place: RelationPlace): JsonValue | undefined =>
  editShown(body, place, (record) => leadingElsewhere(record, place.relation));

/** Mutations of the links of records in HAL. */
export const halLinkMutants: readonly Mutator[] = [
  mutant('links-other-parent', {
    rule: 'The link of a record to the one below which it stands leads to another one.',
    where: toParents,
    says: ({ relation }) => `shows a link ${relation} to another one`,
    body: elsewhere,
  }),
  mutant('links-other-than-sent', {
    rule: 'A new record links to another one than its create named.',
    where: toSent,
    says: ({ relation }) => `links to another ${relation} than was sent`,
    body: elsewhere,
  }),
];

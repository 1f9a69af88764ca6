import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf } from '../infer/infer-names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { AddressReference } from '../infer/address-references.ts';
import type { LocatedNode, Resource } from '../model.ts';
import { descriptionOf, fieldSays, namesRefusal } from './facts.ts';
import { mentions } from './mentions.ts';

/** Whether a description says that a reference is refused if it names no record. */
export function saysMustExist(place: LocatedNode): boolean {
  return fieldSays(place, 'must-exist') || namesRefusal(place);
}

/** A field that has the value of the field of its name in a record that another field names. */
export interface TakenField {
  readonly field: string;
  /** The member of a body that names the record. */
  readonly from: string;
  readonly target: Resource;
}

/**
 * The fields of a record that have what a record has which its body names: both have the field, no
 * body does, and its description mentions the other record: `That of the product.`
 */
export function fieldsTaken(
  { record, identifier }: Pick<Resource, 'record' | 'identifier'>,
  references: readonly Pick<AddressReference, 'field' | 'resource'>[],
  isSent: (field: string) => boolean,
): TakenField[] {
  return recordFields(record).flatMap(({ name, types, many, flat }): TakenField[] => {
    if (many || name.includes('.') || isSent(name) || name === identifier.field) return [];
    const [found, ...more] = references.filter(({ resource }) => {
      const noun = singularOf(lastWord(resource.collectionPath));
      const own = recordFields(resource.record).find((field) => field.name === name);
      return own?.types.join() === types.join() && mentions(descriptionOf(flat), noun);
    });
    return found === undefined || more.length > 0
      ? []
      : [{ field: name, from: found.field, target: found.resource }];
  });
}

import { lastWord } from '../infer/conventions/path-styles.ts';
import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { AddressReference } from '../infer/address-references.ts';
import type { Contract, LocatedNode, Operation, Resource } from '../model.ts';
import {
  contractTexts,
  descriptionOf,
  factIn,
  factsIn,
  fieldSays,
  fieldTexts,
  namesRefusal,
  operationTexts,
} from './facts.ts';
import { mentions } from './mentions.ts';

/** Whether a description says that a reference is refused if it names no record. */
export function saysMustExist(place: LocatedNode): boolean {
  return fieldSays(place, 'must-exist') || namesRefusal(place);
}

/** Whether a description says nothing but a noun, as that of `source` may say `the sender`. */
export function saysOnly(place: LocatedNode, noun: string): boolean {
  const words = wordsOf(descriptionOf(place)).filter((word) => !['the', 'its'].includes(word));
  const [name, of, ...rest] = words;
  const bare = (name === 'name' || name === 'id') && of === 'of' ? rest : words;
  return bare.length > 0 && bare.join('') === noun;
}

/** Whether words say that a record shows what another one has now, not what it had then. */
export function followsOther(
  contract: Pick<Contract, 'description'>,
  change: Operation,
  { collectionPath }: Pick<Resource, 'collectionPath'>,
  place: LocatedNode | undefined,
): boolean {
  const own = place === undefined ? [] : fieldTexts(place);
  if (factIn(own, 'shows-former') !== undefined) return false;
  const noun = singularOf(lastWord(collectionPath));
  const told = factsIn(operationTexts(change), 'shows-current');
  const isSaid = factIn([...own, ...contractTexts(contract)], 'shows-current') !== undefined;
  return isSaid || told.some((one) => mentions(one.sentence, noun));
}

/** A field that has the value of a field in a record that another field names. */
export interface TakenField {
  readonly field: string;
  /** The field there: of the same name, or the default of what a body leaves out. */
  readonly of: string;
  /** The member of a body that names the record. */
  readonly from: string;
  readonly target: Resource;
}

/**
 * The fields of a record that have what a record has which its body names: both have the field, no
 * body does, and its description mentions the other record: `That of the product.` Also those of
 * which it has the default: `default_priority` of a queue is the `priority` that is left out.
 */
export function fieldsTaken(
  { record, identifier }: Pick<Resource, 'record' | 'identifier'>,
  references: readonly Pick<AddressReference, 'field' | 'resource'>[],
  isSent: (field: string) => boolean,
): TakenField[] {
  return recordFields(record).flatMap(({ name, plain, types, many, flat }): TakenField[] => {
    if (many || name.includes('.') || name === identifier.field) return [];
    const [found, ...more] = references.flatMap((reference): TakenField[] => {
      const { field: from, resource: target } = reference;
      const noun = singularOf(lastWord(target.collectionPath));
      const of = recordFields(target.record).find((field) =>
        isSent(name)
          ? field.plain === `default${plain}`
          : field.name === name &&
            field.types.join() === types.join() &&
            mentions(descriptionOf(flat), noun),
      );
      return of === undefined ? [] : [{ field: name, of: of.name, from, target }];
    });
    return found === undefined || more.length > 0 ? [] : [found];
  });
}

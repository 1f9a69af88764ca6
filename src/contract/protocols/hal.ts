import { joinPointer } from '../../json/pointer.ts';
import { describesSame } from '../infer/record-fields.ts';
import type { Contract, Resource } from '../model.ts';
import type { Protocol, Told } from './protocol.ts';

/** A member of `_embedded` in a record, and the records below it that it holds. */
export interface Embedded {
  readonly relation: string;
  readonly child: Resource;
}

/** Links and embedded records of a resource, in the members that HAL reserves. */
export interface Hal extends Told {
  readonly embedded: readonly Embedded[];
}

/**
 * HAL: a record has its links in `_links`, by their relations, and records that it embeds in
 * `_embedded` (draft-kelly-json-hal, sections 4.1.1 and 4.1.2).
 */
export const hal: Protocol<Hal> = {
  source: 'draft-kelly-json-hal, section 4.1',
  read(resource, { resources }: Contract) {
    const { properties } = resource.record.flatten();
    if (!properties.has('_links')) return undefined;
    const says = `Records of ${resource.name} have links in _links (HAL).`;
    return { embedded: embeddedIn(resource, resources), says };
  },
};

function embeddedIn(resource: Resource, resources: readonly Resource[]): Embedded[] {
  const { record } = resource;
  const place = record.flatten().properties.get('_embedded');
  if (place === undefined) return [];
  const members = record.flatten(place.node, place.pointer).properties;
  return [...members].flatMap(([relation, member]) => {
    const { items } = record.flatten(member.node, member.pointer).node;
    if (items === undefined || typeof items === 'boolean') return [];
    const { pointer } = record.flatten(member.node, member.pointer);
    const shown = record.part({ node: items, pointer: joinPointer(pointer, 'items') });
    const child = resources.find(
      (one) => one.parents.at(-1)?.resource === resource && describesSame(shown, one.record),
    );
    return child === undefined ? [] : [{ relation, child }];
  });
}

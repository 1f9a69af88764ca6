import type { Resource, SchemaObject } from '../model.ts';
import { shownBy } from '../schema/shown-values.ts';
import { plainPath } from './conventions/path-styles.ts';
import { readAddress } from './read-address.ts';

/** A resource whose records a text addresses, and such a text. */
export interface AddressedResource {
  readonly resource: Resource;
  readonly text: string;
}

/**
 * The resource to whose records the texts of a schema are addresses, as its pattern or its example
 * shows: `^depots/[^/]+$` names depots of `/v1/depots/{depot}` (Google AIP-122). Undefined if there
 * is none. Nothing depends on the name of the member.
 */
export function addressedBy(
  node: SchemaObject,
  resources: readonly Resource[],
): AddressedResource | undefined {
  const shown = addressText(node);
  if (shown === undefined) return undefined;
  const found = resources.filter(
    ({ kind, itemPath }) =>
      kind === 'collection' && itemPath !== undefined && readAddress(itemPath, shown) !== undefined,
  );
  // `depots/a/vehicles/b` is the address of a vehicle, and of no depot.
  const [resource] = found.toSorted((one, other) => depthOf(other) - depthOf(one));
  return resource && { resource, text: shown };
}

/** A text with the form of an address that a schema shows, by its pattern or its example. */
export function addressText(node: SchemaObject): string | undefined {
  const { pattern } = node;
  const shown = typeof pattern === 'string' ? textOfPattern(pattern) : shownBy(node)[0];
  return typeof shown === 'string' && /[/(]/.test(shown) ? shown : undefined;
}

function depthOf({ itemPath = '' }: Resource): number {
  return plainPath(itemPath).split('/').length - 1;
}

/** A text that a simple pattern of an address describes; undefined for other patterns. */
function textOfPattern(pattern: string): string | undefined {
  const text = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\((?:\?:)?(\[[^\]]+\][+*]|\.[+*]|\\w[+*])\)/g, '$1')
    .replaceAll(/\[[^\]]+\](?:[+*]|\{[\d,]+\})?|\.[+*]|\\w[+*]|\\d[+*]/g, 'x')
    .replaceAll('\\/', '/');
  return /^[\w./:-]+$/.test(text) ? text : undefined;
}

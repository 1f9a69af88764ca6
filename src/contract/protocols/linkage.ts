import { defined, memberOf } from '../../json/value.ts';
import { addressedBy } from '../infer/address-members.ts';
import { speaksJsonApi } from '../infer/conventions/envelope-styles.ts';
import { pathKey } from '../infer/conventions/path-styles.ts';
import { plainName } from '../infer/infer-names.ts';
import type { Contract, FlatSchema, LocatedNode, Operation, Resource, Schema } from '../model.ts';
import { typeOf } from './projection.ts';
import type { Protocol, ToldOf } from './protocol.ts';

/** A relationship of a record with operations of its own. */
export interface Relationship {
  readonly name: string;
  /** The resource whose records have it, and the one whose records it names. */
  readonly resource: Resource;
  readonly named: Resource;
  /** Whether it names several records. */
  readonly many: boolean;
  /** The type in its linkage (JSON:API), or an address that a body names (`@odata.id`). */
  readonly form:
    | { readonly kind: 'linkage'; readonly type: string }
    | { readonly kind: 'address'; readonly member: string; readonly text: string };
  /** Replaces what it names. */
  readonly set?: Operation;
  /** Adds to what it names, and removes from it; `remove` clears one that names one record. */
  readonly add?: Operation;
  readonly remove?: Operation;
  /** Reads the linkage, and the records that it names. */
  readonly read?: Operation;
  readonly related?: Operation;
}

/**
 * The field of a record that holds the identifier of the one record which a relationship names:
 * the only one that refers to such records, or the one that begins with the name of the
 * relationship. Undefined if there is none.
 */
export function referenceField({ name, resource, named, many }: Relationship): string | undefined {
  const keys = resource.foreignKeys.filter(
    (key) => !key.many && key.resource.collection === named.collection,
  );
  if (many) return undefined;
  const isCalledSo = (field: string): boolean => plainName(field).startsWith(plainName(name));
  return keys.find(({ field }) => keys.length === 1 || isCalledSo(field))?.field;
}

/** The place of the linkage of a relationship behind the path of its record. */
const jsonApiPath = /^\/relationships\/([^/{}]+)$/;
const odataPath = /^\/([^/{}]+)\/\$ref$/;

/**
 * Relationships with operations of their own: `/articles/{id}/relationships/tags` (JSON:API 1.1,
 * section 9.3), `/Products({ID})/Category/$ref` (OData 4.01, protocol, section 11.4.6). In both,
 * what replaces, adds and removes is fixed, and a record names what it was told.
 */
export const linkage: Protocol<ToldOf<Relationship>> = {
  read(resource, contract) {
    const of = relationshipsOf(resource, contract);
    if (of.length === 0) return undefined;
    const names = of.map(({ name, named }) => `${name} (of ${named.name})`).join(', ');
    return { of, says: `Relationships have operations of their own: ${names}.` };
  },
};

function relationshipsOf(resource: Resource, contract: Contract): Relationship[] {
  const { itemPath, kind } = resource;
  if (itemPath === undefined || kind === 'singleton') return [];
  const key = pathKey(itemPath);
  const below = Map.groupBy(
    contract.operations.filter(({ path }) => pathKey(path).startsWith(`${key}/`)),
    ({ path }) => pathKey(path).slice(key.length),
  );
  return [...below].flatMap(([place, operations]) => {
    const name = jsonApiPath.exec(place)?.[1] ?? odataPath.exec(place)?.[1];
    const related = below.get(`/${name ?? ''}`)?.find(({ method }) => method === 'GET');
    const found = jsonApiPath.test(place)
      ? jsonApiRelationship(operations, contract)
      : odataRelationship(operations, contract);
    return name === undefined || found === undefined
      ? []
      : [{ name, resource, ...found, ...(related === undefined ? {} : { related }) }];
  });
}

type Found = Omit<Relationship, 'name' | 'resource' | 'related'>;

function jsonApiRelationship(
  operations: readonly Operation[],
  { resources }: Contract,
): Found | undefined {
  const by = (method: string): Operation | undefined =>
    operations.find((one) => one.method === method);
  const [set, add, remove, read] = [by('PATCH'), by('POST'), by('DELETE'), by('GET')];
  const change = set ?? add;
  if (change === undefined || !operations.every(speaksJsonApi)) return undefined;
  const media = change.requestBody?.content.find(({ mediaType }) =>
    mediaType.startsWith('application/vnd.api+json'),
  );
  const schema = media?.envelope?.whole ?? media?.schema;
  const data = schema?.flatten().properties.get('data');
  if (schema === undefined || data === undefined) return undefined;
  const flat = schema.flatten(data);
  const { items, branches } = flat;
  const identifiers: LocatedNode[] = items === undefined ? [flat, ...branches] : [items];
  const type = identifiers
    .map((place) => typeIn(schema, schema.flatten(place)))
    .find((one) => one !== undefined);
  const named = resources.find((one) => one.parents.length === 0 && typeOf(one) === type);
  if (type === undefined || named === undefined) return undefined;
  return {
    named,
    many: items !== undefined,
    form: { kind: 'linkage', type },
    ...defined({ set, add, remove, read }),
  };
}

/** The only type that a resource identifier object may have. */
function typeIn(schema: Schema, { properties }: FlatSchema): string | undefined {
  const place = properties.get('type');
  const node = place && schema.flatten(place).node;
  const [only, ...others] = node?.const === undefined ? (node?.enum ?? []) : [node.const];
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

/** A relationship to one record, which `PUT …/$ref` sets to the address in its body. */
function odataRelationship(
  operations: readonly Operation[],
  { resources }: Contract,
): Found | undefined {
  const set = operations.find(({ method }) => method === 'PUT');
  const remove = operations.find(({ method }) => method === 'DELETE');
  const [shown] = set?.requestBody?.content.flatMap(({ examples }) => examples) ?? [];
  const body = shown?.value;
  const text = memberOf(body, referenceMember);
  if (set === undefined || typeof text !== 'string') return undefined;
  const named = addressedBy({ examples: [text] }, resources)?.resource;
  if (named === undefined || named.parents.length > 0) return undefined;
  return {
    named,
    many: false,
    form: { kind: 'address', member: referenceMember, text },
    ...defined({ set, remove }),
  };
}

/** The member of an entity reference (OData JSON format 4.01, section 14). */
const referenceMember = '@odata.id';

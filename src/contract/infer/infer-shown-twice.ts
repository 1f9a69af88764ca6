import { joinPointer } from '../../json/pointer.ts';
import { defined } from '../../json/value.ts';
import type {
  CopyField,
  CountField,
  FlatSchema,
  Formula,
  LinkField,
  LocatedNode,
  Operation,
  Resource,
  Schema,
} from '../model.ts';
import { plainName, singularOf, wordsOf } from './infer-names.ts';
import { lastWord, pathKey } from './conventions/path-styles.ts';
import { recordFields, type RecordField } from './record-fields.ts';

/** What is known of the rest of the contract. */
export interface ShownElsewhere {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
}

/** Fields that say how many records belong to one: `roomCount`, `numberOfRooms`. */
export function inferCounts(resource: Resource, elsewhere: ShownElsewhere): CountField[] {
  return recordFields(resource.record).flatMap((field): CountField[] => {
    const noun = countedNoun(field);
    if (noun === undefined) return [];
    const child = elsewhere.resources.find(
      (other) =>
        singularOf(lastWord(other.collectionPath)) === noun &&
        other.operations.create !== undefined &&
        belongsTo(other, resource),
    );
    const { description = '' } = field.flat.node;
    if (child !== undefined) {
      const only = stateIn(description, child.record);
      const isExact = only !== undefined || isUnqualified(description, noun);
      return [{ field: field.name, child, isExact, ...defined({ only }) }];
    }
    const add = partsOf(resource, elsewhere, 'POST').find(
      ({ path }) => singularOf(lastWord(path)) === noun,
    );
    if (add === undefined) return [];
    return [{ field: field.name, add, isExact: isUnqualified(description, noun) }];
  });
}

function countedNoun({ name, types, many }: RecordField): string | undefined {
  if (many || !types.includes('integer') || name.includes('.')) return undefined;
  const [, before, after] =
    /^(?:(.+?)[_-]?count|(?:number|count|num)[_-]?of[_-]?(.+))$/i.exec(name) ?? [];
  const noun = before ?? after;
  return noun === undefined ? undefined : singularOf(noun);
}

/** Whether the records of a resource stand below those of another, or refer to them. */
export function belongsTo(child: Resource, { collection }: Resource): boolean {
  return (
    child.parents.at(-1)?.resource?.collection === collection ||
    child.foreignKeys.some(({ resource, many }) => !many && resource.collection === collection)
  );
}

/** The state that a description says all counted records are in: `How many confirmed bookings`. */
export function stateIn(
  description: string,
  record: Schema,
): { readonly field: string; readonly value: string } | undefined {
  const words = new Set(description.toLowerCase().match(/[a-z_-]+/g) ?? []);
  for (const [field, place] of record.flatten().properties) {
    const { enum: values = [] } = record.flatten(place.node, place.pointer).node;
    const value = values.find((one) => typeof one === 'string' && words.has(one.toLowerCase()));
    if (typeof value === 'string') return { field, value };
  }
  return undefined;
}

/** Whether a description says nothing that leaves some of the records out. */
function isUnqualified(description: string, noun: string): boolean {
  if (description === '') return true;
  const rest = /(?:how many|number of|count of)(.+)$/is.exec(description)?.[1] ?? '';
  const words = wordsOf(rest);
  const place = words.findIndex((word) => singularOf(word) === noun);
  return place >= 0 && words.slice(0, place).every((word) => /^(the|its|all|of|a)$/.test(word));
}

/** Objects in a record that show fields of another one: `customer` beside `customerId`. */
export function inferCopies(resource: Resource, { resources }: ShownElsewhere): CopyField[] {
  const { record } = resource;
  return [...record.flatten().properties].flatMap(([field, place]): CopyField[] => {
    const flat = record.flatten(place.node, place.pointer);
    const key = keyBeside(resource, field);
    const target = resources.find(
      (other) => other.collection === key?.collection && other.operations.read !== undefined,
    );
    if (!flat.types.includes('object') || target === undefined || key === undefined) return [];
    const known = target.record.flatten().properties;
    const shared = [...flat.properties.keys()].filter((name) => known.has(name));
    if (shared.every((name) => name === target.identifier.field)) return [];
    return [{ field, resource: target, key: key.field, isLive: isLive(flat) }];
  });
}

/** What names the record that an object shows: `customerId` or `customer.id` for `customer`. */
function keyBeside(
  { foreignKeys, parents }: Resource,
  field: string,
): { readonly field: string; readonly collection: string } | undefined {
  const word = singularOf(field);
  const key = foreignKeys
    .filter(({ many }) => !many)
    .filter((one) => one.field.startsWith(`${field}.`) || plainName(one.field).startsWith(word))
    .toSorted((left, right) => left.field.split('.').length - right.field.split('.').length)[0];
  if (key !== undefined) return { field: key.field, collection: key.resource.collection };
  const above = parents.find(
    (parent) => parent.field !== undefined && plainName(parent.field).startsWith(word),
  );
  return above?.field === undefined || above.resource === undefined
    ? undefined
    : { field: above.field, collection: above.resource.collection };
}

/** Whether a description says that a copy changes with what it shows. */
function isLive({ node: { description = '' } }: FlatSchema): boolean {
  return /\b(as (they are|it is) now|always|current(ly)?|live|up[- ]to[- ]date)\b/i.test(
    description,
  );
}

/** Fields that hold the address of the record itself, or of something below it. */
export function inferLinks(resource: Resource, elsewhere: ShownElsewhere): LinkField[] {
  const read = resource.operations.read ?? readerOf(resource, elsewhere);
  return recordFields(resource.record).flatMap((field): LinkField[] => {
    const { name, many, types, flat } = field;
    const isAddress = /^(uri|uri-reference|iri|iri-reference|url)$/.test(flat.node.format ?? '');
    if (many || name.includes('.') || !types.includes('string') || !isAddress) return [];
    if (flat.node.readOnly !== true || read === undefined) return [];
    if (/^(href|self|url|uri|link)$/i.test(name))
      return [{ field: name, to: 'self', operation: read }];
    const word = /^(.+?)[_-]?(?:href|ur[il]|link)$/i.exec(name)?.[1];
    const operation = partsOf(resource, elsewhere, 'GET').find(
      ({ path }) => word !== undefined && plainName(lastWord(path)) === plainName(word),
    );
    return operation === undefined ? [] : [{ field: name, to: 'part', operation }];
  });
}

function readerOf({ collection }: Resource, { resources }: ShownElsewhere): Operation | undefined {
  return resources.find((other) => other.collection === collection && other.operations.read)
    ?.operations.read;
}

/** The operations directly below the records of a resource: `GET /things/{thingId}/parts`. */
function partsOf(
  { collection }: Resource,
  { operations, resources }: ShownElsewhere,
  method: string,
): Operation[] {
  const keys = resources.flatMap(({ itemPath, collection: own }) =>
    own === collection && itemPath !== undefined ? [pathKey(itemPath)] : [],
  );
  return operations.filter((operation) => {
    if (operation.method !== method) return false;
    const key = pathKey(operation.path);
    return keys.some((item) => key.startsWith(item) && /^\/[^/{}]+$/.test(key.slice(item.length)));
  });
}

/**
 * Fields whose whole description is a formula over other fields of the record, or of the items of
 * its lists. A description that says more is not read: it may leave something out.
 */
export function inferFormulas(record: Schema): Formula[] {
  const own = formulasIn(record, record);
  const inLists = [...record.flatten().properties].flatMap(([list, place]) => {
    const items = itemsOf(record, place);
    return items === undefined
      ? []
      : formulasIn(record, items).map((formula) => ({ ...formula, list }));
  });
  return [...own, ...inLists];
}

function itemsOf(record: Schema, place: LocatedNode): LocatedNode | undefined {
  const { node, pointer } = record.flatten(place.node, place.pointer);
  return node.items === undefined
    ? undefined
    : { node: node.items, pointer: joinPointer(pointer, 'items') };
}

function formulasIn(record: Schema, place: LocatedNode): Formula[] {
  const { properties } = record.flatten(place.node, place.pointer);
  return [...properties].flatMap(([member, part]): Formula[] => {
    const { description = '' } = record.flatten(part.node, part.pointer).node;
    const text = description
      .replaceAll(/[`'"]/g, '')
      .trim()
      .replace(/\.$/, '')
      .replace(/^(?:(?:this|it|is|represents|equals|always|equal to|the)\s+)*/i, '');
    const find = (words: string): string | undefined =>
      [...properties.keys()].find((name) => name !== member && isCalled(name, words));
    const read =
      text === '' ? undefined : (sumIn(record, properties, text) ?? formulaIn(text, find));
    return read === undefined
      ? []
      : [{ member, pointer: part.pointer, says: description, ...read }];
  });
}

type FormulaParts = Pick<Formula, 'kind' | 'of'>;

/** `sum of the amounts of the lines`: a member of the items of a list. */
function sumIn(
  record: Schema,
  properties: ReadonlyMap<string, LocatedNode>,
  text: string,
): FormulaParts | undefined {
  const [, addend = '', many = ''] =
    /^sum of (?:(?:the|all|its) )*([\w ]+) of (?:(?:the|all|its) )*(\w+)$/i.exec(text) ?? [];
  const [list, place] = [...properties].find(([name]) => isCalled(name, many)) ?? [];
  const items = place && itemsOf(record, place);
  const names = items && [...record.flatten(items.node, items.pointer).properties.keys()];
  const member = names?.find((name) => isCalled(name, addend));
  return list === undefined || member === undefined
    ? undefined
    : { kind: 'sum', of: [list, member] };
}

const signs: Readonly<Record<string, Formula['kind']>> = {
  and: 'plus',
  of: 'percent',
  '+': 'plus',
  plus: 'plus',
  '-': 'minus',
  '–': 'minus',
  '−': 'minus',
  minus: 'minus',
  '*': 'times',
  '×': 'times',
  times: 'times',
  'multiplied by': 'times',
};

/** `subtotal + tax`, `sum of a and b`, `taxPercent of subtotal`, `30 days after issuedOn`. */
function formulaIn(
  text: string,
  find: (words: string) => string | undefined,
): FormulaParts | undefined {
  const [, days, after = ''] = /^(\d{1,4}) days after ([\w ]+)$/i.exec(text) ?? [];
  const date = days === undefined ? undefined : find(after);
  if (days !== undefined && date !== undefined) return { kind: 'days', of: [date, days] };
  const parts = [
    /^([\w ]+?) (\+|-|–|−|\*|×|plus|minus|times|multiplied by) ([\w ]+)$/i,
    /^sum of ([\w ]+) (and) ([\w ]+)$/i,
    /^(\w*percent\w*) (of) (\w+)(?:, [\w ]*\bround[\w ]*)?$/i,
  ].flatMap((pattern) => pattern.exec(text)?.slice(1) ?? []);
  const [left = '', sign = '', right = ''] = parts;
  const [one, other] = [find(left), find(right)];
  const kind = signs[sign.toLowerCase()];
  if (one === undefined || other === undefined || one === other || kind === undefined)
    return undefined;
  return { kind, of: [one, other] };
}

/** Whether words are the name of a field: `the unit price` is `unitPrice`, `lines` is `line`. */
function isCalled(name: string, words: string): boolean {
  const bare = words.replace(/^(the|its) /i, '');
  return bare !== '' && singularOf(name) === singularOf(bare);
}

/** Says what a resource shows twice, one sentence for each field. */
export function explainShownTwice({ name, counts, copies, links }: Resource): string[] {
  return [
    ...counts.map(({ field, child, only, add }) => {
      const state = only === undefined ? '' : ` whose ${only.field} is ${only.value}`;
      return `The field ${field} counts the records of ${child?.name ?? add?.path ?? ''}${state}.`;
    }),
    ...copies.map(
      ({ field, resource, key }) =>
        `The field ${field} shows fields of the record of ${resource.name} that ${key} names.`,
    ),
    ...links.map(({ field, to, operation }) =>
      to === 'self'
        ? `The field ${field} is the address of the record of ${name}.`
        : `The field ${field} is the address of ${operation.path}.`,
    ),
  ];
}

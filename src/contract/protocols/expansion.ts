import { defined } from '../../json/value.ts';
import { describesSame, oncePerResource } from '../infer/record-fields.ts';
import type { Operation, Parameter, Resource, Schema } from '../model.ts';
import type { OrderKey } from '../query-languages/language.ts';
import { wordOrder } from '../query-languages/orders.ts';
import { askedOf, type Protocol, type ToldOf } from './protocol.ts';

/** A member of a record that holds other records where a request asks for them. */
export interface Navigation {
  readonly name: string;
  /** The records that it holds. */
  readonly resource: Resource;
  /** Whether it holds a list of them, or one or null. */
  readonly many: boolean;
  /** The list that has the same records below the record: `/products/{id}/reviews`. */
  readonly own?: Resource;
}

/** A parameter that asks for members with other records. */
export interface Expansion {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly navigations: readonly Navigation[];
}

/**
 * Expansion: `$expand` names members of a record, each of which then holds the records to which it
 * leads: a list of them, or one or null (OData 4.01, Part 1, section 11.2.5.2; JSON Format, section
 * 8.3). Behind a name, options in parentheses select among these, order, cut and project them
 * (11.2.5.2.1). A name that is no such member must be refused (12.1.1).
 */
export const expansion: Protocol<ToldOf<Expansion>> = {
  read: askedOf(expansionsOf, ({ parameter, navigations }, ids) => {
    const names = navigations.map(({ name }) => name).join(', ');
    return `${parameter.name} of ${ids} asks for the records in ${names}.`;
  }),
};

/** The expansions of the list and of the read of a resource. */
export function expansionsOf(
  resource: Resource,
  resources: readonly Resource[],
): readonly Expansion[] {
  return [resource.operations.list, resource.operations.read].flatMap((operation) => {
    const parameter = operation?.parameters.find(
      ({ name, in: location }) => name === '$expand' && location === 'query',
    );
    if (operation === undefined || parameter === undefined) return [];
    const navigations = navigationsOf(resource)(resources);
    return navigations.length === 0 ? [] : [{ operation, parameter, navigations }];
  });
}

/** The members of a record whose schema describes the records of a resource. */
const navigationsOf = oncePerResource((resource) => {
  let known: readonly Navigation[] | undefined;
  return (resources: readonly Resource[]): readonly Navigation[] =>
    (known ??= [...resource.record.flatten().properties].flatMap(([name, place]) => {
      const { schema, many } = heldBy(resource.record.part(place));
      const named = resources.filter(
        (one) =>
          one.kind === 'collection' &&
          one.record.flatten().properties.size > 0 &&
          describesSame(one.record, schema),
      );
      const [best] = named.toSorted((left, right) => left.parents.length - right.parents.length);
      const own = named.find(
        ({ operations, parents, collectionPath }) =>
          many &&
          operations.list !== undefined &&
          parents.length === resource.parents.length + 1 &&
          collectionPath === `${resource.itemPath ?? ''}/${name}`,
      );
      return best === undefined
        ? []
        : [{ name, resource: best, many, ...(own === undefined ? {} : { own }) }];
    }));
});

/** The schema of the one record, or of each, that a member holds. */
function heldBy(schema: Schema): { readonly schema: Schema; readonly many: boolean } {
  const { types, items, branches } = schema.flatten();
  if (types.includes('array') && items !== undefined)
    return { schema: schema.part(items), many: true };
  const [form, ...others] = branches.filter((one) => schema.flatten(one).properties.size > 0);
  const isOne = form !== undefined && others.length === 0;
  return { schema: isOne ? schema.part(form) : schema, many: false };
}

/** A member that a request expands, with its options. */
export interface Expanded {
  readonly name: string;
  readonly select?: readonly string[];
  readonly filter?: string;
  readonly order?: readonly OrderKey[];
  readonly skip?: number;
  readonly top?: number;
}

/** The value that asks for members: `Category,Reviews($top=2)`. */
export function writeExpand(expanded: readonly Expanded[]): string {
  return expanded
    .map(({ name, select, filter, order, skip, top }) => {
      const options = [
        ...(select === undefined ? [] : [`$select=${select.join(',')}`]),
        ...(filter === undefined ? [] : [`$filter=${filter}`]),
        ...(order === undefined ? [] : [`$orderby=${wordOrder.write(order) ?? ''}`]),
        ...(skip === undefined ? [] : [`$skip=${String(skip)}`]),
        ...(top === undefined ? [] : [`$top=${String(top)}`]),
      ];
      return options.length === 0 ? name : `${name}(${options.join(';')})`;
    })
    .join(',');
}

/** The members that such a value asks for; undefined if it has other options. */
export function readExpand(text: string): readonly Expanded[] | undefined {
  const read = split(text, ',').map(readMember);
  return read.every((one) => one !== undefined) ? read : undefined;
}

const options: readonly string[] = ['$select', '$filter', '$orderby', '$skip', '$top'];

function readMember(text: string): Expanded | undefined {
  const [, name = '', inner] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  const named = new Map(
    (inner === undefined ? [] : split(inner, ';')).map((option) => {
      const at = option.indexOf('=');
      return [option.slice(0, at).trim(), option.slice(at + 1)] as const;
    }),
  );
  if (name === '' || ![...named.keys()].every((option) => options.includes(option)))
    return undefined;
  const [select, filter, orderBy, skip, top] = options.map((option) => named.get(option));
  const order = orderBy === undefined ? undefined : wordOrder.read(orderBy);
  if (orderBy !== undefined && order === undefined) return undefined;
  return {
    name,
    ...defined({
      select: select?.split(','),
      filter,
      order,
      skip: skip === undefined ? undefined : Number(skip),
      top: top === undefined ? undefined : Number(top),
    }),
  };
}

/** The parts of a text between separators that are in no parentheses and no quotes. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const letter of text) {
    if (letter === "'") isQuoted = !isQuoted;
    if (!isQuoted && letter === '(') depth += 1;
    if (!isQuoted && letter === ')') depth -= 1;
    if (letter === separator && depth === 0 && !isQuoted) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

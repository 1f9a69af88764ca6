import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { inferList } from './infer-list.ts';
import { inferListParameters } from './infer-list-parameters.ts';
import { plainName, singularOf } from './infer-names.ts';
import type { Clearing, ListShape, Operation, Parameter, Resource } from '../model.ts';
import { lastWord } from './path-groups.ts';
import { isList, scalarTypes } from './record-fields.ts';
import { defined } from '../../json/defined.ts';

/**
 * Reads an operation as one that removes all records of a collection: those that its query and its
 * body choose, where they choose any. Undefined where it must have a body of which nobody knows
 * what it says of the records.
 */
export function inferClearing(operation: Operation, resource: Resource): Clearing | undefined {
  const identifiers = identifiersIn(operation, resource);
  if (operation.requestBody?.required === true && identifiers === undefined) return undefined;
  const shows = inferList(operation)?.shape;
  const parameters = inferListParameters(operation, resource.record);
  // A page size that nobody asked for is that of the list.
  const limit = parameters.limit && { limit: { parameter: parameters.limit.parameter } };
  const shape: ListShape = {
    records: '',
    form: 'array',
    links: false,
    ...parameters,
    ...limit,
    paging: [],
  };
  const unread = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && !chosenBy(parameters).includes(parameter),
  );
  return {
    does: 'clear',
    operation,
    resource,
    shape,
    ...defined({ shows, identifiers }),
    unread,
    why: explain({ shape, identifiers, unread }, resource),
  };
}

function chosenBy({
  filters,
  ranges,
  search,
  limit,
  sort,
}: ReturnType<typeof inferListParameters>): (Parameter | undefined)[] {
  return [
    ...filters.map(({ parameter }) => parameter),
    ...ranges.map(({ parameter }) => parameter),
    search,
    limit?.parameter,
    sort?.by,
    sort?.direction,
  ];
}

/**
 * A body that is a list of identifiers, or an object with one list in it that bears their name:
 * `ids`, `thingIds`.
 */
function identifiersIn(
  { requestBody }: Operation,
  { identifier, collectionPath }: Resource,
): Pointer | undefined {
  const schema = requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  if (schema === undefined) return undefined;
  const flat = schema.flatten();
  const isIdentifiers = (place: typeof flat): boolean =>
    isList(place) && scalarTypes(schema, place).includes(identifier.type);
  if (isIdentifiers(flat)) return '';
  const field = plainName(identifier.field);
  const names = new Set([field, singularOf(lastWord(collectionPath)) + field]);
  const fitting = [...flat.properties].filter(
    ([name, place]) =>
      names.has(singularOf(name)) && isIdentifiers(schema.flatten(place.node, place.pointer)),
  );
  const [name] = fitting[0] ?? [];
  return name === undefined || fitting.length > 1 ? undefined : joinPointer('', name);
}

function explain(
  {
    shape: { filters, ranges, search },
    identifiers,
    unread,
  }: Pick<Clearing, 'shape' | 'unread'> & { readonly identifiers: Pointer | undefined },
  { name }: Resource,
): string {
  const choosing = new Set(
    [...filters, ...ranges].map(({ parameter }) => parameter.name).concat(search?.name ?? []),
  );
  const body =
    identifiers === undefined
      ? []
      : [
          identifiers === ''
            ? 'the identifiers in its body'
            : `${identifiers.slice(1)} in its body`,
        ];
  const chosen = [...choosing, ...body];
  const what = `it removes every record of ${name}${chosen.length === 0 ? '' : `, or those that are chosen by ${chosen.join(', ')}`}.`;
  return unread.length === 0
    ? what
    : `${what} It removes none where the request has ${unread.map((parameter) => parameter.name).join(', ')}, of which nobody knows what it chooses.`;
}

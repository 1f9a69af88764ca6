import { type Operation } from '../model/operation.ts';
import type { Resource } from '../model/resource.ts';
import { type Fact, factIn, operationTexts, parameterTexts } from './facts.ts';
import { statedOrder, toldSearch } from './read-list.ts';
import { selectsAll } from './read-range.ts';
import { allowedStates } from './read-states.ts';
import { uniqueFields } from './read-unique.ts';

/** A part of a resource about which the contract states something in words. */
type Read = Pick<Resource, 'record' | 'collectionPath' | 'itemPath' | 'operations' | 'list'>;

/**
 * What the descriptions of a resource, and of the actions on its records among all operations,
 * state and vouch uses, one line each: with the sentence and
 * the JSON Pointer of its text, so that a wrong reading is found and denied.
 */
export function explainFacts(resource: Read, all: readonly Operation[]): string[] {
  const own = Object.values(resource.operations).filter((one) => one !== undefined);
  const { itemPath } = resource;
  const actions = all.filter(
    ({ method, path }) => method !== 'GET' && itemPath !== undefined && isBelow(path, itemPath),
  );
  return [
    ...aboutList(resource),
    ...[...new Set<Operation>([...own, ...actions])].flatMap((operation) => [
      ...aboutFields(operation),
      ...aboutStates(operation, resource),
    ]),
  ];
}

/** Whether a path is that of an action on a record: `/offers/{id}/publish`. */
function isBelow(path: string, itemPath: string): boolean {
  return path.startsWith(`${itemPath}/`) && !path.slice(itemPath.length + 1).includes('/');
}

/** A line about a fact: `sorted-by code: "Sorted by code." (#/paths/…/description)`. */
function showFact({ fact, sentence, pointer }: Fact, about?: string): string {
  const name = about === undefined ? fact : `${fact} ${about}`;
  return `${name}: "${sentence.replaceAll(/\s+/g, ' ')}" (#${pointer})`;
}

function aboutList({ record, operations: { list: operation }, list }: Read): string[] {
  if (operation === undefined || list === undefined) return [];
  const { filters, ranges, search } = list;
  const order = statedOrder(operation, record);
  const searched = search && toldSearch(search, record, operation);
  const bounds = ranges.flatMap(({ parameter, bound }) => {
    if (bound === 'unknown') return [];
    const fact = factIn(parameterTexts(parameter), `bound-${bound}`);
    return fact === undefined ? [] : [showFact(fact, `of ${parameter.name}`)];
  });
  const sets = filters.flatMap(({ parameter }) => {
    const fact = selectsAll(parameter)
      ? factIn(parameterTexts(parameter), 'selects-all')
      : undefined;
    return fact === undefined ? [] : [showFact(fact, `of ${parameter.name}`)];
  });
  return [
    ...(order === undefined ? [] : [showFact(order.fact, order.field)]),
    ...(searched === undefined ? [] : [showFact(searched.fact, searched.fields.join(', '))]),
    ...bounds,
    ...sets,
  ];
}

function aboutFields(operation: Operation): string[] {
  const { schema } = operation.requestBody?.content.find((one) => one.schema !== undefined) ?? {};
  const fields = schema === undefined ? [] : uniqueFields(operation, schema);
  return fields.map(({ name, fact }) => showFact(fact, name));
}

function aboutStates(operation: Operation, resource: Read): string[] {
  const allowed = allowedStates(operation, resource);
  const whole = factIn(operationTexts(operation), 'all-or-nothing');
  return [
    ...(allowed === undefined ? [] : [showFact(allowed.fact, allowed.values.join(', '))]),
    ...(whole === undefined ? [] : [showFact(whole)]),
  ];
}

import { isStateName } from '../words/names.ts';
import { stateSetBy } from '../words/read-states.ts';
import type {
  Identifier,
  LocatedNode,
  Operation,
  RecordAction,
  Resource,
  ResourceSettings,
  Schema,
  ValueOperation,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { objectMembers } from '../schema/object-members.ts';
import { takesRecord } from './conventions/creation-styles.ts';
import { recordPlace, successSchema } from './conventions/envelope-styles.ts';
import { inferList } from './infer-list.ts';
import { plainName, singularOf } from './infer-names.ts';
import type { PathGroup } from './operation-paths.ts';
import { lastWord } from './conventions/path-styles.ts';
import { describesSame } from './record-fields.ts';

/**
 * Interprets `POST /things/{thingId}/lock` as an action on one record: if the response is that
 * record, or if the verb names the new value of one of its fields. Undefined if neither is certain.
 */
export function inferAction(operation: Operation, resource: Resource): RecordAction | undefined {
  // A custom method stands behind a colon: `/things/{thing}:lock` (Google AIP-136).
  const verb = operation.path.split(/[/:]/).at(-1) ?? '';
  const shows = recordPlace(operation, resource.record)?.schema;
  const answersRecord =
    shows !== undefined &&
    resource.operations.list !== operation &&
    showsRecord(operation, resource);
  const sets = findState(plainName(verb), resource) ?? stateSetBy(operation, resource.record);
  const isAcknowledged = sets !== undefined && acknowledges(operation, resource);
  if (!answersRecord && !isAcknowledged) return undefined;
  const done =
    sets === undefined
      ? 'nothing in the record bears the name of what it does'
      : `it sets ${sets.field} to ${String(sets.value)}, as its name or its words say`;
  const answers = answersRecord
    ? `it returns the record of ${resource.name} that the path names`
    : `it is about the record of ${resource.name} that the path names`;
  return { operation, resource, sets, why: `${answers}; ${done}.` };
}

/** Whether the answer to an operation is nothing, or says no more than that it was done. */
function acknowledges(operation: Operation, { record }: Resource): boolean {
  const success = successSchema(operation);
  if (success === undefined) return true;
  const known = record.flatten().properties;
  const { properties, types } = success.flatten();
  const isApart = (place: LocatedNode): boolean => {
    const inner = success.flatten(place);
    return (
      !inner.types.includes('array') &&
      ![...inner.properties.keys()].some((name) => known.has(name))
    );
  };
  return (
    types.join() === 'object' &&
    [...properties].every(([name, place]) => !known.has(name) && isApart(place))
  );
}

function showsRecord(operation: Operation, { record, operations }: Resource): boolean {
  const schema = recordPlace(operation, record)?.schema;
  const read = operations.read && recordPlace(operations.read)?.schema;
  return (
    schema !== undefined &&
    (describesSame(schema, record) || (read !== undefined && describesSame(schema, read)))
  );
}

/**
 * The only field that holds a record's state, with the value that the verb names; or a flag of that
 * name.
 */
function findState(verb: string, { record }: Resource): RecordAction['sets'] {
  const words = new Set([verb, ...participles(verb)]);
  const states = [...record.flatten().properties].flatMap(
    ([name, place]): NonNullable<RecordAction['sets']>[] => {
      const { node, types } = record.flatten(place);
      if (isStateName(name)) {
        const fitting = (node.enum ?? [])
          .filter((value) => typeof value === 'string')
          .filter((value) => words.has(plainName(value)));
        return fitting.length === 1 ? fitting.map((value) => ({ field: name, value })) : [];
      }
      if (!types.includes('boolean') || types.length > 2) return [];
      const flag = plainName(name).replace(/^is/, '');
      const opposite = /^(?:un|de|dis)(?<verb>[a-z]{3,})$/.exec(verb)?.groups?.['verb'];
      if (participles(verb).includes(flag)) return [{ field: name, value: true }];
      const isUndone = opposite !== undefined && participles(opposite).includes(flag);
      return isUndone ? [{ field: name, value: false }] : [];
    },
  );
  return states.length === 1 ? states[0] : undefined;
}

const irregular: Readonly<Record<string, readonly string[]>> = {
  pay: ['paid'],
  send: ['sent'],
  hold: ['held', 'onhold'],
  begin: ['begun', 'running'],
  start: ['started', 'running', 'inprogress', 'active'],
  stop: ['stopped'],
  pause: ['paused'],
  resume: ['resumed', 'running', 'active'],
  run: ['running'],
  withdraw: ['withdrawn'],
  freeze: ['frozen'],
  hide: ['hidden'],
  undo: ['undone'],
  activate: ['active', 'activated'],
  deactivate: ['inactive', 'deactivated'],
  finish: ['finished', 'done'],
  complete: ['completed', 'complete', 'done'],
  open: ['open', 'opened'],
  reopen: ['open', 'reopened'],
  cancel: ['cancelled', 'canceled'],
  sell: ['sold'],
  buy: ['bought'],
  lose: ['lost'],
  win: ['won'],
  lend: ['lent'],
  build: ['built'],
  take: ['taken'],
  ship: ['shipped'],
  submit: ['submitted'],
  ban: ['banned'],
  drop: ['dropped'],
  plan: ['planned'],
  enable: ['enabled', 'active'],
  disable: ['disabled', 'inactive'],
};

/** The forms of a verb that name the resulting state: `archive` gives `archived`. */
function participles(verb: string): readonly string[] {
  const known = Object.hasOwn(irregular, verb) ? irregular[verb] : undefined;
  if (known !== undefined) return known;
  if (verb.endsWith('e')) return [`${verb}d`];
  return /[^aeiou]y$/.test(verb) ? [`${verb.slice(0, -1)}ied`] : [`${verb}ed`];
}

interface ValueSource {
  readonly record: Schema;
  readonly identifier: Identifier;
  readonly settings: ResourceSettings;
}

/**
 * The operations on the collection that identify one record in the body or in the query: `PUT
 * /pet`, `POST /things.delete` with `{ "id": 5 }`.
 */
export function findValueOperations(
  group: PathGroup,
  { record, identifier, settings }: ValueSource,
): ValueOperation[] {
  const actions = { GET: 'read', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const;
  return group.collection.flatMap((operation): ValueOperation[] => {
    const { method, conventions } = group.paths.of(operation);
    const action = Object.hasOwn(actions, method)
      ? actions[method as keyof typeof actions]
      : undefined;
    if (action === undefined || settings.operations?.[action] !== undefined) return [];
    const hasVerb = conventions.some((id) => id.startsWith('verb.'));
    const isList = action === 'read' && inferList(operation) !== undefined;
    if ((action === 'read' && !hasVerb) || isList) return [];
    if (action === 'replace' && takesRecord(operation, record))
      return [{ operation, action, in: 'body', name: identifier.field }];
    const carrier = findCarrier(operation, { record, identifier, hasVerb });
    if (carrier === undefined) return [];
    // A PUT that tells nothing about the record but its name puts it somewhere, and keeps it.
    if (action === 'replace' && !tellsMore(operation, carrier.name, record)) return [];
    return [{ operation, action, ...carrier }];
  });
}

/** Whether a body has a field of the record beside the member that names it. */
function tellsMore(operation: Operation, name: string, record: Schema): boolean {
  const body = bodySchema(operation);
  const known = objectMembers(record).properties;
  const told = body === undefined ? [] : [...objectMembers(body).properties.keys()];
  return told.some((member) => member !== name && known.has(member));
}

/** Where a request on a collection identifies one record; undefined if it identifies none. */
function findCarrier(
  operation: Operation,
  {
    record,
    identifier,
    hasVerb,
  }: Pick<ValueSource, 'record' | 'identifier'> & { readonly hasVerb: boolean },
): Pick<ValueOperation, 'in' | 'name'> | undefined {
  const { field, parameter } = identifier;
  if (field === '') return undefined;
  const noun = singularOf(
    lastWord(operation.path.replace(/[./][^./]+$/, (end) => (hasVerb ? '' : end))),
  );
  const names = [
    field,
    ...(parameter === undefined ? [] : [parameter]),
    `${noun}${plainName(field)}`,
  ];
  const isName = (name: string): boolean =>
    names.some((own) => plainName(own) === plainName(name)) ||
    (hasVerb && plainName(name) === noun);
  const body = bodySchema(operation);
  const place = body && objectMembers(body);
  const inBody = [...(place?.properties.keys() ?? [])].find(
    (name) =>
      isName(name) &&
      (hasVerb || place?.required.has(name) === true || takesRecordLike(body, record)),
  );
  if (inBody !== undefined) return { in: 'body', name: inBody };
  // Without a verb, a query parameter of a collection selects among its records: it is a filter.
  const inQuery = hasVerb
    ? operation.parameters.find((one) => one.in === 'query' && isName(one.name))
    : undefined;
  return inQuery && { in: 'query', name: inQuery.name };
}

function takesRecordLike(body: Schema | undefined, record: Schema): boolean {
  const known = objectMembers(record).properties;
  const names = body === undefined ? [] : [...objectMembers(body).properties.keys()];
  return names.length > 0 && names.every((name) => known.has(name));
}

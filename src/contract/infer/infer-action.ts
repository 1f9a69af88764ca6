import { successSchema } from './infer-list.ts';
import { plainName } from './infer-names.ts';
import { recordSchema } from './infer-resource.ts';
import { isSameSchema } from './record-fields.ts';
import type { Operation, RecordAction, Resource } from '../model.ts';
import { defined } from '../../json/defined.ts';

/**
 * Reads `POST /things/{thingId}/lock` as something that is done to one record: where the answer is
 * that record, or where the verb names the value that a field of it is to have. Undefined where
 * neither is certain.
 */
export function inferAction(operation: Operation, resource: Resource): RecordAction | undefined {
  const verb = operation.path.split('/').at(-1) ?? '';
  const shows = recordSchema(operation);
  const answersRecord =
    shows !== undefined &&
    resource.operations.list !== operation &&
    showsRecord(operation, resource);
  const sets = findState(plainName(verb), resource);
  const answersNothing = successSchema(operation) === undefined;
  if (!answersRecord && !(answersNothing && sets !== undefined)) return undefined;
  const done =
    sets === undefined
      ? 'nothing in the record bears the name of what it does'
      : `it sets ${sets.field} to ${String(sets.value)}, which ${verb} names`;
  const answers = answersRecord
    ? `it answers the record of ${resource.name} that the path names`
    : `it is about the record of ${resource.name} that the path names`;
  return {
    operation,
    resource,
    ...defined({ sets }),
    why: `${answers}; ${done}.`,
  };
}

function showsRecord(operation: Operation, { record, operations }: Resource): boolean {
  const schema = recordSchema(operation);
  const read = operations.read && recordSchema(operations.read);
  return (
    schema !== undefined &&
    (isSameSchema(schema, record) || (read !== undefined && isSameSchema(schema, read)))
  );
}

/**
 * The one field that says what state a record is in, with the one of its values that the verb
 * names; or a flag of that name.
 */
function findState(verb: string, { record }: Resource): RecordAction['sets'] {
  const words = new Set([verb, ...participles(verb)]);
  const states = [...record.flatten().properties].flatMap(
    ([name, place]): NonNullable<RecordAction['sets']>[] => {
      const { node, types } = record.flatten(place.node, place.pointer);
      if (/(^|[a-z])(status|state|phase|stage)$/i.test(name)) {
        const fitting = (node.enum ?? [])
          .filter((value) => typeof value === 'string')
          .filter((value) => words.has(plainName(value)));
        return fitting.length === 1 ? fitting.map((value) => ({ field: name, value })) : [];
      }
      const flag =
        types.includes('boolean') &&
        types.length <= 2 &&
        participles(verb).includes(plainName(name).replace(/^is/, ''));
      return flag ? [{ field: name, value: true }] : [];
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

/** What has been done, or what then is: `archive` is `archived`. */
function participles(verb: string): readonly string[] {
  const known = Object.hasOwn(irregular, verb) ? irregular[verb] : undefined;
  if (known !== undefined) return known;
  if (verb.endsWith('e')) return [`${verb}d`];
  return /[^aeiou]y$/.test(verb) ? [`${verb.slice(0, -1)}ied`] : [`${verb}ed`];
}

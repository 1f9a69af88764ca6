import { wordsOf } from '../../../contract/infer/infer-names.ts';
import { groupsOf } from '../../../contract/infer/record-view.ts';
import type { Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import {
  fieldsOf,
  type SchemaField,
  type SchemaFields,
  shapeOf,
  writeMoment,
} from '../record-fields.ts';
import { isOfService } from './request-members.ts';

/** A change of a record: of a new one, there is none before. */
interface StateChange {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly earlier?: JsonObject;
}

/**
 * A record with the moments at which it came into its states: `paidAt` when its status becomes
 * `paid`. What it has already stays. In a group of fields, also the moment of the last change.
 */
export function withStateMoments(record: JsonObject, change: StateChange): JsonObject {
  const { resource, earlier } = change;
  const group = groupsOf(resource.record)?.group;
  const grouped = group === undefined ? undefined : shapeOf(resource).fields.get(group);
  if (group === undefined || grouped === undefined)
    return momentsIn(record, { ...change, fields: shapeOf(resource).fields });
  const [own = null, before = null] = [record[group], earlier?.[group]];
  if (!isJsonObject(own)) return record;
  const fields = fieldsOf(grouped.schema);
  const changes = earlier === undefined ? [] : [...fields.values()].filter(isChange);
  const now = changes.map((field) => [field.name, writeMoment(field, change.request.now)] as const);
  const changed = now.length === 0 ? own : { ...own, ...Object.fromEntries(now) };
  const inner = momentsIn(changed, {
    ...change,
    fields,
    earlier: isJsonObject(before) ? before : {},
  });
  return inner === own ? record : { ...record, [group]: inner };
}

function momentsIn(
  record: JsonObject,
  { fields, request, earlier = {} }: StateChange & { readonly fields: SchemaFields },
): JsonObject {
  const all = [...fields.values()];
  const entered = all.flatMap(({ name, flat }) => {
    const value = record[name];
    const isState = flat.node.enum !== undefined && typeof value === 'string';
    return isState && value !== earlier[name] ? [wordsOf(value).join(' ')] : [];
  });
  const moments = all.filter(
    (field) =>
      isMoment(field) &&
      entered.includes(actOf(field)) &&
      isOfService(field, request.plan) &&
      (record[field.name] ?? null) === null,
  );
  return moments.length === 0
    ? record
    : {
        ...record,
        ...Object.fromEntries(
          moments.map((field) => [field.name, writeMoment(field, request.now)]),
        ),
      };
}

/** Whether the service keeps the moment of the last change in a field. */
function isChange({ moment, readOnly }: SchemaField): boolean {
  return moment === 'change' && readOnly;
}

/** Whether a field is a time or a date. */
export function isMoment({ flat: { node, types } }: SchemaField): boolean {
  return types.includes('string') && (node.format === 'date-time' || node.format === 'date');
}

/** The name of a moment without what says that it is one: `retire` of `retire_time`. */
export function actOf({ name }: SchemaField): string {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return words.slice(0, ['at', 'on', 'time', 'date'].includes(last) ? -1 : undefined).join(' ');
}

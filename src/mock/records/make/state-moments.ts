import { wordsOf } from '../../../contract/infer/infer-names.ts';
import { groupsOf } from '../../../contract/infer/record-view.ts';
import type { Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { oncePerPlan } from '../find-record.ts';
import { fieldsOf, type SchemaField, shapeOf, writeMoment } from '../record-fields.ts';
import { isOfService } from './request-members.ts';

/** A change of a record: of a new one, there is none before. */
interface StateChange {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly earlier?: JsonObject;
}

/** The fields of a resource that say a state, and the moments at which it came into one. */
interface Stages {
  /** The group that has these fields; undefined if the record itself has them. */
  readonly group: string | undefined;
  readonly states: readonly string[];
  readonly moments: readonly { readonly field: SchemaField; readonly act: string }[];
  /** In a group, the moments of the last change. */
  readonly changes: readonly SchemaField[];
}

const stagesOf = oncePerPlan((plan, resource): Stages => {
  const shown = shapeOf(resource).fields;
  const group = shown.get(groupsOf(resource.record)?.group ?? '');
  const fields = [...(group === undefined ? shown : fieldsOf(group.schema)).values()];
  const moments = fields.filter(
    (field) => isMoment(field) && isOfService(field, plan, group?.name),
  );
  return {
    group: group?.name,
    states: fields.flatMap(({ name, flat }) => (flat.node.enum === undefined ? [] : [name])),
    moments: moments.map((field) => ({ field, act: actOf(field) })),
    changes: group === undefined ? [] : fields.filter(isChange),
  };
});

/**
 * A record with the moments at which it came into its states: `paidAt` when its status becomes
 * `paid`. What it has already stays. In a group of fields, also the moment of the last change.
 */
export function withStateMoments(record: JsonObject, change: StateChange): JsonObject {
  const { request, resource, earlier } = change;
  const stages = stagesOf(request.plan, resource);
  const { group, changes } = stages;
  if (group === undefined) return momentsIn(record, stages, change);
  const [own = null, before = null] = [record[group], earlier?.[group]];
  if (!isJsonObject(own)) return record;
  const now = earlier === undefined ? [] : momentsOf(changes, request);
  const inner = momentsIn(now.length === 0 ? own : { ...own, ...Object.fromEntries(now) }, stages, {
    ...change,
    earlier: isJsonObject(before) ? before : {},
  });
  return inner === own ? record : { ...record, [group]: inner };
}

function momentsIn(
  record: JsonObject,
  { states, moments }: Stages,
  { request, earlier = {} }: StateChange,
): JsonObject {
  if (moments.length === 0) return record;
  const entered = states.flatMap((name) => {
    const value = record[name];
    return typeof value === 'string' && value !== earlier[name] ? [wordsOf(value).join(' ')] : [];
  });
  const reached = moments.filter(
    ({ field, act }) => entered.includes(act) && (record[field.name] ?? null) === null,
  );
  if (reached.length === 0) return record;
  const fields = reached.map(({ field }) => field);
  return { ...record, ...Object.fromEntries(momentsOf(fields, request)) };
}

function momentsOf(fields: readonly SchemaField[], { now }: ValidRequest): [string, JsonValue][] {
  return fields.map((field) => [field.name, writeMoment(field, now)]);
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

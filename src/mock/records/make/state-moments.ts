import { wordsOf } from '../../../contract/infer/infer-names.ts';
import { groupsOf } from '../../../contract/infer/record-view.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Concern, ValidRequest } from '../../model/request.ts';
import { oncePerPlan } from '../find-record.ts';
import { fieldsOf, isMoment, type SchemaField, shapeOf, writeMoment } from '../record-fields.ts';
import { isOfService } from './request-members.ts';

/** The fields of a resource that say a state, and the moments at which it came into one. */
interface Stages {
  /** The group that has these fields; undefined if the record itself has them. */
  readonly group: string | undefined;
  readonly states: readonly SchemaField[];
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
    states: fields.filter(({ flat }) => flat.node.enum !== undefined),
    moments: moments.map((field) => ({ field, act: actOf(field) })),
    changes: group === undefined ? [] : fields.filter(isChange),
  };
});

/**
 * A record with the moments at which it came into its states: `paidAt` when its status becomes
 * `paid`. What it has already stays, until the status goes back to one before. In a group of
 * fields, also the moment of the last change.
 */
export function withStateMoments(record: JsonObject, change: Concern): JsonObject {
  const { request, resource, earlier } = change;
  const stages = stagesOf(request.plan, resource);
  const { group, changes } = stages;
  if (group === undefined) return momentsIn(record, stages, change);
  const [own = null, before = null] = [record[group], earlier?.[group]];
  if (!isJsonObject(own)) return record;
  const now = earlier === undefined ? [] : momentsOf(changes, request);
  const inner = momentsIn(now.length === 0 ? own : { ...own, ...Object.fromEntries(now) }, stages, {
    ...change,
    earlier: objectOf(before),
  });
  return inner === own ? record : { ...record, [group]: inner };
}

function momentsIn(
  record: JsonObject,
  { states, moments }: Stages,
  { request, earlier = {} }: Concern,
): JsonObject {
  if (moments.length === 0) return record;
  const changed = states.filter(({ name }) => record[name] !== earlier[name]);
  const isAmong = (values: readonly unknown[], act: string): boolean =>
    values.some((value) => typeof value === 'string' && wordsOf(value).join(' ') === act);
  const entered = changed.map(({ name }) => record[name]);
  const left = changed.flatMap((state) => leftBehind(state, record, earlier));
  const reached = moments.filter(
    ({ field, act }) => isAmong(entered, act) && (record[field.name] ?? null) === null,
  );
  const undone = moments.filter(
    ({ field: { name, schema }, act }) =>
      isAmong(left, act) && record[name] === earlier[name] && schema.accepts(null, 'response'),
  );
  if (reached.length === 0 && undone.length === 0) return record;
  const fields = reached.map(({ field }) => field);
  const none = undone.map(({ field }) => [field.name, null] as const);
  return { ...record, ...Object.fromEntries([...none, ...momentsOf(fields, request)]) };
}

/** The state that a record leaves for one which the contract lists before it. */
function leftBehind(
  { name, flat: { node } }: SchemaField,
  record: JsonObject,
  earlier: JsonObject,
): readonly JsonValue[] {
  const [now, before] = [record, earlier].map((one) => node.enum?.indexOf(one[name] ?? null) ?? -1);
  return now !== undefined && before !== undefined && now >= 0 && now < before
    ? [earlier[name] ?? null]
    : [];
}

function momentsOf(fields: readonly SchemaField[], { now }: ValidRequest): [string, JsonValue][] {
  return fields.map((field) => [field.name, writeMoment(field, now)]);
}

/** Whether the service keeps the moment of the last change in a field. */
function isChange({ moment, readOnly }: SchemaField): boolean {
  return moment === 'change' && readOnly;
}

/** The name of a moment without what says that it is one: `retire` of `retire_time`. */
export function actOf({ name }: SchemaField): string {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return words.slice(0, ['at', 'on', 'time', 'date'].includes(last) ? -1 : undefined).join(' ');
}

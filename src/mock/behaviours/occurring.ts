import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { type PeriodFields, periodsOf, recurrenceIn } from '../../contract/protocols/recurrence.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { recordAbove } from '../records/find-record.ts';
import { fieldsOf, shapeOf } from '../records/record-fields.ts';

/** The reply of a list of the periods in which a record recurs (RFC 8984, section 4.3.3). */
export function withOccurrences(
  reply: Reply | Fault,
  request: ValidRequest,
  store: Store,
): MaybePromise<Reply | Fault> {
  if (reply.kind === 'fault') return reply;
  const fields = request.plan.derive(listedPeriods);
  if (fields === undefined) return reply;
  return whenReady(recordAbove(request, store), (found) => {
    const periods = found === undefined ? [] : periodsOf(found.record, fields);
    if (periods.length === 0) return reply;
    const { bytes: _made, ...others } = reply;
    const body = periods.map(([start, end]) => ({
      [fields.start]: writeMoment(start),
      [fields.end]: writeMoment(end),
    }));
    return { ...others, body: body satisfies readonly JsonObject[] };
  });
}

function writeMoment(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

/** The moments of the listed objects, if the record above has the same two, and recurs. */
const listedPeriods = ({ operation, above }: OperationPlan): PeriodFields | undefined => {
  const { resource } = above.at(-1) ?? {};
  const recurrence = resource && recurrenceIn(resource.record);
  const schema = operation.method === 'GET' ? successSchema(operation) : undefined;
  const { items } = schema?.flatten().node ?? {};
  if (resource === undefined || recurrence === undefined) return undefined;
  if (schema === undefined || items === undefined) return undefined;
  const pointer = joinPointer(schema.flatten().pointer, 'items');
  const listed = [...fieldsOf(schema.part({ node: items, pointer })).values()];
  const own = shapeOf(resource).fields;
  const isMoment = (name: string): boolean => own.get(name)?.flat.node.format === 'date-time';
  const [start, end, ...more] = listed.map(({ name }) => name);
  if (start === undefined || end === undefined || more.length > 0) return undefined;
  return isMoment(start) && isMoment(end) ? { start, end, recurrence } : undefined;
};

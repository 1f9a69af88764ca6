import { inferListParameters } from '../../contract/infer/infer-list-parameters.ts';
import { writeTable } from '../../contract/content/write-content.ts';
import type { Operation, Resource } from '../../contract/model.ts';
import { whenReady } from '../../store/store.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { makeReply } from '../model/reply.ts';
import { oncePerPlan } from '../records/find-record.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { visible } from '../records/show/present-record.ts';
import { selectRecords } from './list.ts';

/** Returns the matching records as CSV: the names of the columns, and a row for each record. */
export const table: Behaviour = (on) => {
  const { plan } = on.request;
  const { status, role } = plan;
  const selected = selectRecords({ ...on, resource: asTable(plan, on.resource) });
  return whenReady(selected, (selection) => {
    if ('kind' in selection) return selection;
    const records = selection.found.records.map(({ record }) => visible(record));
    const { columns = [] } = role ?? {};
    const names = columns.length > 0 ? columns : [...fieldsOf(on.resource.record).keys()];
    return makeReply(status, writeTable(records, names));
  });
};

/** The resource with the parameters of the table as those of its list. */
const asTable = oncePerPlan(({ operation }, resource) => withListOf(operation, resource));

function withListOf(operation: Operation, resource: Resource): Resource {
  const parameters = inferListParameters(operation, resource.record);
  return { ...resource, list: { records: '', form: 'array', links: false, ...parameters } };
}

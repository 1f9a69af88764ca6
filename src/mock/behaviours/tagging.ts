import { writeEntityTag } from '../answer/documented-headers.ts';
import type { Convention } from '../phases.ts';
import { shapeOf } from '../records/record-fields.ts';
import { recordsIn, withRecords } from '../records/show/edit-records.ts';

/**
 * Records show their entity tags as control information: the same as the header ETag of the record
 * alone (OData JSON Format 4.01, "Control Information: etag").
 */
export const tagging: Convention = ({ answerPlan }, resource) => {
  const { fields } = shapeOf(resource);
  const field = fields.get('@odata.etag') ?? fields.get('@etag');
  if (field === undefined) return undefined;
  const { name, schema } = field;
  return {
    show: (reply, on) => {
      const { status, body = null, state = body } = reply;
      const records = recordsIn(state, on);
      const { headers } = answerPlan(status);
      return withRecords(reply, on, (record, index) => {
        const tag = writeEntityTag(headers, records[index] ?? record);
        return schema.accepts(tag, 'response') ? { ...record, [name]: tag } : record;
      });
    },
  };
};

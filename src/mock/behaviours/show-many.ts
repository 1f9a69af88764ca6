import type { ListShape, Resource } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { generateBody } from '../answer/generate-body.ts';
import { makeReply, type Reply } from '../model/reply.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { fieldsOf, type SchemaField } from '../records/schema-fields.ts';
import { showList } from './list.ts';

/** What showing several records takes, besides them. */
export interface ManyShowing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  /** How the answer shows records as a list; undefined where it does not. */
  readonly shows: ListShape | undefined;
}

/**
 * Answers what was done to several records: they themselves where the contract shows them, else
 * their identifiers or their number.
 */
export function showMany(
  records: readonly JsonObject[],
  { request, resource, shows }: ManyShowing,
): Reply | Fault {
  const { content, plan } = request;
  if (content === undefined) return makeReply(plan.status, undefined);
  const total = records.length;
  if (shows !== undefined)
    return showList(records, {
      request,
      resource,
      shape: { ...shows, links: false },
      page: { total, offset: 0, size: undefined, count: total },
    });
  const ids = records.flatMap((record) => record[resource.identifier.field] ?? []);
  if (content.schema?.validate(ids, 'response').length === 0) return makeReply(plan.status, ids);
  const body = generateBody(
    content,
    request,
    content.schema === undefined ? {} : tell(fieldsOf(content.schema).values(), ids),
  );
  return body.kind === 'fault' ? body : makeReply(plan.status, body.value);
}

const countNames =
  /^(number(of)?)?(deleted|removed|cleared|purged|affected|created|inserted|added|imported|processed|succeeded)?(records|items|rows|count|total|number)?$/;
const idNames = /^(deleted|removed|cleared|created|inserted|added)?(ids|identifiers|keys)$/;

/** The members that say how many there were, and which. */
function tell(fields: Iterable<SchemaField>, ids: readonly JsonValue[]): JsonObject {
  return Object.fromEntries(
    [...fields].flatMap(
      ({ name, normalised, flat: { types } }): (readonly [string, JsonValue])[] => {
        const isCount =
          types.some((type) => type === 'integer' || type === 'number') &&
          countNames.test(normalised);
        const isList = types.includes('array') && idNames.test(normalised);
        return isCount ? [[name, ids.length]] : isList ? [[name, ids]] : [];
      },
    ),
  );
}

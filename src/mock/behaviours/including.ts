import type { Inclusion } from '../../contract/protocols/inclusion.ts';
import { inclusionsOf, keyOf, linkedBy, objectsIn } from '../../contract/protocols/inclusion.ts';
import type { Resource } from '../../contract/model.ts';
import { readNames } from '../../contract/protocols/names.ts';
import { projectionOfType, typeOf } from '../../contract/protocols/projection.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { valueFault } from '../errors/describe-issue.ts';
import type { Acting, Asking, ValidRequest } from '../model/request.ts';
import type { Fault, Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { parameterKey } from '../request/read-request.ts';
import { partOf } from './projected.ts';
import { withBody } from '../records/show/edit-records.ts';
import { visible } from '../records/show/present-record.ts';

/**
 * A response has the records to which the shown ones refer, each once, where the request asks for
 * them. A path that begins with no relationship is refused (JSON:API 1.1, section 6.3).
 */
export const including: Convention = ({ operation, contract }, resource) => {
  const inclusion = inclusionsOf(resource, contract.resources).find(
    (one) => one.operation === operation,
  );
  if (inclusion === undefined) return undefined;
  const askedIn = ({ request }: Acting): JsonValue | undefined =>
    request.parameters.get(parameterKey(inclusion.parameter));
  return {
    before: (on) => {
      const asked = askedIn(on);
      return asked === undefined ? undefined : strayPath(inclusion, asked);
    },
    show: (reply, on) => {
      const asked = askedIn(on);
      return asked === undefined ? undefined : withIncluded(reply, { ...on, inclusion, asked });
    },
  };
};

function strayPath({ parameter, known }: Inclusion, asked: JsonValue): Fault | undefined {
  const stray = readNames(asked).find((path) => !known.has(path.split('.')[0] ?? ''));
  if (stray === undefined) return undefined;
  const why = `names ${quoteExcerpt(stray)}, which is no relationship of a record`;
  return valueFault(parameter.name, 'inclusion', why);
}

interface Including extends Asking {
  readonly inclusion: Inclusion;
  readonly asked: JsonValue;
}

async function withIncluded(
  reply: Reply,
  { inclusion, asked, request, store }: Including,
): Promise<Reply> {
  if (!isJsonObject(reply.body)) return reply;
  const primary = objectsIn(reply.body['data']);
  const shown = new Set(primary.map(keyOf));
  const included: JsonObject[] = [];
  const { session } = request;
  for (const name of readNames(asked)) {
    const named = inclusion.relations.get(name);
    if (named === undefined) continue;
    const { collection } = named;
    const part = partAsked(request, named);
    for (const link of primary.flatMap((record) => linkedBy(record, name))) {
      if (shown.has(keyOf(link))) continue;
      shown.add(keyOf(link));
      const record = await store.get({ session, name: collection }, String(link['id']));
      if (record !== undefined) included.push(part(visible(record)));
    }
  }
  return withBody(reply, { ...reply.body, included });
}

/** What a request asks for of the records of a type: `fields[people]` (JSON:API 1.1, section 6.4). */
function partAsked(
  { plan: { operation }, parameters }: ValidRequest,
  named: Resource,
): (record: JsonObject) => JsonObject {
  const projection = projectionOfType(operation, typeOf(named));
  const value = projection && parameters.get(parameterKey(projection.parameter));
  return projection === undefined || value === undefined
    ? (record) => record
    : partOf(named, new Set(readNames(value)));
}

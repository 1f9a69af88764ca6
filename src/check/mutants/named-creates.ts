import { isKeyParameter } from '../../contract/protocols/chosen-name.ts';
import { idempotencyKey } from '../../contract/model/operation.ts';
import type { Parameter } from '../../contract/model.ts';
import type { HttpRequest } from '../../http/message.ts';
import { dropHeader } from './edit-service.ts';
import { queryOf, withoutQuery, withQuery } from './list-place.ts';
import type { ActionPlace } from './state-edits.ts';

/** The parameter with which a create names the new record; undefined if it has none. */
function nameOf({ resource, operation }: ActionPlace): Parameter | undefined {
  return operation.parameters.find((parameter) => isKeyParameter(resource, parameter));
}

/** A create with the name that another request gives its record, if it gives one. */
export function namedLike(
  request: HttpRequest,
  other: HttpRequest,
  place: ActionPlace,
): HttpRequest {
  const { name = '' } = nameOf(place) ?? {};
  const given = queryOf(other, name);
  return given === undefined ? request : withQuery(request, name, encodeURIComponent(given));
}

/** A create once more, as that of another record: without its key, and with a name of its own. */
export function againAs(request: HttpRequest, place: ActionPlace): HttpRequest {
  const { in: location, name: key = '' } = idempotencyKey(place.operation) ?? {};
  const bare =
    location === 'header' ? dropHeader(request, key) : (withoutQuery(request, [key]) ?? request);
  const { name = '' } = nameOf(place) ?? {};
  const given = queryOf(bare, name);
  return given === undefined ? bare : withQuery(bare, name, `${encodeURIComponent(given)}-2`);
}

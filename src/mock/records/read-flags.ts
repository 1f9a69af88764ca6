import { flagsOf, kindsOf } from '../../contract/infer/infer-flags.ts';
import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Condition } from '../../store/store.ts';
import type { ParameterValues } from '../model/request.ts';
import { parameterKey } from '../request/read-request.ts';

/** What the flags of a request leave out, and the kinds of records that it asks for. */
export function readFlags(resource: Resource, parameters: ParameterValues): Condition[] {
  const flags = flagsOf(resource).flatMap(({ parameter, field, hides }): Condition[] => {
    const isSet = parameters.get(parameterKey(parameter)) === true;
    return isSet ? [{ op: 'not in', field, values: [hides] }] : [];
  });
  const kinds = kindsOf(resource).flatMap(({ parameter, usual, told }): Condition[] => {
    const given = parameters.get(parameterKey(parameter)) ?? usual;
    if (!Array.isArray(given) || told === undefined) return [];
    const asked = (given as readonly JsonValue[]).map((kind) => told.by.get(String(kind)));
    const values = asked.filter((value) => value !== undefined);
    return values.length === asked.length ? [{ op: 'in', field: told.field, values }] : [];
  });
  return [...flags, ...kinds];
}

import type { Resource } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { singleValues } from '../evidence/record/record-field.ts';
import { listedRecords } from '../evidence/record/shown-records.ts';
import type { Source } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';

/**
 * What records are known: those that a sequence listed before, and those that the run was shown.
 */
export interface KnownRecords {
  readonly resource: Resource;
  readonly seen: readonly JsonObject[];
  readonly earlier: readonly Step[];
}

/**
 * The value of a field that some records have in common, and others have not: of those that the
 * first list of the sequence showed, else of those that were seen. Within a sequence it stays the
 * same; undefined where no record shows the field.
 */
export function heldValue(
  { field, resource: name, least }: Extract<Source, { kind: 'held' }>,
  { resource, seen, earlier }: KnownRecords,
): JsonValue | undefined {
  for (const {
    case: { request },
    sent,
  } of earlier) {
    const same = request.arguments.find(
      ({ source }) =>
        source.kind === 'held' &&
        source.resource === name &&
        source.field === field &&
        source.least === least,
    );
    const value = same && sent.arguments.get(same.parameter);
    if (value !== undefined) return value;
  }
  const first = earlier.find(
    ({ case: { operation }, exchange }) =>
      operation === resource.operations.list && isSuccess(exchange.response?.status ?? 0),
  );
  const listed = first && listedRecords(resource, first.answer);
  return inCommon(listed !== undefined && listed.length > 0 ? listed : seen, { field, least });
}

/** Few records are sooner shown to their end than many. */
function inCommon(
  records: readonly JsonObject[],
  { field, least }: { readonly field: string; readonly least: number },
): JsonValue | undefined {
  const holders = Map.groupBy(
    records.flatMap((record) => singleValues(record, field)),
    (value) => stringifyJson(value),
  );
  const telling = [...holders.values()].filter((values) => values.length < records.length);
  const bySize = (telling.length > 0 ? telling : [...holders.values()]).toSorted(
    (left, right) => left.length - right.length,
  );
  return (bySize.find(({ length }) => length >= least) ?? bySize.at(-1))?.[0];
}

import type { Operation, Schema } from '../../contract/model.ts';
import type { FaultCause } from '../model/reply.ts';
import { fieldsOf, type SchemaField } from '../records/record-fields.ts';

/** The canonical code of a fault (Google AIP-193, `google/rpc/code.proto`). */
export function canonicalCode(status: number, cause: FaultCause, code: string): string {
  if (cause === 'state') return 'FAILED_PRECONDITION';
  if (status === 409) return code === 'aborted' ? 'ABORTED' : 'ALREADY_EXISTS';
  return byStatus[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

const byStatus: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Whether an object has the members of a status: a numeric `code`, `message` and `status`. */
export function isStatusObject(fields: readonly SchemaField[]): boolean {
  const types = (name: string): readonly string[] =>
    fields.find((field) => field.normalised === name)?.flat.types ?? [];
  return (
    types('code').includes('integer') &&
    types('message').includes('string') &&
    types('status').includes('string')
  );
}

/** Whether the errors of an operation are such statuses, in the member `error`. */
export function hasCanonicalErrors({ responses }: Operation): boolean {
  const schemas = responses.flatMap(({ status, content }) =>
    /^[45]/.test(status) ? content.flatMap(({ schema }) => schema ?? []) : [],
  );
  return schemas.some((schema: Schema) => {
    const error = fieldsOf(schema).get('error');
    return error !== undefined && isStatusObject([...fieldsOf(error.schema).values()]);
  });
}

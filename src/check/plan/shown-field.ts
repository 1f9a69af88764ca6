import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import type { Operation, Resource } from '../../contract/model.ts';

/**
 * A field of the record that an operation answers, as a runtime expression of OpenAPI: at its place
 * in the envelope, if it has one (`$response.body#/ticket/version`). A field within others is
 * written with slashes: `_links/self/href`.
 */
export function shownField(
  operation: Operation,
  { record }: Pick<Resource, 'record'>,
  field: string,
): string {
  const around = recordPlace(operation, record)?.at ?? '';
  return `$response.body#${around}/${field}`;
}

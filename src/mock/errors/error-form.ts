import type { Contract, Example, MediaTypeSpec, Operation, ResponseSpec, Schema } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { isJsonMediaType, matchesMediaRange } from '../../http/media-type.ts';

/** How an error is written: in a schema of the contract's, as a plain text, or as problem details (RFC 9457). */
export type ErrorForm =
  | { readonly kind: 'schema'; readonly mediaType: string; readonly schema: Schema; readonly examples: readonly Example[] }
  | { readonly kind: 'text'; readonly mediaType: string }
  | { readonly kind: 'problem'; readonly mediaType: string };

/** Finds the form of an operation's error with a certain status; without an operation, that of errors in general. */
export type FindErrorForm = (operation: Operation | undefined, status: number) => ErrorForm;

const problem: ErrorForm = { kind: 'problem', mediaType: 'application/problem+json' };

/**
 * The form that the operation documents for the status. Where it documents none: the one that its errors usually have, else
 * the one that errors of the whole contract usually have, because clients want one shape for all; else problem details.
 */
export function makeErrorForms(contract: Contract): FindErrorForm {
  const usual = usualForm(contract.operations) ?? problem;
  const known = new Map<string, ErrorForm>();
  return (operation, status) => {
    if (operation === undefined) return usual;
    const key = `${String(status)} ${operation.id}`;
    const form = known.get(key) ?? findForm(operation, status, usual);
    known.set(key, form);
    return form;
  };
}

function findForm(operation: Operation, status: number, usual: ErrorForm): ErrorForm {
  const likely = usualForm([operation]) ?? usual;
  const content = selectResponse(operation, status)?.content ?? [];
  if (content.length === 0) return likely;
  const json = content.find(({ mediaType }) => isJsonMediaType(mediaType));
  if (json !== undefined) return schemaForm(json) ?? { ...likely, mediaType: json.mediaType };
  const text = content.find(({ mediaType }) => matchesMediaRange('text/plain', mediaType));
  return text === undefined ? problem : { kind: 'text', mediaType: 'text/plain; charset=utf-8' };
}

function schemaForm({ mediaType, schema, examples }: MediaTypeSpec): Extract<ErrorForm, { kind: 'schema' }> | undefined {
  return schema && { kind: 'schema', mediaType, schema, examples };
}

/** The schema that most error responses have; examples belong to one status and are left behind. */
function usualForm(operations: readonly Operation[]): ErrorForm | undefined {
  const counts = new Map<string, { form: ErrorForm; count: number }>();
  const entries = operations.flatMap(errorResponses).flatMap(({ content }) => content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? []);
  for (const form of entries.flatMap((entry) => schemaForm(entry) ?? [])) {
    const { pointer } = form.schema.follow(form.schema.node, form.schema.pointer);
    counts.set(pointer, { form: { ...form, examples: [] }, count: (counts.get(pointer)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((left, right) => right.count - left.count)[0]?.form;
}

/** `default` is an error only beside a success: alone, it stands for everything. */
function errorResponses({ responses }: Operation): ResponseSpec[] {
  const hasSuccess = responses.some(({ status }) => status.startsWith('2') || status.startsWith('3'));
  return responses.filter(({ status }) => /^[45]/.test(status) || (status === 'default' && hasSuccess));
}

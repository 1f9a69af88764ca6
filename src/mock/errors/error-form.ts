import type { Contract, Example, Operation, ResponseSpec, Schema } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import { joinPointer, valueAt } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import { sampleContent } from '../../values/sample-content.ts';
import type { AnswerContent } from '../model/request.ts';
import { planContents } from '../plan/plan-answer.ts';
import { fieldsOf } from '../records/record-fields.ts';

/** The format of an error: a schema of the contract, plain text, or problem details (RFC 9457). */
export type ErrorForm =
  | {
      readonly kind: 'schema';
      readonly mediaType: string;
      readonly schema: Schema;
      readonly examples: readonly Example[];
    }
  /** `schema` is that of the text. */
  | {
      readonly kind: 'text';
      readonly mediaType: string;
      readonly schema?: Schema | undefined;
      readonly examples: readonly Example[];
    }
  | { readonly kind: 'problem'; readonly mediaType: string }
  /** An error without a text: no body, or a binary one such as a picture. */
  | { readonly kind: 'wordless'; readonly mediaType?: string; readonly sample?: string };

/**
 * Finds the format of an operation's error with a certain status; without an operation, the format
 * of errors in general.
 */
export type FindErrorForm = (operation: Operation | undefined, status: number) => ErrorForm;

const problem: ErrorForm = { kind: 'problem', mediaType: 'application/problem+json' };

/**
 * The format that the operation documents for the status. Without one: the most common format of
 * its errors, otherwise of the whole contract, because clients expect one format; otherwise problem
 * details.
 */
export function makeErrorForms(contract: Contract): FindErrorForm {
  const ofContract = usualForms(contract.operations);
  const usual = ofContract[0] ?? problem;
  const known = new Map<string, ErrorForm>();
  return (operation, status) => {
    if (operation === undefined) return usual;
    const key = `${String(status)} ${operation.id}`;
    return remember(known, key, () =>
      isClosed(contract, operation, status)
        ? { kind: 'wordless' }
        : findForm(operation, status, ofContract),
    );
  };
}

/** Whether the contract excludes a body by an empty `content`. A missing `content` does not. */
function isClosed({ document }: Contract, operation: Operation, status: number): boolean {
  const documented = selectResponse(operation, status);
  const written =
    documented?.content.length === 0
      ? valueAt(document, joinPointer(documented.pointer, 'content'))
      : undefined;
  return isJsonObject(written) && Object.keys(written).length === 0;
}

function findForm(
  operation: Operation,
  status: number,
  ofContract: readonly SchemaForm[],
): ErrorForm {
  const likely =
    [...usualForms([operation]), ...ofContract].find(({ schema }) => canSay(schema, status)) ??
    problem;
  const contents = (selectResponse(operation, status)?.content ?? []).flatMap((spec) =>
    planContents(spec),
  );
  if (contents.length === 0) return likely;
  const json = contents.find(({ form }) => form === 'json');
  if (json !== undefined) return schemaForm(json) ?? { ...likely, mediaType: json.mediaType };
  const structured = contents
    .filter(({ form }) => form === 'xml' || form === 'form')
    .flatMap((content) => schemaForm(content) ?? []);
  return structured[0] ?? textForm(contents) ?? fileForm(contents) ?? problem;
}

/**
 * For an error that is only available as a file: a sample such as a picture, otherwise a file with
 * the message.
 */
function fileForm(contents: readonly AnswerContent[]): ErrorForm | undefined {
  const samples = contents.flatMap(({ mediaType }): ErrorForm[] => {
    const sample = isAnyFile(mediaType)
      ? undefined
      : sampleContent(parseMediaType(mediaType)?.essence ?? '');
    return sample === undefined ? [] : [{ kind: 'wordless', mediaType, sample }];
  });
  const file =
    contents.find(({ mediaType }) => isAnyFile(mediaType)) ??
    contents.find(({ form, mediaType }) => form === 'binary' && !mediaType.includes('*'));
  return (
    samples[0] ??
    (file && {
      kind: 'text',
      mediaType: file.mediaType.includes('*') ? 'text/plain' : file.mediaType,
      examples: [],
    })
  );
}

function isAnyFile(mediaType: string): boolean {
  return matchesMediaRange('application/octet-stream', mediaType);
}

/** The contract's plain text, otherwise another text format. */
function textForm(contents: readonly AnswerContent[]): ErrorForm | undefined {
  const readable = contents.filter(
    ({ form }) => form === 'text' || form === 'csv' || form === 'events' || form === 'xml',
  );
  const text =
    readable.find(({ mediaType }) => matchesMediaRange('text/plain', mediaType)) ?? readable[0];
  if (text === undefined) return undefined;
  return text.schema?.flatten().types.includes('string') === false
    ? schemaForm(text)
    : { kind: 'text', mediaType: text.mediaType, examples: text.examples, schema: text.schema };
}

const statusNames = /^((http)?status(code)?|httpcode|code)$/;

/**
 * Whether an error of another status may use a schema: one that only allows 401 is not for a 400.
 */
function canSay(schema: Schema, status: number, depth = 2): boolean {
  const fields = partsOf(schema).flatMap((part) => [...fieldsOf(part).values()]);
  return fields.every(({ normalised, flat, schema: own }) => {
    const values = flat.node.const === undefined ? flat.node.enum : [flat.node.const];
    const statuses = (values ?? []).filter((value) => /^[1-5]\d\d$/.test(String(value)));
    if (statusNames.test(normalised) && statuses.length > 0)
      return statuses.some((value) => String(value) === String(status));
    return depth === 0 || !flat.types.includes('object') || canSay(own, status, depth - 1);
  });
}

/** A schema, and each part of its `allOf`: one may limit the status that another declares. */
function partsOf(schema: Schema): Schema[] {
  const { node, pointer } = schema.follow(schema);
  const parts = typeof node === 'object' ? (node.allOf ?? []) : [];
  return [
    schema,
    ...parts.map((part, index) =>
      schema.part(schema.follow({ node: part, pointer: joinPointer(pointer, 'allOf', index) })),
    ),
  ];
}

function schemaForm({
  mediaType,
  schema,
  examples,
}: Pick<AnswerContent, 'mediaType' | 'schema' | 'examples'>): SchemaForm | undefined {
  return schema && { kind: 'schema', mediaType, schema, examples };
}

type SchemaForm = Extract<ErrorForm, { kind: 'schema' }>;

/**
 * The schemas of error responses, the most common one first; without examples, which belong to one
 * status.
 */
function usualForms(operations: readonly Operation[]): readonly SchemaForm[] {
  const counts = new Map<string, { form: SchemaForm; count: number }>();
  const entries = operations
    .flatMap(errorResponses)
    .flatMap(({ content }) => content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? []);
  for (const form of entries.flatMap(
    ({ mediaType, schema, examples }) => schemaForm({ mediaType, schema, examples }) ?? [],
  )) {
    const { pointer } = form.schema.follow(form.schema);
    counts.set(pointer, {
      form: { ...form, examples: [] },
      count: (counts.get(pointer)?.count ?? 0) + 1,
    });
  }
  return [...counts.values()]
    .sort((left, right) => right.count - left.count)
    .map(({ form }) => form);
}

/** `default` is an error only beside a documented success. */
function errorResponses({ responses }: Operation): ResponseSpec[] {
  const hasSuccess = responses.some(
    ({ status }) => status.startsWith('2') || status.startsWith('3'),
  );
  return responses.filter(
    ({ status }) => /^[45]/.test(status) || (status === 'default' && hasSuccess),
  );
}

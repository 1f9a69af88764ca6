import { joinPointer } from '../../json/pointer.ts';
import type { MediaTypeSpec, Operation, ResponseSpec, Schema, SchemaNode } from '../model.ts';
import { successSchema } from '../infer/conventions/envelope-styles.ts';
import { envelopeOf } from '../infer/envelope-members.ts';
import { changedOperation } from './changed-operation.ts';

/**
 * The operations with what tells their successes from refusals that have the same status: a flag
 * that every answer has, or members that stand beside what is answered, whose values a run learns.
 */
export function withSuccess(operations: readonly Operation[]): readonly Operation[] {
  const verdict = verdictOf(operations);
  if (verdict !== undefined) return operations.map((one) => withVerdict(one, verdict));
  const envelope = envelopeOf(operations);
  return envelope.length === 0
    ? operations
    : operations.map((one) => changedOperation(one, { envelope }));
}

/** The operation with its refusals told from its successes, where one status carries both. */
function withVerdict(operation: Operation, verdict: string): Operation {
  const responses = operation.responses.flatMap((one) => judged(one, verdict));
  return changedOperation(operation, { verdict, responses });
}

/**
 * The member of every success that says whether the call succeeded: `ok`, beside an `error`.
 * Undefined if the answers have none.
 */
export function verdictOf(operations: readonly Operation[]): string | undefined {
  let shared: readonly string[] | undefined;
  let count = 0;
  for (const operation of operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    const names = requiredBooleans(schema);
    shared = shared === undefined ? names : shared.filter((name) => names.includes(name));
    // Of a long document, the first answers are enough.
    if (shared.length === 0) return undefined;
    count += 1;
  }
  return count > 1 ? shared?.[0] : undefined;
}

function requiredBooleans(schema: Schema): string[] {
  const forms = formsOf(schema);
  const named = forms.map((form) => {
    const { properties, required } = form.flatten();
    return [...properties].flatMap(([name, place]) =>
      required.has(name) && form.flatten(place.node, place.pointer).types.join() === 'boolean'
        ? [name]
        : [],
    );
  });
  const [first = [], ...others] = named;
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/** The alternatives of a body, or the body itself. */
function formsOf(schema: Schema): Schema[] {
  const { node, pointer } = schema.flatten();
  const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
  const branches = node[keyword];
  if (!Array.isArray(branches)) return [schema];
  return (branches as readonly SchemaNode[]).map((branch, index) =>
    schema.part(schema.follow(branch, joinPointer(pointer, keyword, index))),
  );
}

/** A response as two: the success, and the refusal that the same status carries. */
function judged(response: ResponseSpec, verdict: string): ResponseSpec[] {
  if (!response.status.startsWith('2')) return [response];
  const formOfEach = (isRefusal: boolean) => (media: MediaTypeSpec) =>
    (media.schema === undefined ? [] : formsOf(media.schema)).find(
      (form) => saysNo(form, verdict) === isRefusal,
    );
  const split = (isRefusal: boolean): MediaTypeSpec[] =>
    response.content.map((media) => {
      const schema = formOfEach(isRefusal)(media);
      return schema === undefined ? media : { ...media, schema };
    });
  const isShown = response.content.some((media) => formOfEach(true)(media) !== undefined);
  const refusal = { ...response, status: '4XX', content: split(true), links: [] };
  return [
    { ...response, content: split(false) },
    isShown ? { ...refusal, sentAs: response.status } : refusal,
  ];
}

/** Whether a form of an answer is that of a refusal: its verdict can only be false. */
function saysNo(form: Schema, verdict: string): boolean {
  const place = form.flatten().properties.get(verdict);
  if (place === undefined) return false;
  const { node } = form.flatten(place.node, place.pointer);
  return node.const === false || (node.enum?.length === 1 && node.enum[0] === false);
}

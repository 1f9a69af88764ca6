import { joinPointer } from '../../json/pointer.ts';
import { type JsonValue, memberOf } from '../../json/value.ts';
import type {
  LocatedNode,
  MediaTypeSpec,
  Operation,
  ResponseSpec,
  Schema,
  SchemaNode,
  SuccessSign,
} from '../model.ts';
import { successSchema, isContentName } from '../infer/conventions/envelope-styles.ts';
import { plainName } from '../infer/infer-names.ts';
import { writeReference } from '../read/cursor.ts';
import { shownBy } from '../schema/shown-values.ts';
import { saysSuccess, statedSuccess } from '../words/read-success.ts';
import { changedOperation } from './changed-operation.ts';

/**
 * The operations with what tells their successes from refusals that have the same status: a flag
 * that every answer has, a code that the document explains, or members that stand beside what is
 * answered, whose values a run learns.
 */
export function withSuccess(operations: readonly Operation[]): readonly Operation[] {
  const verdict = verdictOf(operations);
  if (verdict !== undefined) return operations.map((one) => withVerdict(one, verdict));
  const envelope = envelopeOf(operations);
  if (envelope.length === 0) return operations;
  const sign = signOf(operations, envelope);
  return operations.map((one) =>
    changedOperation(one, { envelope, ...(sign === undefined ? {} : { sign }) }),
  );
}

/** The operation with its refusals told from its successes, where one status carries both. */
function withVerdict(operation: Operation, verdict: string): Operation {
  const responses = operation.responses.flatMap((one) => judged(one, verdict));
  const isShown = responses.some(({ sentAs }) => sentAs !== undefined);
  const sign = { name: verdict, value: true, isStated: true };
  return changedOperation(operation, { verdict, responses, ...(isShown ? {} : { sign }) });
}

/** Whether members of the answers tell successes from refusals. */
export function tellsSuccess(operations: readonly Operation[]): boolean {
  return (
    verdictOf(operations) !== undefined || signOf(operations, envelopeOf(operations)) !== undefined
  );
}

/**
 * The operations as a service answers that tells its successes by a member of the body: the value
 * of a success is the only one in its schema, and where no error is documented, a refusal has the
 * status and the members of a success, with another value.
 */
export function withRefusals(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((operation) => {
    const { sign, responses } = operation;
    const isTold = responses.some(
      ({ status, content }) => /^(?:4|default)/.test(status) && content.length > 0,
    );
    if (sign === undefined) return operation;
    const others = isTold ? responses : responses.filter(({ status }) => status !== '4XX');
    const told = others.flatMap((response) => {
      if (!response.status.startsWith('2') || response.content.length === 0) return [response];
      const refusal = { ...response, status: '4XX', links: [], sentAs: response.status };
      const as = (isRefusal: boolean): MediaTypeSpec[] =>
        response.content.map((media) => signed(media, sign, isRefusal));
      const success = { ...response, content: as(false) };
      return isTold ? [success] : [success, { ...refusal, content: as(true) }];
    });
    return changedOperation(operation, { responses: told });
  });
}

/** A body whose member has the value of a success, or any other one. */
function signed(
  media: MediaTypeSpec,
  { name, value }: SuccessSign,
  isRefusal: boolean,
): MediaTypeSpec {
  const { schema } = media;
  const flat = schema?.flatten();
  const place = flat?.properties.get(name);
  if (schema === undefined || flat === undefined || place === undefined) return media;
  const isContent = (at: LocatedNode): boolean =>
    schema.flatten(at).types.some((type) => type === 'object' || type === 'array');
  const own: SchemaNode = { $ref: writeReference(place.pointer) };
  const told: SchemaNode = isRefusal ? { not: { const: value } } : { const: value };
  const members = [...flat.properties].map(([each, at]): [string, SchemaNode] => {
    const node = { $ref: writeReference(at.pointer) };
    if (each === name) return [each, { allOf: [own, told] }];
    return [each, node];
  });
  const kept = members.filter(
    ([each]) => !isRefusal || !isContent(flat.properties.get(each) ?? place),
  );
  const required = [...new Set([...flat.required, name])].filter((each) =>
    kept.some(([one]) => one === each),
  );
  const node = { ...flat.node, properties: Object.fromEntries(kept), required };
  const pointer = joinPointer(schema.pointer, isRefusal ? 'x-vouch-refusal' : 'x-vouch-success');
  return { ...media, schema: schema.part({ node: { ...node, 'x-vouch-view': true }, pointer }) };
}

const flagNames = /^(?:is)?(?:ok|success|successful|succeeded)$/;
const codeNames =
  /^(?:code|status|statuscode|state|errno|errcode|errorcode|ret|retcode|resultcode|returncode)$/;

/** The member by which all answers tell a success, and its value. */
function signOf(
  operations: readonly Operation[],
  names: readonly string[],
): SuccessSign | undefined {
  const name =
    names.find((each) => flagNames.test(plainName(each))) ??
    names.find((each) => codeNames.test(plainName(each)));
  if (name === undefined) return undefined;
  const values = operations.flatMap((operation) => statedBy(operation, name));
  const [first] = values;
  if (first !== undefined) return { name, value: first, isStated: true };
  const usual = usualValue(operations, name);
  return usual === undefined ? undefined : { name, value: usual, isStated: false };
}

/** The value of a success, where an operation states it: as the only one, by words, by examples. */
function statedBy(operation: Operation, name: string): JsonValue[] {
  const schema = successSchema(operation);
  const place = schema?.flatten().properties.get(name);
  if (schema === undefined || place === undefined) return [];
  const { node, types } = schema.flatten(place);
  if (types.includes('boolean')) return flagNames.test(plainName(name)) ? [true] : [];
  const said = statedSuccess(node);
  const isNumber = types.includes('integer') || types.includes('number');
  if (said !== undefined && !isNumber) return [said];
  if (said !== undefined) return Number.isNaN(Number(said)) ? [] : [Number(said)];
  const whole = operation.responses.flatMap(({ status, content }) =>
    status.startsWith('2') ? content.flatMap(({ examples }) => examples) : [],
  );
  const shown = [...shownBy(node), ...whole.map(({ value }) => memberOf(value, name))];
  return shown.flatMap((value) =>
    value !== undefined && saysSuccess(String(value)) ? [value] : [],
  );
}

/** The value that most services use for a success, where nothing states one. */
function usualValue(operations: readonly Operation[], name: string): JsonValue | undefined {
  const schemas = operations.flatMap((operation) => successSchema(operation) ?? []);
  const [first] = schemas.flatMap((schema) => {
    const place = schema.flatten().properties.get(name);
    return place === undefined ? [] : [schema.flatten(place)];
  });
  if (first === undefined) return undefined;
  const { node, types } = first;
  if (node.enum !== undefined) return node.enum.find((value) => saysSuccess(String(value)));
  if (types.includes('integer') || types.includes('number'))
    return plainName(name).startsWith('stat') ? 200 : 0;
  return plainName(name) === 'status' ? 'success' : '0';
}

/** Names of members that a success has, and whether it is one of the answers that tell. */
interface Members {
  readonly names: readonly string[];
  readonly tells: boolean;
}

/** The names that all successes have, if at least two of them tell. */
function sharedNames(
  operations: readonly Operation[],
  membersIn: (schema: Schema) => Members,
): readonly string[] {
  let shared: readonly string[] | undefined;
  let count = 0;
  for (const operation of operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    const { names, tells } = membersIn(schema);
    shared = shared === undefined ? names : shared.filter((name) => names.includes(name));
    // Of a long document, the first answers are enough.
    if (shared.length === 0) return [];
    if (tells) count += 1;
  }
  return count > 1 ? (shared ?? []) : [];
}

/**
 * The member of every success that says whether the call succeeded: `ok`, beside an `error`.
 * Undefined if the answers have none.
 */
function verdictOf(operations: readonly Operation[]): string | undefined {
  return sharedNames(operations, requiredBooleans)[0];
}

function requiredBooleans(schema: Schema): Members {
  const forms = formsOf(schema);
  const named = forms.map((form) => {
    const { properties, required } = form.flatten();
    return [...properties].flatMap(([name, place]) =>
      required.has(name) && form.flatten(place).types.join() === 'boolean' ? [name] : [],
    );
  });
  const [first = [], ...others] = named;
  const names = first.filter((name) => others.every((other) => other.includes(name)));
  return { names, tells: true };
}

/** The alternatives of a body, or the body itself. */
function formsOf(schema: Schema): Schema[] {
  const flat = schema.flatten();
  const keyword = flat.node.oneOf === undefined ? 'anyOf' : 'oneOf';
  const branches = flat.node[keyword];
  if (!Array.isArray(branches)) return [schema];
  return (branches as readonly SchemaNode[]).map((branch, index) =>
    schema.part(
      schema.follow({ node: branch, pointer: joinPointer(flat.pointerOf(keyword), index) }),
    ),
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
  const { node } = form.flatten(place);
  return node.const === false || (node.enum?.length === 1 && node.enum[0] === false);
}

/**
 * The texts and numbers that each success has beside an object or a list: `{ "code": 0, "message":
 * "ok", "data": … }`. A few may have a text or a number as their content, or none. None if fewer
 * than two operations answer with an object or a list.
 */
function envelopeOf(operations: readonly Operation[]): readonly string[] {
  return sharedNames(operations, scalarMembers);
}

/** The texts and numbers of a body; one tells that also holds an object or a list. */
function scalarMembers(schema: Schema): Members {
  const typed = [...schema.flatten().properties].map(
    ([name, place]) => [name, schema.flatten(place).types] as const,
  );
  const isContent = (types: readonly string[]): boolean =>
    types.length <= 2 && types.some((type) => type === 'object' || type === 'array');
  const hasContent = typed.some(([, types]) => isContent(types));
  const names = typed.flatMap(([name, types]) =>
    isContent(types) || types.length > 2 || (!hasContent && isContentName(name)) ? [] : [name],
  );
  return { names, tells: hasContent };
}

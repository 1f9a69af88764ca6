import { closeBody } from '../../../contract/infer/open-envelopes.ts';
import { isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import type { JsonValue, JsonObject } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, arrayOf, memberOf } from '../../../json/value.ts';
import { type Case, controlOf, mediaOf } from '../../model/case.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import { requestPhrase } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { alter } from '../../request/write-body.ts';
import { check } from '../check.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import type { Contract } from '../../../contract/model.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { refusalBodies } from '../../mutants/places.ts';

/** An error that points into the request points to what is wrong there. */
export const pointerHolds = check({
  id: 'pointer-holds',
  basis: 'inferred',
  harm: 'types',
  rule:
    'The place that an error names is that of the invalid value in the request, or what it is ' +
    'in: `source.pointer` of JSON:API 1.1, section 11.2, `pointer` beside problem details (RFC ' +
    '9457, section 3), `field` of a field violation (AIP-193), or a JSON Pointer in a text.',
  reason: 'A form shows the message beside the field that the pointer names.',
  example: [
    '> POST /items',
    '> {"name": "a", "price": -1}',
    '< 422 Unprocessable Content',
    '< {"errors": [{"pointer": "/name", "detail": "must be at least 0"}]}',
  ],
  confirm: 'control',
  intents: ['invalid'],
  mutants: [() => pointerMutants],
  inspect({ case: testCase, operation, exchange: { response }, answer }) {
    const { intent } = testCase;
    if (intent.kind !== 'invalid' || intent.part !== 'body' || response === undefined)
      return undefined;
    if (isSuccess(response.status) || ![400, 422].includes(response.status)) return undefined;
    const body = jsonOf(answer);
    const named = [...pointersIn(body), ...violationsIn(body), ...quotedIn(body)];
    const place = changedPlace(testCase);
    const document = documentOf(testCase.request.body);
    if (named.length === 0 || place === undefined || document === undefined) return undefined;
    if (named.some(({ pointer }) => isRelated(pointer, place) || isWhole(pointer, document)))
      return [];
    const [first] = named;
    const declared = declaredNames(testCase);
    if (first === undefined || !isFault(first, document, declared)) return undefined;
    return {
      at: operation.pointer,
      message:
        `The server answered ${String(response.status)} to ${requestPhrase(testCase)}, and its ` +
        `error points to ${first.pointer}, not to ${place}.`,
      expected: place,
      actual: first.pointer,
      cause: 'points elsewhere',
    };
  },
});

interface NamedPlace {
  readonly pointer: Pointer;
  /** Whether JSON:API says that there must be a value. */
  readonly isStandard: boolean;
}

/** The pointers of the errors in a body. */
function pointersIn(body: JsonValue | undefined): NamedPlace[] {
  return arrayOf(memberOf(body, 'errors')).flatMap((error): NamedPlace[] => {
    if (!isJsonObject(error)) return [];
    const { source, pointer } = error;
    const own = isJsonObject(source) ? source['pointer'] : pointer;
    if (typeof own !== 'string') return [];
    const text = own.replace(/^#/, '');
    return text === '' || text.startsWith('/')
      ? [{ pointer: text, isStandard: own !== pointer }]
      : [];
  });
}

/** The fields of violations in the details of an error (AIP-193, google.rpc.BadRequest). */
function violationsIn(body: JsonValue | undefined): NamedPlace[] {
  const error = memberOf(body, 'error');
  return arrayOf(memberOf(error, 'details')).flatMap((detail) =>
    ['field_violations', 'fieldViolations']
      .flatMap((name) => arrayOf(memberOf(detail, name)))
      .flatMap((violation) => {
        const field = memberOf(violation, 'field');
        return typeof field === 'string' && /^[\w.]+$/.test(field)
          ? [{ pointer: joinPointer('', ...field.split('.')), isStandard: false }]
          : [];
      }),
  );
}

/** The pointers in the texts of a refusal: `must be a string [json-pointer:/topic]`. */
function quotedIn(body: JsonValue | undefined): NamedPlace[] {
  const texts = arrayOf(memberOf(memberOf(body, 'response_metadata'), 'messages'));
  return texts.flatMap((text) =>
    [...String(text).matchAll(/\[json-pointer:(\/[^\]]*)\]/g)].map(([, pointer = '']) => ({
      pointer,
      isStandard: false,
    })),
  );
}

/**
 * Whether one of two places is in the other; a service may count from its whole message, as in
 * `book.title`.
 */
function isRelated(one: Pointer, other: Pointer): boolean {
  const [left, right] = [splitPointer(one), splitPointer(other)];
  const size = Math.min(left.length, right.length);
  const isWithin = left.slice(0, size).join('\n') === right.slice(0, size).join('\n');
  return isWithin || left.slice(1).join('\n') === right.join('\n');
}

/** A slash alone is the member without a name; services write it for the whole document. */
function isWhole(pointer: Pointer, document: JsonValue): boolean {
  return pointer === '/' && valueAt(document, pointer) === undefined;
}

/** A pointer to another member of the request; in JSON:API, also one to no value at all. */
function isFault(
  { pointer, isStandard }: NamedPlace,
  document: JsonValue,
  declared: ReadonlySet<string>,
): boolean {
  const [name = ''] = splitPointer(pointer);
  return isStandard || valueAt(document, pointer) !== undefined || declared.has(name);
}

/** The members that the body of a request may have, and those that its path carries for it. */
function declaredNames(testCase: Case): ReadonlySet<string> {
  const body = mediaOf(testCase)?.schema?.flatten().properties.keys() ?? [];
  const carried = testCase.operation.parameters.flatMap((one) =>
    one.carried?.in === 'body' ? splitPointer(one.carried.at).slice(0, 1) : [],
  );
  return new Set([...body, ...carried]);
}

/** The whole body of a request, if it is JSON. */
function documentOf(body: BodyTemplate | undefined): JsonValue | undefined {
  if (body === undefined || body.kind === 'bytes') return undefined;
  if (body.kind === 'json') return body.value;
  const { envelope } = body.media;
  const whole = envelope === undefined ? body.value : closeBody(envelope, body.value);
  return body.altered === undefined ? whole : alter(whole, body.altered);
}

/** The one place in which the body of a case and that of its control differ. */
function changedPlace(testCase: Case): Pointer | undefined {
  const { body } = testCase.request;
  if (body?.kind === 'content' && body.altered !== undefined) return body.altered.at;
  const control = controlOf(testCase);
  const [valid, invalid] = [control?.body, testCase.request.body].map(documentOf);
  if (valid === undefined || invalid === undefined) return undefined;
  // Texts with the mark of the run differ in every request.
  const [place, ...others] = differences(valid, invalid, '').filter(
    (at) => ![valid, invalid].every((sent) => /vouch-[0-9a-f]{6}/.test(String(valueAt(sent, at)))),
  );
  return others.length === 0 ? place : undefined;
}

function differences(left: JsonValue, right: JsonValue, at: Pointer): Pointer[] {
  if (equalJson(left, right)) return [];
  if (!isJsonObject(left) || !isJsonObject(right)) return [at];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const [one, other] = [left[name], right[name]];
    const own = joinPointer(at, name);
    return one === undefined || other === undefined ? [own] : differences(one, other, own);
  });
}

const mutant = mutantsOf('refusal');

interface PointingPlace extends Place {
  /** The members of the request to which an error may point. */
  readonly names: readonly string[];
}

/** Operations with several members in their body whose errors point into it. */
function pointing(contract: Contract): PointingPlace[] {
  return refusalBodies(contract).flatMap(({ operation, status, fields }) => {
    const names = [...(bodySchema(operation)?.flatten().properties.keys() ?? [])];
    const points = fields.some(({ way: [list, item, ...rest] }) => {
      const own = rest.join('.');
      return list === 'errors' && item === '*' && ['pointer', 'source.pointer'].includes(own);
    });
    const isInvalid = status === '400' || status === '422';
    return isInvalid && points && names.length > 1
      ? [{ operation, status: Number(status), names }]
      : [];
  });
}

/** Mutations of the places that errors name. */
const pointerMutants: readonly Mutator[] = [
  mutant('points-elsewhere', {
    rule: 'An error points to another member of the request than the invalid one.',
    where: pointing,
    says: 'points to another member than the invalid one',
    body: (body, { names }) => pointedElsewhere(body, names),
  }),
];

/** A refusal whose first error points to another member; undefined if none points to one. */
function pointedElsewhere(body: JsonValue, names: readonly string[]): JsonValue | undefined {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  if (!isJsonObject(body) || !isJsonArray(errors)) return undefined;
  const moved = errors.map((error) => (isJsonObject(error) ? withOther(error, names) : error));
  return moved.some((error, at) => error !== errors[at]) ? { ...body, errors: moved } : undefined;
}

function withOther(error: JsonObject, names: readonly string[]): JsonObject {
  const { source, pointer } = error;
  const isSource = isJsonObject(source);
  const own = isSource ? source['pointer'] : pointer;
  if (typeof own !== 'string' || own === '') return error;
  const [, first] = own.split('/');
  const other = names.find((name) => name !== first);
  const elsewhere = joinPointer('', other ?? '');
  return isSource
    ? { ...error, source: { ...source, pointer: `${own}-elsewhere` } }
    : { ...error, pointer: elsewhere };
}

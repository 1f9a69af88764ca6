import type { Operation, Parameter } from '../../contract/model.ts';
import { isNeeded } from '../../contract/model/operation.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import { expectedValue } from '../../contract/parameter/expected-value.ts';
import type { EncodedParameter, WireParameters } from '../../contract/parameter/parameter-form.ts';
import { shownBy } from '../../contract/schema/shown-values.ts';
import { toldExamples } from '../../contract/words/told-examples.ts';
import { type Pointer, valueAt } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { invalidTexts } from '../../values/invalid-texts.ts';
import { invalidValues } from '../../values/invalid-values.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { plainValue, type ValueResult } from '../../values/plain-value.ts';
import type { Source } from '../model/request-template.ts';
import { definedPart, bodyCodings } from '../request/write-body.ts';
import { chooseValues } from './body-values.ts';

/**
 * A valid value of a parameter: an example of the contract if it shows one. A path cannot carry an
 * empty value, which would lead to another path.
 */
export function plainArgument(parameter: Parameter, seed: string): ValueResult {
  const special = specialHeader(parameter);
  if (special !== undefined) return special;
  const example = validExample(parameter);
  const made =
    example === undefined
      ? plainValue(parameter.schema, { seed, direction: 'request', name: parameter.name })
      : ({ ok: true, value: example.value } as const);
  if (parameter.in !== 'path' || !made.ok || made.value !== '') return made;
  const other = parameter.schema
    .flatten()
    .node.enum?.find((value) => typeof value === 'string' && value !== '');
  return typeof other === 'string'
    ? { ok: true, value: other }
    : { ok: false, reason: 'no path can carry an empty value' };
}

/**
 * The first example of a parameter that its schema accepts. Of a text without one it is the value
 * that its description gives as an example.
 */
export function validExample(parameter: Parameter): Parameter['examples'][number] | undefined {
  const { examples, schema } = parameter;
  return [...examples, ...toldExamples(parameter)].find(({ value }) =>
    schema.accepts(value, 'request'),
  );
}

/** Whether the contract shows a value of a parameter, or lists the values. */
export function isShown(parameter: Parameter): boolean {
  const { node } = parameter.schema.flatten();
  return (
    validExample(parameter) !== undefined ||
    isListed(parameter) ||
    node.default !== undefined ||
    shownBy(node).length > 0
  );
}

/** Whether the contract lists the values of a parameter. */
export function isListed({ schema }: Parameter): boolean {
  const { node, types } = schema.flatten();
  return (
    node.enum !== undefined || node.const !== undefined || types.every((type) => type === 'boolean')
  );
}

/** The value of a header that depends on more than its schema; undefined for other parameters. */
function specialHeader({ in: location, name, schema }: Parameter): ValueResult | undefined {
  if (location !== 'header') return undefined;
  switch (name.toLowerCase()) {
    case 'content-encoding':
      return supportedCoding(schema);
    case 'if-match':
      // Any other value names a state that the record may not be in; every state matches `*`
      // (RFC 9110, section 13.1.1).
      return schema.accepts('*', 'request') ? { ok: true, value: '*' } : undefined;
    default:
      return undefined;
  }
}

/** A content coding is only valid for a body that is coded so. */
function supportedCoding(schema: Parameter['schema']): ValueResult {
  const value = bodyCodings.find((coding) => schema.accepts(coding, 'request'));
  return value === undefined
    ? { ok: false, reason: `bodies can be sent as ${bodyCodings.join(', ')}` }
    : { ok: true, value };
}

/**
 * Headers about the message itself and its connection: another value makes another message
 * (RFC 9110, section 8; RFC 9112).
 */
const messageHeaders = new Set(
  (
    'connection content-encoding content-length expect host keep-alive te trailer ' +
    'transfer-encoding upgrade'
  ).split(' '),
);

/** The parameters whose values can be varied: all except headers about the message itself. */
export function variedParameters({
  parameters,
}: Pick<Operation, 'parameters'>): readonly Parameter[] {
  return parameters.some(isAboutMessage)
    ? parameters.filter((parameter) => !isAboutMessage(parameter))
    : parameters;
}

function isAboutMessage({ in: location, name }: Parameter): boolean {
  return location === 'header' && messageHeaders.has(name.toLowerCase());
}

/** A value of a parameter that its schema rejects. */
export interface InvalidArgument {
  readonly source: Source;
  /** A sentence without a full stop: `limit is 101, above the maximum of 100`. */
  readonly rule: string;
  readonly valueClass: ValueClass;
  readonly pointer: Pointer;
}

/** Headers whose values have a grammar in HTTP itself (RFC 9110, RFC 9111, RFC 7240). */
const ruledHeaders = new RegExp(
  '^(if-(match|none-match|modified-since|unmodified-since|range)|range|accept(-.*)?|' +
    'cache-control|prefer|content-(type|language|disposition|location)|date|etag|vary|pragma)$',
  'i',
);

/**
 * Whether a header can carry a made-up valid value: no surrounding blanks and only visible
 * characters (RFC 9110, section 5.5), and the grammar of the header itself.
 */
export function isForHeader(
  { in: location, name }: Parameter,
  { value, valueClass }: ClassedValue,
): boolean {
  if (location !== 'header' || typeof value !== 'string') return true;
  const isMadeUp = !['enum-value', 'example', 'default-value'].includes(valueClass);
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !(isMadeUp && ruledHeaders.test(name));
}

/** A value and its class. */
type ClassedValue = Pick<LabelledValue, 'value' | 'valueClass'>;

/** The maximum number of invalid lists and objects for one parameter. */
const maxStructured = 16;

/** Invalid values of a parameter, in any style, that are still invalid when decoded. */
export function invalidArguments(parameter: Parameter): InvalidArgument[] {
  const { in: location, required } = parameter;
  // On the way, blanks around a header are lost. An empty one that is required is missing, or it is
  // invalid; another one may stand for its absence.
  const isSendable = (text: string): boolean =>
    text === '' ? location === 'header' && required : text.trim() === text;
  const texts = invalidTexts(parameter.schema).filter(
    ({ text }) => location === 'query' || isSendable(text),
  );
  const scalars = texts.map(({ text, label, valueClass, pointer }): InvalidArgument => ({
    source: { kind: 'text', text },
    rule: `${parameter.name} ${label}`,
    valueClass,
    pointer,
  }));
  return [...scalars, ...invalidStructures(parameter)];
}

/**
 * Lists and objects that violate a rule of the whole (too long, not unique, a member missing), or
 * contain an invalid scalar.
 */
function invalidStructures(parameter: Parameter): InvalidArgument[] {
  const { layout } = expectedValue(parameter.schema);
  if (layout === 'text') return [];
  return chooseValues(
    invalidValues(parameter.schema, 'request').filter(isVisibleInText),
    maxStructured,
    ({ value, label, valueClass, pointer }) =>
      breaksOnWire(parameter, value)
        ? {
            source: { kind: 'value', value } as const,
            rule: nameValue(label, parameter),
            valueClass,
            pointer,
          }
        : undefined,
  );
}

/**
 * Whether text can express what is wrong with a value: types differ only in JSON, and an item of a
 * list is tested as a text.
 */
function isVisibleInText({ value, at, valueClass }: LabelledValue): boolean {
  if (typeClasses.includes(valueClass)) return false;
  const part = valueAt(value, at);
  return (
    (isJsonArray(value) && at === '') ||
    (isJsonObject(value) && (at === '' || part === null || typeof part !== 'object'))
  );
}

const typeClasses: readonly ValueClass[] = [
  'null-given',
  'coercible-type',
  'wrong-type',
  'no-branch',
];

/** A label with the parameter's name instead of `the value`. */
export function nameValue(label: string, { name }: Parameter): string {
  if (label.startsWith('the value ')) return `${name} ${label.slice('the value '.length)}`;
  return label.startsWith('[') ? `${name}${label}` : `${name}.${label}`;
}

/** Whether a value that the schema rejects is still rejected when decoded. */
function breaksOnWire(parameter: Parameter, value: JsonValue): boolean {
  const reading = readBack(parameter, value);
  if (reading.kind === 'absent') return isNeeded(parameter);
  return reading.kind !== 'value' || !parameter.schema.accepts(reading.value, 'request');
}

/** Whether a valid value is still valid when decoded: styles cannot write every value. */
export function keepsOnWire(parameter: Parameter, value: JsonValue): boolean {
  const reading = readBack(parameter, value);
  return reading.kind === 'value' && parameter.schema.accepts(reading.value, 'request');
}

function readBack(parameter: Parameter, value: JsonValue): ReturnType<typeof decodeParameter> {
  const written = definedPart(parameter, value);
  if (written === undefined) return { kind: 'absent' };
  return decodeParameter(parameter, onWire(parameter, encodeParameter(parameter, written)));
}

function onWire({ name }: Parameter, encoded: EncodedParameter): WireParameters {
  const nothing: WireParameters = { path: new Map(), rawQuery: '', headers: [] };
  switch (encoded.in) {
    case 'path':
      return { ...nothing, path: new Map([[name, encoded.text]]) };
    case 'query':
      return { ...nothing, rawQuery: encoded.pairs };
    case 'header':
      return { ...nothing, headers: [[encoded.name, encoded.value]] };
    case 'cookie':
      return { ...nothing, headers: [['Cookie', encoded.pair]] };
  }
}

import type { Parameter } from '../../../contract/model.ts';
import { decodeParameter } from '../../../contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../../contract/parameter/encode-parameter.ts';
import { expectedValue } from '../../../contract/parameter/expected-value.ts';
import type {
  EncodedParameter,
  WireParameters,
} from '../../../contract/parameter/parameter-form.ts';
import { type Pointer, valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { invalidTexts } from '../../../values/invalid-texts.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import type { LabelledValue, ValueClass } from '../../../values/labelled-value.ts';
import type { Source } from '../../model/request-template.ts';
import { chooseValues } from './choose-values.ts';

/** A value of a parameter that its schema refuses. */
export interface InvalidArgument {
  readonly source: Source;
  /** A sentence without a full stop: `limit is 101, above the maximum of 100`. */
  readonly rule: string;
  readonly valueClass: ValueClass;
  readonly pointer: Pointer;
}

const mostStructured = 16;

/**
 * What breaks the rules of a parameter, whatever its style, and is still invalid when it is read
 * back from the wire.
 */
export function invalidArguments(parameter: Parameter): InvalidArgument[] {
  const texts = invalidTexts(parameter.schema).filter(
    ({ text }) => parameter.in === 'query' || (text !== '' && text.trim() === text),
  );
  const plain = texts.map(({ text, label, valueClass, pointer }): InvalidArgument => ({
    source: { kind: 'text', text },
    rule: `${parameter.name} ${label}`,
    valueClass,
    pointer,
  }));
  return [...plain, ...invalidStructures(parameter)];
}

/**
 * Lists and objects that break a rule of the whole (too long, not unique, a member missing), or
 * have a scalar in them that does.
 */
function invalidStructures(parameter: Parameter): InvalidArgument[] {
  const { layout } = expectedValue(parameter.schema);
  if (layout === 'text') return [];
  return chooseValues(
    invalidValues(parameter.schema, 'request').filter(isTold),
    mostStructured,
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
 * Whether text can tell what is wrong: an item of a list is tried as a text, and where types differ
 * only JSON says so.
 */
function isTold({ value, at, valueClass }: LabelledValue): boolean {
  if (typesOnly.includes(valueClass)) return false;
  const part = valueAt(value, at);
  return (
    (isJsonArray(value) && at === '') ||
    (isJsonObject(value) && (at === '' || part === null || typeof part !== 'object'))
  );
}

const typesOnly: readonly ValueClass[] = [
  'null-given',
  'coercible-type',
  'wrong-type',
  'no-branch',
];

/** A label speaks of `the value`; a person knows it by the parameter's name. */
export function nameValue(label: string, { name }: Parameter): string {
  if (label.startsWith('the value ')) return `${name} ${label.slice('the value '.length)}`;
  return label.startsWith('[') ? `${name}${label}` : `${name}.${label}`;
}

/** Whether a value that the schema refuses is still refused when it is read back. */
function breaksOnWire(parameter: Parameter, value: JsonValue): boolean {
  const reading = readBack(parameter, value);
  if (reading.kind === 'absent') return parameter.required;
  return reading.kind !== 'value' || !parameter.schema.accepts(reading.value, 'request');
}

/** Whether a valid value is read back as a valid one: not every style can say every value. */
export function keepsOnWire(parameter: Parameter, value: JsonValue): boolean {
  const reading = readBack(parameter, value);
  return reading.kind === 'value' && parameter.schema.accepts(reading.value, 'request');
}

function readBack(parameter: Parameter, value: JsonValue): ReturnType<typeof decodeParameter> {
  return decodeParameter(parameter, onWire(parameter, encodeParameter(parameter, value)));
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

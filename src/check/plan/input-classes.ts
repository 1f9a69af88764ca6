import type {
  FlatSchema,
  LocatedNode,
  Operation,
  Parameter,
  Schema,
} from '../../contract/model.ts';
import { isNeeded } from '../../contract/model/operation.ts';
import { type Pointer, splitPointer } from '../../json/pointer.ts';
import type { ValueLabel } from '../../values/labelled-value.ts';
import type { Reach, RequestPart } from '../model/case.ts';

/** A parameter or a body field, and the classes of values that the contract defines for it. */
export interface InputClasses {
  readonly name: string;
  readonly in: RequestPart;
  readonly classes: readonly string[];
}

const deepest = 3;
/** The maximum number of body fields: the matrix must stay readable. */
const maxFields = 60;

/** The inputs of an operation, its parameters first, then its body from the outside in. */
export function inputsOf(
  { parameters, requestBody }: Operation,
  namesRecord: (parameter: Parameter) => boolean,
): InputClasses[] {
  const given = parameters.map((parameter) => ({
    name: parameter.name,
    in: parameter.in,
    classes: namesRecord(parameter) ? recordClasses : parameterClasses(parameter),
  }));
  if (requestBody === undefined) return given;
  const schema = requestBody.content.find((media) => media.schema !== undefined)?.schema;
  const whole: InputClasses = {
    name: '',
    in: 'body',
    classes: [
      ...requestBody.content.map(({ mediaType }) => mediaType),
      ...(requestBody.required ? ['missing-required'] : []),
      ...(schema === undefined ? [] : wholeClasses(schema.flatten())),
    ],
  };
  return [...given, whole, ...(schema === undefined ? [] : fieldsOf(schema).slice(0, maxFields))];
}

const recordClasses = ['known-record', 'missing-record'];

function parameterClasses(parameter: Parameter): string[] {
  const { schema, required, in: location } = parameter;
  const flat = schema.flatten();
  const types = flat.types.filter((type) => type !== 'null');
  const isText =
    types.length === 0 ||
    types.includes('string') ||
    types.includes('array') ||
    types.includes('object');
  const optional = required || location === 'path' ? [] : ['optional-missing'];
  const needed = isNeeded(parameter) ? ['missing-required'] : optional;
  return [
    ...needed,
    ...valueClasses(flat),
    ...(isText ? [] : ['wrong-type']),
    ...(location === 'path' || location === 'query' ? ['malformed'] : []),
  ];
}

function wholeClasses({ node, types, required, properties }: FlatSchema): string[] {
  if (!types.includes('object') || properties.size === 0) return valueClasses({ node, types });
  const isOptional = [...properties.keys()].some((name) => !required.has(name));
  return [
    ...(isOptional ? ['required-only', 'all-optional'] : []),
    ...(node.additionalProperties === false ? ['additional-property'] : []),
    ...branchClasses(node),
    'wrong-type',
  ];
}

interface FieldPlace {
  readonly schema: Schema;
  readonly flat: FlatSchema;
  readonly name: string;
  readonly depth: number;
}

function fieldsOf(schema: Schema): InputClasses[] {
  const found: InputClasses[] = [];
  const open: FieldPlace[] = [{ schema, flat: schema.flatten(), name: '', depth: 0 }];
  for (
    let place = open.shift();
    place !== undefined && found.length < maxFields;
    place = open.shift()
  ) {
    for (const [name, flat, required] of partsOf(place)) {
      const needed = name.endsWith('[]')
        ? []
        : required && flat.node.default !== undefined
          ? []
          : [required ? 'missing-required' : 'optional-missing'];
      const refused = flat.types.includes('null') || flat.types.length === 0 ? [] : ['null-given'];
      found.push({
        name,
        in: 'body',
        classes: [
          ...needed,
          ...valueClasses(flat),
          ...refused,
          ...(flat.types.length === 0 ? [] : ['wrong-type']),
        ],
      });
      if (place.depth < deepest) open.push({ schema, flat, name, depth: place.depth + 1 });
    }
  }
  return found;
}

/** The members of an object and the items of a list; readOnly members are not inputs. */
function partsOf({
  schema,
  flat,
  name,
}: FieldPlace): (readonly [name: string, flat: FlatSchema, required: boolean])[] {
  const at = (place: LocatedNode): FlatSchema => schema.flatten(place);
  const members = [...flat.properties].flatMap(([member, place]) => {
    const own = at(place);
    return own.node.readOnly === true
      ? []
      : [[name === '' ? member : `${name}.${member}`, own, flat.required.has(member)] as const];
  });
  const { items } = flat;
  return items === undefined ? members : [...members, [`${name}[]`, at(items), false]];
}

/** The classes that the keywords of a schema define for its values. */
function valueClasses({ node, types }: Pick<FlatSchema, 'node' | 'types'>): string[] {
  const has = (keyword: keyof typeof node, ...classes: string[]): string[] =>
    node[keyword] === undefined ? [] : classes;
  // Null in an enum is one of its values.
  const isChoice = node.anyOf !== undefined || node.oneOf !== undefined;
  if (node.enum !== undefined) return isChoice ? [] : ['enum-value', 'not-in-enum'];
  if (node.const !== undefined) return [];
  const isText = types.includes('string');
  // A schema without a type, such as a choice of branches, does not allow each type for certain.
  const names = (type: string): boolean => node.type !== undefined && types.includes(type);
  return [
    ...has('minimum', 'minimum', 'below-minimum'),
    ...has('maximum', 'maximum', 'above-maximum'),
    ...has('exclusiveMinimum', 'on-exclusive-bound'),
    ...has('exclusiveMaximum', 'on-exclusive-bound'),
    ...has('multipleOf', 'not-a-multiple'),
    ...(types.includes('integer') && (node.format === 'int32' || node.format === 'int64')
      ? ['integer-edge']
      : []),
    ...has('minLength', 'shortest', ...(node.minLength === 0 ? [] : ['too-short'])),
    ...has('maxLength', 'longest', 'too-long'),
    ...has('pattern', 'pattern-broken'),
    ...(isText &&
    node.format !== undefined &&
    node.format !== 'binary' &&
    node.format !== 'password'
      ? ['format-broken']
      : []),
    ...(isText && node.format === undefined && node.pattern === undefined ? ['exotic'] : []),
    ...(names('boolean') ? ['boolean-value'] : []),
    ...has('minItems', 'fewest-items', ...(node.minItems === 0 ? [] : ['too-few-items'])),
    ...has('maxItems', 'most-items', 'too-many-items'),
    ...(node.uniqueItems === true ? ['duplicate-items'] : []),
    ...(names('null') ? ['null'] : []),
    ...branchClasses(node),
  ].filter((name, index, all) => all.indexOf(name) === index);
}

function branchClasses({ oneOf, anyOf }: FlatSchema['node']): string[] {
  return (oneOf?.length ?? 0) + (anyOf?.length ?? 0) > 1 ? ['branch'] : [];
}

/** What a labelled value demonstrates. */
type Labelled = Pick<ValueLabel, 'valueClass' | 'at'> & {
  readonly also?: readonly ValueLabel[] | undefined;
};

/**
 * The classes that a body with a value covers: the field that the value is for, and the other
 * fields of the body.
 */
export function reachedInBody({ valueClass, at, also }: Labelled): Reach[] {
  return showings({ valueClass, at, also }).map((showing) => ({
    in: 'body',
    name: fieldName(showing.at),
    class: showing.valueClass,
  }));
}

/** What a value of a parameter covers, at any place in the parameter. */
export function reachedInParameter(
  { name, in: location }: { readonly name: string; readonly in: Reach['in'] },
  { valueClass, at, also }: Labelled,
): Reach[] {
  return showings({ valueClass, at, also }).map((showing) => ({
    in: location,
    name,
    class: showing.valueClass,
  }));
}

function showings({
  valueClass,
  at,
  also = [],
}: Labelled): Pick<ValueLabel, 'valueClass' | 'at'>[] {
  return [{ valueClass, at }, ...also];
}

/** The name of a place in a body in the coverage: `owner.tags[]`; the body itself is `''`. */
function fieldName(at: Pointer): string {
  return splitPointer(at)
    .map((token, index) => (/^\d+$/.test(token) ? '[]' : index === 0 ? token : `.${token}`))
    .join('');
}

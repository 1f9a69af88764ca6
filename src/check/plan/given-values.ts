import type { Contract, Operation, Schema } from '../../contract/model.ts';
import { suggestWord, usage } from '../../errors.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../json/value.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { placeValue } from '../../values/baseline.ts';
import type { DraftBody } from './draft-body.ts';

/**
 * Values that only the user knows. By operation (its id, or `POST /zones`): parameters and members
 * of the body by name, members in the body by JSON Pointer. Or by the pointer of a schema in the
 * document, `#/components/schemas/Zone/properties/kind`: for every use of the schema.
 */
export type GivenValues = Readonly<Record<string, JsonValue>>;

/** A value that matches nothing in the contract: its place in the values, and the problem. */
export interface StrayValue {
  readonly at: readonly string[];
  readonly message: string;
  readonly hint: string | undefined;
}

/**
 * The first value that matches no operation, schema, parameter or member; undefined if all match.
 */
export function findStrayValue(contract: Contract, values: GivenValues): StrayValue | undefined {
  const { operations } = contract;
  const names = operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]);
  for (const [name, given] of Object.entries(values)) {
    if (isPointer(name)) continue;
    const operation = operationNamed(operations, name);
    if (operation === undefined)
      return {
        at: [name],
        message: `There is no operation ${name}.`,
        hint: suggestWord(name, names),
      };
    const known = [
      ...operation.parameters.map((parameter) => parameter.name),
      ...(operation.requestBody?.content ?? []).flatMap(({ schema }) => [
        ...(schema?.flatten().properties.keys() ?? []),
      ]),
    ];
    const stray = Object.keys(objectOf(given)).find(
      (member) => !member.startsWith('/') && known.length > 0 && !known.includes(member),
    );
    if (stray !== undefined)
      return {
        at: [name, stray],
        message: `${name} has no parameter and no member of its body called ${stray}.`,
        hint: suggestWord(stray, known),
      };
  }
  return undefined;
}

/** Throws a VouchError ('usage') if a value matches nothing in the contract. */
export function refuseStrayValues(contract: Contract, values: GivenValues): void {
  const stray = findStrayValue(contract, values);
  if (stray !== undefined) throw usage(stray.message, { hint: stray.hint });
}

function isPointer(name: string): boolean {
  return name.startsWith('#/');
}

function operationNamed(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find(({ id, method, path }) => id === name || `${method} ${path}` === name);
}

/** The given values for the parameters of an operation, by name. */
export function givenArguments(
  { id, method, path, parameters }: Operation,
  values: GivenValues,
): JsonObject {
  const own = ownValues({ id, method, path }, values);
  return Object.fromEntries(
    parameters.flatMap((parameter): [string, JsonValue][] => {
      const given = own[parameter.name] ?? values[`#${parameter.schema.flatten().pointer}`];
      return given === undefined ? [] : [[parameter.name, given]];
    }),
  );
}

function ownValues(
  { id, method, path }: Pick<Operation, 'id' | 'method' | 'path'>,
  values: GivenValues,
): JsonObject {
  const own = [id, `${method} ${path}`].map((name) => values[name]).filter(isJsonObject);
  return Object.assign({}, ...own) as JsonObject;
}

/** A body with the given values of its members; they count as shown by the contract. */
export function withGivenValues(
  body: DraftBody,
  operation: Operation,
  values: GivenValues,
): DraftBody {
  const places = [...bySchema(body.schema, values), ...byName(operation, body, values)];
  if (places.length === 0) return body;
  const value = places.reduce(
    (base, [at, part]) => placeValue({ base, full: base, at }, part),
    body.value,
  );
  return { ...body, value, shown: true };
}

type PlacedValue = readonly [at: Pointer, value: JsonValue];

function byName(operation: Operation, { schema }: DraftBody, values: GivenValues): PlacedValue[] {
  const members = schema?.flatten().properties;
  const parameters = new Set(operation.parameters.map(({ name }) => name));
  return Object.entries(ownValues(operation, values)).flatMap(([name, value]): PlacedValue[] => {
    if (name.startsWith('/')) return [[name, value]];
    const isMember = members?.has(name) === true || !parameters.has(name);
    return isMember ? [[joinPointer('', name), value]] : [];
  });
}

const deepest = 4;

function bySchema(schema: Schema | undefined, values: GivenValues): PlacedValue[] {
  if (schema === undefined || !Object.keys(values).some(isPointer)) return [];
  const found: PlacedValue[] = [];
  const visit = (part: Schema, at: Pointer, depth: number): void => {
    const flat = part.flatten();
    const given = values[`#${part.pointer}`] ?? values[`#${flat.pointer}`];
    if (given !== undefined && at !== '') found.push([at, given]);
    else if (depth < deepest)
      for (const [name, place] of flat.properties)
        visit(part.part(place), joinPointer(at, name), depth + 1);
  };
  visit(schema, '', 0);
  return found;
}

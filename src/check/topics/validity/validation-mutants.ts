import type { Contract, Operation, Schema } from '../../../contract/model.ts';
import type { SchemaObject } from '../../../contract/model/schema.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { editContract, isWritten, type Edit } from '../../mutants/edit-service.ts';

const maxOfKind = 3;
const deepest = 3;

/** The place of a request schema: of a parameter, or of a member of the body. */
interface InputPlace {
  readonly operation: Operation;
  /** The name in messages: `limit`, `the body's name`. */
  readonly name: string;
  readonly where: 'parameter' | 'body';
  readonly schema: Schema;
  readonly node: SchemaObject;
  readonly pointer: Pointer;
}

/** How a laxer or stricter service changes one rule. Undefined if the schema has no such rule. */
interface RuleEdit {
  readonly id: string;
  readonly rule: string;
  readonly where: 'parameter' | 'body';
  words(name: string): string;
  edits(place: InputPlace): readonly Edit[] | undefined;
}

const keyword =
  (name: string) =>
  ({ node, pointer }: InputPlace): readonly Edit[] | undefined =>
    node[name] === undefined ? undefined : [{ at: joinPointer(pointer, name), value: undefined }];

const dropped: readonly (readonly [keyword: string, what: string])[] = [
  ['enum', 'a value that is not in the enum'],
  ['minimum', 'a number below the minimum'],
  ['maximum', 'a number above the maximum'],
  ['minLength', 'a text that is too short'],
  ['maxLength', 'a text that is too long'],
  ['pattern', 'a text that breaks its pattern'],
  ['format', 'a text or number that is not of its format'],
  ['multipleOf', 'a number that is no multiple'],
  ['minItems', 'a list that is too short'],
  ['maxItems', 'a list that is too long'],
  ['uniqueItems', 'a list that holds an item twice'],
  ['additionalProperties', 'a field that is forbidden'],
];

const looser: readonly RuleEdit[] = (['parameter', 'body'] as const).flatMap((where) => [
  ...dropped.map(([name, what]): RuleEdit => ({
    id: `accepts-${kebab(name)}-of-${where}`,
    rule: `${where === 'body' ? 'A body' : 'A parameter'} may have ${what}.`,
    where,
    words: (subject) => `accepts ${what} for ${subject}`,
    edits: keyword(name),
  })),
  {
    id: `accepts-type-of-${where}`,
    rule: `${where === 'body' ? 'A body' : 'A parameter'} may have a value of another type.`,
    where,
    words: (subject: string) => `accepts any type for ${subject}`,
    edits: ({ node, pointer }: InputPlace) =>
      node.type === undefined ||
      node.enum !== undefined ||
      (where === 'parameter' && takesText(node))
        ? undefined
        : openType(node, pointer),
  },
]);

/** Parameters are sent as text: one that accepts any text has no invalid type. */
function takesText({ type }: SchemaObject): boolean {
  return [type].flat().includes('string');
}

/** Removes the type and every keyword that depends on it. */
function openType(node: SchemaObject, pointer: Pointer): Edit[] {
  return ['type', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern']
    .filter((name) => node[name] !== undefined)
    .map((name) => ({ at: joinPointer(pointer, name), value: undefined }));
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const stricter: readonly RuleEdit[] = (['parameter', 'body'] as const).flatMap(
  (where): RuleEdit[] => [
    {
      id: `refuses-enum-value-of-${where}`,
      rule: 'A value of the enum is refused.',
      where,
      words: (name) => `refuses a value of the enum of ${name}`,
      edits: ({ node, pointer }) =>
        node.enum !== undefined && node.enum.length > 1
          ? [{ at: joinPointer(pointer, 'enum'), value: node.enum.slice(0, -1) }]
          : undefined,
    },
    {
      id: `refuses-maximum-of-${where}`,
      rule: 'The largest allowed number is refused.',
      where,
      words: (name) => `refuses the maximum of ${name}`,
      edits: ({ node, pointer }) =>
        typeof node.maximum === 'number'
          ? [{ at: joinPointer(pointer, 'maximum'), value: node.maximum - 1 }]
          : undefined,
    },
    {
      id: `refuses-minimum-of-${where}`,
      rule: 'The smallest allowed number is refused.',
      where,
      words: (name) => `refuses the minimum of ${name}`,
      edits: ({ node, pointer }) =>
        typeof node.minimum === 'number'
          ? [{ at: joinPointer(pointer, 'minimum'), value: node.minimum + 1 }]
          : undefined,
    },
    {
      id: `refuses-longest-of-${where}`,
      rule: 'The longest allowed text is refused.',
      where,
      words: (name) => `refuses the longest ${name}`,
      edits: ({ node, pointer }) =>
        node.maxLength !== undefined && node.maxLength > 1 && node.maxLength < 5_000
          ? [{ at: joinPointer(pointer, 'maxLength'), value: node.maxLength - 1 }]
          : undefined,
    },
  ],
);

/** Mutations of validation: the service follows a changed contract. */
export const validationMutators: readonly Mutator[] = [
  ...[...looser, ...stricter].map((edit): Mutator => ({
    ...(edit.id === 'accepts-additional-properties-of-parameter'
      ? { killedBy: 'warning' as const }
      : {}),
    id: edit.id,
    family: 'validation',
    rule: edit.rule,
    find: (contract) =>
      plantRules(
        contract,
        inputs(contract).filter(({ where }) => where === edit.where),
        { id: edit.id, words: edit.words, edits: edit.edits },
      ),
  })),
  {
    id: 'accepts-missing-parameter',
    family: 'validation',
    rule: 'A required parameter may be missing.',
    find: (contract) =>
      plantAll(
        contract,
        requiredParameters(contract).map(({ operation, name, pointer }) => ({
          id: 'accepts-missing-parameter',
          operation,
          title: `${operation.id} does not require ${name}`,
          edits: [{ at: joinPointer(pointer, 'required'), value: false }],
        })),
      ),
  },
  {
    id: 'accepts-missing-field',
    family: 'validation',
    rule: 'A required field of a body may be missing.',
    find: (contract) =>
      plantAll(
        contract,
        requiredFields(contract).map(({ operation, name, at, names }) => ({
          id: 'accepts-missing-field',
          operation,
          title: `${operation.id} does not require ${name}`,
          edits: [{ at, value: names.filter((other) => other !== name) }],
        })),
      ),
  },
  {
    id: 'accepts-missing-body',
    family: 'validation',
    rule: 'A required body may be missing.',
    find: (contract) =>
      plantAll(
        contract,
        contract.operations
          .filter(({ requestBody }) => requestBody?.required === true)
          .map((operation) => ({
            id: 'accepts-missing-body',
            operation,
            title: `${operation.id} does not require a body`,
            edits: [
              { at: joinPointer(operation.requestBody?.pointer ?? '', 'required'), value: false },
            ],
          })),
      ),
  },
  {
    id: 'asks-for-optional-field',
    family: 'validation',
    rule: 'An optional field of a body is required.',
    find: (contract) =>
      plantAll(
        contract,
        optionalFields(contract).map(({ operation, name, at, names }) => ({
          id: 'asks-for-optional-field',
          operation,
          title: `${operation.id} requires the optional ${name}`,
          edits: [{ at, value: [...names, name] }],
        })),
      ),
  },
];

/** The places of request schemas that are written in this document. */
function inputs(contract: Contract): InputPlace[] {
  return contract.operations.flatMap((operation) => [
    ...operation.parameters
      .filter(({ in: place }) => place === 'query' || place === 'header')
      .map((parameter) => toPlace(operation, parameter.name, 'parameter', parameter.schema)),
    ...bodySchemas(operation).flatMap((schema) => membersOf(operation, schema, 'the body', 0)),
  ]);
}

function bodySchemas({ requestBody }: Operation): Schema[] {
  return (requestBody?.content ?? [])
    .filter(({ mediaType }) => isJsonMediaType(mediaType))
    .flatMap(({ schema }) => schema ?? [])
    .slice(0, 1);
}

function toPlace(
  operation: Operation,
  name: string,
  where: InputPlace['where'],
  schema: Schema,
): InputPlace {
  const { node, pointer } = schema.flatten();
  return { operation, name, where, schema, node, pointer };
}

function membersOf(
  operation: Operation,
  schema: Schema,
  name: string,
  depth: number,
): InputPlace[] {
  const flat = schema.flatten();
  const own = toPlace(operation, name, 'body', schema);
  if (depth >= deepest) return [own];
  const members = [...flat.properties].flatMap(([member, located]) =>
    membersOf(
      operation,
      schema.part(located),
      depth === 0 ? member : `${name}.${member}`,
      depth + 1,
    ),
  );
  const items =
    flat.node.items === undefined
      ? []
      : membersOf(
          operation,
          schema.part({ node: flat.node.items, pointer: joinPointer(flat.pointer, 'items') }),
          `${name}[]`,
          depth + 1,
        );
  return [own, ...members, ...items];
}

function requiredParameters({ operations }: Contract): {
  readonly operation: Operation;
  readonly name: string;
  readonly pointer: Pointer;
}[] {
  return operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.required && parameter.in !== 'path')
      .map(({ name, pointer }) => ({ operation, name, pointer })),
  );
}

interface NamedField {
  readonly operation: Operation;
  readonly name: string;
  /** The pointer of the list of required names. */
  readonly at: Pointer;
  readonly names: readonly string[];
}

function fieldLists(
  contract: Contract,
): (Omit<NamedField, 'name'> & { readonly properties: readonly string[] })[] {
  return contract.operations.flatMap((operation) =>
    bodySchemas(operation).flatMap((schema) => {
      const { node, pointer, properties } = schema.flatten();
      return [
        {
          operation,
          at: joinPointer(pointer, 'required'),
          names: node.required ?? [],
          properties: [...properties.keys()],
        },
      ];
    }),
  );
}

function requiredFields(contract: Contract): NamedField[] {
  return fieldLists(contract).flatMap(({ operation, at, names }) =>
    names.map((name) => ({ operation, name, at, names })),
  );
}

function optionalFields(contract: Contract): NamedField[] {
  return fieldLists(contract).flatMap(({ operation, at, names, properties }) =>
    properties
      .filter((name) => !names.includes(name))
      .map((name) => ({ operation, name, at, names })),
  );
}

interface Planting {
  readonly id: string;
  readonly operation: Operation;
  readonly title: string;
  readonly edits: readonly Edit[];
  readonly killedBy?: 'warning';
}

function plantRules(
  contract: Contract,
  places: readonly InputPlace[],
  { id, words, edits }: Pick<RuleEdit, 'id' | 'words' | 'edits'>,
): Promise<Mutation[]> {
  return plantAll(
    contract,
    places.flatMap((place) => {
      const wanted = edits(place);
      return wanted === undefined
        ? []
        : [
            {
              id,
              operation: place.operation,
              title: `${place.operation.id} ${words(place.name)}`,
              edits: wanted,
              ...(isWidth(id, place) ? { killedBy: 'warning' as const } : {}),
            },
          ];
    }),
  );
}

/** Whether the mutation accepts integers beyond the format, as services with wider integers do. */
function isWidth(id: string, { node: { format } }: InputPlace): boolean {
  return id.startsWith('accepts-format-of-') && (format === 'int32' || format === 'int64');
}

async function plantAll(contract: Contract, plantings: readonly Planting[]): Promise<Mutation[]> {
  const possible = plantings.filter(({ edits }) =>
    edits.every(({ at, value }) => isWritten(contract.document, at, value)),
  );
  return Promise.all(
    possible.slice(0, maxOfKind).map(async ({ id, operation, title, edits, killedBy }) => ({
      mutator: id,
      title,
      operation: operation.id,
      killedBy,
      contract: await editContract(contract, edits),
    })),
  );
}

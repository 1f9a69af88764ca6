import type { Contract, Operation, Schema } from '../../../contract/model.ts';
import { isNeeded } from '../../../contract/model/operation.ts';
import type { SchemaObject } from '../../../contract/model/schema.ts';
import { maskParameter } from '../../../contract/protocols/update-mask.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { defined } from '../../../json/value.ts';
import { editContract, isWritten, type Edit } from '../../mutants/edit-service.ts';
import { maxOfKind, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { sendableMembers } from '../../mutants/places.ts';

const deepest = 3;
const sides = ['parameter', 'body'] as const;
const subjects = { parameter: 'A parameter', body: 'A body' };

/** The place of a request schema: of a parameter, or of a member of the body. */
interface InputPlace extends Place {
  /** The name in messages: `limit`, `the body's name`. */
  readonly name: string;
  readonly node: SchemaObject;
  readonly pointer: Pointer;
  /** Whether it is sent as text, and not as JSON. */
  readonly isText?: boolean;
}

/** A laxer or stricter service, which follows a changed contract. */
interface ContractKind<At extends Place> {
  readonly rule: string;
  readonly killedBy?: Mutator['killedBy'];
  readonly where: (contract: Contract) => readonly At[];
  /** What the operation does, after its id. */
  readonly says: (place: At) => string;
  /** Undefined if the place has nothing to change. */
  readonly edits: (place: At) => readonly Edit[] | undefined;
  /** Whether a check can only warn of it at this place. */
  readonly warns?: (place: At) => boolean;
}

function mutant<At extends Place>(
  id: string,
  { rule, killedBy, where, says, edits, warns }: ContractKind<At>,
): Mutator {
  return {
    id,
    family: 'validation',
    rule,
    ...defined({ killedBy }),
    find: async (contract) =>
      Promise.all(
        where(contract)
          .flatMap((place) => {
            const expected = edits(place);
            return expected?.every(({ at, value }) => isWritten(contract.document, at, value)) ===
              true
              ? [{ place, expected }]
              : [];
          })
          .slice(0, maxOfKind)
          .map(async ({ place, expected }) => ({
            mutator: id,
            title: `${place.operation.id} ${says(place)}`,
            operation: place.operation.id,
            ...(warns?.(place) === true ? { killedBy: 'warning' as const } : {}),
            contract: await editContract(contract, expected),
          })),
      ),
  };
}

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

const looser: readonly Mutator[] = sides.flatMap((side) => [
  ...dropped.map(([keyword, what]) =>
    mutant(`accepts-${kebab(keyword)}-of-${side}`, {
      rule: `${subjects[side]} may have ${what}.`,
      ...defined({
        killedBy:
          keyword === 'additionalProperties' && side === 'parameter'
            ? ('warning' as const)
            : undefined,
      }),
      where: (contract) => inputs(contract, side),
      says: ({ name }) => `accepts ${what} for ${name}`,
      edits: ({ node, pointer }) =>
        node[keyword] === undefined
          ? undefined
          : [{ at: joinPointer(pointer, keyword), value: undefined }],
      // Many services have wider integers.
      warns: ({ node }) =>
        keyword === 'format' && (node.format === 'int32' || node.format === 'int64'),
    }),
  ),
  mutant(`accepts-type-of-${side}`, {
    rule: `${subjects[side]} may have a value of another type.`,
    where: (contract) => inputs(contract, side),
    says: ({ name }) => `accepts any type for ${name}`,
    edits: (place) =>
      place.node.type === undefined ||
      place.node.enum !== undefined ||
      (side === 'parameter' && takesText(place))
        ? undefined
        : openType(place.node, place.pointer, side),
  }),
]);

/**
 * Parameters are sent as text: one that accepts any text has no invalid type, and every text is a
 * list, of which the items alone may be of another type.
 */
function takesText({ node, isText }: InputPlace): boolean {
  const { type, items } = node;
  const types = [type].flat();
  const isOfTexts =
    typeof items === 'object' &&
    (items.type === undefined || [items.type].flat().includes('string'));
  return types.includes('string') || (isText === true && types.includes('array') && isOfTexts);
}

/** Removes the type and every keyword that depends on it: also what a text is divided into. */
function openType(node: SchemaObject, pointer: Pointer, side: (typeof sides)[number]): Edit[] {
  const parts = side === 'parameter' ? ['items'] : [];
  return ['type', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', ...parts]
    .filter((name) => node[name] !== undefined)
    .map((name) => ({ at: joinPointer(pointer, name), value: undefined }));
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const stricter: readonly Mutator[] = sides.flatMap((side) => {
  const where = (contract: Contract): InputPlace[] => inputs(contract, side);
  return [
    mutant(`refuses-enum-value-of-${side}`, {
      rule: 'A value of the enum is refused.',
      where,
      says: ({ name }) => `refuses a value of the enum of ${name}`,
      edits: ({ node, pointer }) =>
        node.enum !== undefined && node.enum.length > 1
          ? [{ at: joinPointer(pointer, 'enum'), value: node.enum.slice(0, -1) }]
          : undefined,
    }),
    mutant(`refuses-maximum-of-${side}`, {
      rule: 'The largest allowed number is refused.',
      where,
      says: ({ name }) => `refuses the maximum of ${name}`,
      edits: ({ node: { maximum }, pointer }) =>
        typeof maximum === 'number'
          ? [{ at: joinPointer(pointer, 'maximum'), value: maximum - 1 }]
          : undefined,
    }),
    mutant(`refuses-minimum-of-${side}`, {
      rule: 'The smallest allowed number is refused.',
      where,
      says: ({ name }) => `refuses the minimum of ${name}`,
      edits: ({ node: { minimum }, pointer }) =>
        typeof minimum === 'number'
          ? [{ at: joinPointer(pointer, 'minimum'), value: minimum + 1 }]
          : undefined,
    }),
    mutant(`refuses-longest-of-${side}`, {
      rule: 'The longest allowed text is refused.',
      where,
      says: ({ name }) => `refuses the longest ${name}`,
      edits: ({ node: { maxLength }, pointer }) =>
        maxLength !== undefined && maxLength > 1 && maxLength < 5_000
          ? [{ at: joinPointer(pointer, 'maxLength'), value: maxLength - 1 }]
          : undefined,
    }),
  ];
});

/** Mutations of validation: the service follows a changed contract. */
export const validationMutators: readonly Mutator[] = [
  ...looser,
  ...stricter,
  mutant('accepts-missing-parameter', {
    rule: 'A required parameter may be missing.',
    where: ({ operations }) =>
      operations.flatMap((operation) =>
        operation.parameters
          .filter(isNeeded)
          .map(({ name, pointer }) => ({ operation, name, pointer })),
      ),
    says: ({ name }) => `does not require ${name}`,
    edits: ({ pointer }) => [{ at: joinPointer(pointer, 'required'), value: false }],
  }),
  mutant('accepts-missing-field', {
    rule: 'A required field of a body may be missing.',
    where: (contract) => fields(contract, (_properties, required) => required),
    says: ({ name }) => `does not require ${name}`,
    edits: ({ at, name, required }) => [{ at, value: required.filter((other) => other !== name) }],
  }),
  mutant('accepts-missing-body', {
    rule: 'A required body may be missing.',
    where: ({ operations }) =>
      operations.flatMap((operation) =>
        operation.requestBody?.required === true
          ? [{ operation, pointer: operation.requestBody.pointer }]
          : [],
      ),
    says: () => 'does not require a body',
    edits: ({ pointer }) => [{ at: joinPointer(pointer, 'required'), value: false }],
    // Many services read none as an empty one, which names no field to change.
    warns: ({ operation }) => maskParameter(operation) !== undefined,
  }),
  mutant('asks-for-optional-field', {
    rule: 'An optional field of a body is required.',
    where: (contract) =>
      fields(contract, (properties, required) =>
        properties.filter((name) => !required.includes(name)),
      ),
    says: ({ name }) => `requires the optional ${name}`,
    edits: ({ at, name, required }) => [{ at, value: [...required, name] }],
  }),
];

/** The places of request schemas that are written in this document. */
function inputs({ operations }: Contract, side: (typeof sides)[number]): InputPlace[] {
  return operations.flatMap((operation) =>
    side === 'body'
      ? bodySchemas(operation).flatMap((schema) => membersOf(operation, schema, 'the body', 0))
      : operation.parameters
          .filter(({ in: location }) => location === 'query' || location === 'header')
          .map(({ name, schema, mediaType }) => ({
            ...toPlace(operation, name, schema),
            isText: mediaType === undefined,
          })),
  );
}

function bodySchemas({ requestBody }: Operation): Schema[] {
  return (requestBody?.content ?? [])
    .filter(({ mediaType }) => isJsonMediaType(mediaType))
    .flatMap(({ schema }) => schema ?? [])
    .slice(0, 1);
}

function toPlace(operation: Operation, name: string, schema: Schema): InputPlace {
  const { node, pointer } = schema.flatten();
  return { operation, name, node, pointer };
}

function membersOf(
  operation: Operation,
  schema: Schema,
  name: string,
  depth: number,
): InputPlace[] {
  const flat = schema.flatten();
  const own = toPlace(operation, name, schema);
  if (depth >= deepest) return [own];
  const members = sendableMembers(schema).flatMap(([member, located]) =>
    membersOf(
      operation,
      schema.part(located),
      depth === 0 ? member : `${name}.${member}`,
      depth + 1,
    ),
  );
  const items =
    flat.items === undefined
      ? []
      : membersOf(operation, schema.part(flat.items), `${name}[]`, depth + 1);
  return [own, ...members, ...items];
}

interface BodyField extends Place {
  readonly name: string;
  /** The pointer of the list of required names. */
  readonly at: Pointer;
  readonly required: readonly string[];
}

/** Those fields of the request bodies that `choose` returns. */
function fields(
  { operations }: Contract,
  choose: (properties: readonly string[], required: readonly string[]) => readonly string[],
): BodyField[] {
  return operations.flatMap((operation) =>
    bodySchemas(operation).flatMap((schema) => {
      const { node, pointer } = schema.flatten();
      const { required = [] } = node;
      const at = joinPointer(pointer, 'required');
      // A member with a default may be absent, whether it is required or not.
      const names = sendableMembers(schema)
        .filter(([, own]) => schema.flatten(own).node.default === undefined)
        .map(([name]) => name);
      return choose(names, required)
        .filter((name) => names.includes(name))
        .map((name) => ({ operation, name, at, required }));
    }),
  );
}

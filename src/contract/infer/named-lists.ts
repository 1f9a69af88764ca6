import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { remember } from '../../remember.ts';
import type { Contract, Operation, Resource, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { doneCode } from '../words/error-codes.ts';
import { beginsWithCaller, joinsTo } from '../words/read-named-lists.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { lastWord, pathKey } from './conventions/path-styles.ts';
import { actionOfWord } from './conventions/verb-styles.ts';
import { singularOf } from './infer-names.ts';
import { isList } from './record-fields.ts';
import { resourceIdentifiedBy } from './shared-identifiers.ts';

/** A list below a record that names records of another kind, such as who takes part. */
export interface NamedList {
  readonly whole: Resource;
  readonly target: Resource;
  /** The operation that shows it, and where. */
  readonly read: Operation;
  readonly items: Pointer;
  /** What it lists, in the singular. */
  readonly noun: string;
  /** The operations that add to it, each with the member that names what is added. */
  readonly adds: readonly { readonly operation: Operation; readonly member: string }[];
  /** Whether it has the caller from the start, as the create says. */
  readonly beginsWithCaller: boolean;
}

const known = new WeakMap<object, readonly NamedList[]>();

/** The lists of a contract that name other records, and to which operations add. */
export function namedListsOf(
  contract: Pick<Contract, 'operations' | 'resources' | 'inference'>,
): readonly NamedList[] {
  return remember(known, contract, () =>
    contract.operations.flatMap((operation) => readNamedList(contract, operation)),
  );
}

function readNamedList(
  { operations, resources, inference }: Pick<Contract, 'operations' | 'resources' | 'inference'>,
  read: Operation,
): NamedList[] {
  const [, above, word] = /^(.*\/\{[^{}/]+\})\/([^{}/]+)$/.exec(read.path) ?? [];
  if (read.method !== 'GET' || above === undefined || word === undefined) return [];
  if (inference.placementOf(read) !== undefined) return [];
  const whole = resources.find(
    ({ kind, itemPath }) =>
      kind === 'collection' && itemPath !== undefined && pathKey(itemPath) === pathKey(above),
  );
  const schema = successSchema(read);
  const shown = schema === undefined ? [] : namesIn(schema, resources);
  const [only, ...others] = shown;
  if (whole === undefined || only === undefined || others.length > 0) return [];
  const noun = singularOf(word);
  const adds = operations.flatMap((operation) => {
    const isBelow = pathKey(operation.path.replace(/\/[^/]*$/, '')) === pathKey(above);
    const member = isBelow ? addedBy(operation, only.target, { noun, resources }) : undefined;
    return member === undefined ? [] : [{ operation, member }];
  });
  const { create } = whole.operations;
  const begins = create !== undefined && beginsWithCaller(create, noun);
  if (adds.length === 0) return [];
  return [{ whole, read, noun, adds, beginsWithCaller: begins, ...only }];
}

/** The lists in an answer whose items identify records. */
function namesIn(
  schema: Schema,
  resources: readonly Resource[],
): { readonly items: Pointer; readonly target: Resource }[] {
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const flat = schema.flatten(place);
    if (!isList(flat) || flat.items === undefined) return [];
    const target = resourceIdentifiedBy(schema, flat.items, resources);
    return target === undefined ? [] : [{ items: joinPointer('', name), target }];
  });
}

/** The member of a body that names what an operation adds: by its name, or by its schema. */
function addedBy(
  operation: Operation,
  target: Resource,
  { noun, resources }: { readonly noun: string; readonly resources: readonly Resource[] },
): string | undefined {
  const schema = operation.method === 'POST' ? bodySchema(operation) : undefined;
  if (schema === undefined || actionOfWord(lastWord(operation.path)) === 'delete') return undefined;
  if (doneCode(operation) === undefined && !joinsTo(operation, noun)) return undefined;
  const called = singularOf(lastWord(target.collectionPath));
  return [...schema.flatten().properties].find(
    ([name, place]) =>
      singularOf(name.replace(/_?ids?$/i, '')) === called ||
      resourceIdentifiedBy(schema, place, resources) === target,
  )?.[0];
}

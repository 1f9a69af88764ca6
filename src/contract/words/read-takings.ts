import { addressReferences } from '../infer/address-references.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { Contract, RecordAction, Resource } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { undoes } from './effect-words.ts';
import { tellsOf } from './mentions.ts';

/**
 * What an action takes from a number of other records, such as the stock of products, and the
 * action that undoes it gives back. Both name that number in their descriptions.
 */
export interface Taking extends Held {
  /** The number from which it is taken. */
  readonly field: string;
  readonly take: RecordAction;
  readonly undo: RecordAction;
}

/** How a part of a record, such as the line of an order, asks for some of another record. */
interface Held {
  readonly part: Resource;
  /** The member that names the other record, and that which says how much of it. */
  readonly member: string;
  readonly amount: string;
  readonly target: Resource;
}

/** What the actions on the records of a resource take and give back: the first of each part. */
export function takingsOf(
  { collection }: Pick<Resource, 'collection'>,
  { resources, inference }: Pick<Contract, 'resources' | 'inference'>,
): Taking[] {
  const acts = inference.actions.filter(
    ({ resource, sets }) => resource.collection === collection && sets !== undefined,
  );
  const undo = acts.find(({ operation }) => undoes(operation));
  if (undo === undefined) return [];
  return resources
    .filter(({ parents }) => parents.at(-1)?.resource?.collection === collection)
    .flatMap((part) => {
      const held = heldBy(part, resources);
      const takings = acts.flatMap((take) => {
        const field = undoes(take.operation) ? undefined : toldNumber(held, [take, undo]);
        return held === undefined || field === undefined ? [] : [{ ...held, field, take, undo }];
      });
      return takings.slice(0, 1);
    });
}

function heldBy(part: Resource, resources: readonly Resource[]): Held | undefined {
  const { create } = part.operations;
  const schema = create && bodySchema(create);
  if (create === undefined || schema === undefined) return undefined;
  const members = [...schema.flatten().properties].map(([name, place]) => ({
    name,
    ...schema.flatten(place),
  }));
  const keys = part.foreignKeys.filter(({ many }) => !many);
  const references = [...keys, ...addressReferences(create, resources)];
  const named = members.flatMap(({ name }) => {
    const target = references.find(({ field }) => field === name)?.resource;
    return target?.operations.read === undefined ? [] : [{ member: name, target }];
  });
  const counted = members.filter(
    ({ types, node }) => types.join() === 'integer' && node.readOnly !== true,
  );
  const [[found], [amount]] = [named, counted];
  if (found === undefined || amount === undefined) return undefined;
  return named.length > 1 || counted.length > 1
    ? undefined
    : { part, ...found, amount: amount.name };
}

/** The whole number of the other record that all of these actions name. */
function toldNumber(held: Held | undefined, actions: readonly RecordAction[]): string | undefined {
  return (
    held &&
    recordFields(held.target.record)
      .filter(({ many, types, name }) => !many && !name.includes('.') && types.join() === 'integer')
      .map(({ name }) => name)
      .find((name) => actions.every(({ operation }) => tellsOf(operation, name)))
  );
}

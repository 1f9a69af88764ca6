import { saysCreate } from '../../words/effect-words.ts';
import { factIn, operationTexts } from '../../words/facts.ts';
import { type Operation, bodySchema } from '../../model/operation.ts';
import type { Schema } from '../../model/schema.ts';
import { objectMembers } from '../../schema/object-members.ts';
import { isSameSchema } from '../record-fields.ts';
import type { Convention } from './path-styles.ts';
import { findRecord, isAnyObject, recordPlace, successSchema } from './envelope-styles.ts';

/** The known facts about a group of operations when its creates are identified. */
export interface CreationSource {
  /** The record that a list or a read shows; undefined if the contract has neither. */
  readonly record: Schema | undefined;
  /** The last word of the collection's path. */
  readonly word: string;
  /** Whether the contract has paths of items. */
  readonly hasItems: boolean;
}

/** A way in which an operation on a collection's path creates one record. */
export interface CreationStyle extends Convention {
  /** Whether an operation creates a record; it takes a body unless the style states otherwise. */
  makes(operation: Operation, known: CreationSource): boolean;
}

/** How a POST on a collection is recognised as a create. */
export const creationStyles: readonly CreationStyle[] = [
  {
    id: 'creation.answers-record',
    reason: 'It takes a body and returns an object: the created record.',
    examples: ['POST /things { … } → 201 { "id": 5, … }'],
    makes: (operation) =>
      operation.requestBody !== undefined && recordPlace(operation) !== undefined,
  },
  {
    id: 'creation.answers-list-of-one',
    reason: 'It takes a body and returns a list with the created record.',
    examples: ['POST /things { … } → 200 [{ "id": 5, … }]'],
    makes: (operation, { record }) =>
      operation.requestBody !== undefined &&
      record !== undefined &&
      recordPlace(operation, record) !== undefined,
  },
  {
    id: 'creation.without-answer',
    reason: 'It takes a record and returns no body: the header Location identifies it.',
    examples: ['POST /things { … } → 201 Location: /things/5'],
    makes: (operation, { record, word, hasItems }) =>
      successSchema(operation) === undefined &&
      record !== undefined &&
      (takesRecord(operation, record) ||
        (documents(operation, '201') &&
          sharedNames(operation, record, word) >= (hasItems ? 0.5 : 1))),
  },
  {
    id: 'creation.empty',
    reason:
      'It takes no body and answers the record, with 201 or under a name that says that it ' +
      'creates: POST /carts is an empty cart.',
    examples: ['POST /carts → 201 { "id": 5, … }', 'POST /carts (createCart) → 200 { "id": 5 }'],
    makes(operation, { record }) {
      const shown = recordPlace(operation, record)?.schema;
      return (
        operation.requestBody === undefined &&
        record !== undefined &&
        (documents(operation, '201') || saysCreate(operation)) &&
        shown !== undefined &&
        isSameSchema(shown, record)
      );
    },
  },
  {
    id: 'creation.free-form',
    reason: 'It takes an object of any members, and items below its path are such objects.',
    examples: ['POST /docs { … } → 201 { … }, GET /docs/{documentId} → 200 { … }'],
    makes(operation, { record, hasItems }) {
      const taken = bodySchema(operation);
      return (
        record !== undefined &&
        hasItems &&
        isAnyObject(record) &&
        taken !== undefined &&
        isAnyObject(taken)
      );
    },
  },
  {
    id: 'creation.by-word',
    reason:
      'It takes an object, its name says that it creates, and there are items below its path.',
    examples: ['POST /things (createThing) → 200 "ok"', 'POST /things → 200 { "success": true }'],
    makes: (operation, { record, hasItems, word }) =>
      operation.requestBody !== undefined &&
      record !== undefined &&
      hasItems &&
      (saysCreate(operation) || sharedNames(operation, record, word) >= 0.5),
  },
];

function documents({ responses }: Operation, status: string): boolean {
  return responses.some((response) => response.status === status);
}

/** Whether the schema of a body describes a record. */
export function takesRecord({ requestBody }: Operation, record: Schema): boolean {
  return (
    requestBody?.content.some(
      ({ schema }) => schema !== undefined && isSameSchema(schema, record),
    ) === true
  );
}

/** The share of a body's members that records have too: from 0 to 1. */
function sharedNames(operation: Operation, record: Schema, word: string): number {
  const schema = bodySchema(operation);
  if (schema === undefined) return 0;
  const body = findRecord(schema, { word, known: record })?.schema ?? schema;
  const known = objectMembers(record).properties;
  const names = [...objectMembers(body).properties.keys()];
  const shared = names.filter((name) => known.has(name)).length;
  if (names.length > 0) return shared / names.length;
  return isAnyObject(body) && known.size === 0 ? 1 : 0;
}

/** A way in which a request creates a record under a name that the client chooses. */
export interface NamingStyle extends Convention {
  /** Whether an operation on an item's path creates a record of that name. */
  makes(operation: Operation, known: NamingSource): boolean;
}

/** The other operations that create and show the records of a group. */
export interface NamingSource {
  /** The methods on an item's path. */
  readonly methods: readonly string[];
  /** Whether another operation creates records. */
  readonly hasCreate: boolean;
}

/** How a request on an item's path creates a record. */
export const namingStyles: readonly NamingStyle[] = [
  {
    id: 'creation.put-by-name',
    reason: 'PUT puts a record at its path (RFC 9110, section 9.3.4), and nothing else makes one.',
    examples: ['PUT /buckets/{name} → 201', 'PUT /keys/{key} where no POST adds keys'],
    makes: (operation, { hasCreate }) =>
      operation.method === 'PUT' &&
      (documents(operation, '201') ||
        factIn(operationTexts(operation), 'makes-or-changes') !== undefined ||
        (!hasCreate && !documents(operation, '404'))),
  },
  {
    id: 'creation.patch-by-name',
    reason: 'PATCH returns 201 if it creates the record (RFC 5789, section 2).',
    examples: ['PATCH /categories/{code} → 201'],
    makes: (operation) => operation.method === 'PATCH' && documents(operation, '201'),
  },
  {
    id: 'creation.post-by-name',
    reason:
      'POST on the path of an item makes it, and PUT changes it, where nothing else makes one.',
    examples: ['POST /queues/{name} → 201', 'POST /baskets/{name} (createBasket)'],
    makes: (operation, { hasCreate, methods }) =>
      operation.method === 'POST' &&
      !hasCreate &&
      (documents(operation, '201') || saysCreate(operation) || methods.includes('PUT')),
  },
];

import { describe, expect, test } from 'vitest';
import { VouchError } from '../../../src/errors.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { readSnapshot } from '../../../src/mock/control/snapshot.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        responses: { 200: { description: 'all', ...jsonContent({ type: 'array', items: thing }) } },
      },
    },
    '/things/{thingId}': {
      parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: 'one', ...jsonContent(thing) } } },
    },
  },
});

/** A snapshot of one session. */
function sessionOf(dump: JsonValue, session = 'default'): JsonValue {
  return { version: 1, sessions: { [session]: dump } };
}

function thingsOf(...records: JsonValue[]): JsonValue {
  return sessionOf({ collections: { things: { records, greatest: '1' } } });
}

const one = { id: '1', record: { id: 1, name: 'a' } };

/** The message and the hint with which a document is refused. */
function refusalOf(value: JsonValue): string {
  try {
    readSnapshot(value, contract);
  } catch (error) {
    if (error instanceof VouchError) return [error.message, error.hint ?? []].flat().join(' ');
    throw error;
  }
  return 'nothing';
}

describe('a document is read as a snapshot', () => {
  test('with every record, and sessions of scenarios', () => {
    expect(readSnapshot(thingsOf(one), contract)).toEqual(thingsOf(one));
    expect(readSnapshot(sessionOf({ collections: {} }, 'a+shop'), contract)).toEqual(
      sessionOf({ collections: {} }, 'a+shop'),
    );
  });

  test.each<[string, JsonValue, string]>([
    ['a list', [], 'The snapshot must be an object.'],
    ['another version', { version: 2, sessions: {} }, 'The snapshot must have the version 1.'],
    [
      'a member that is misspelt',
      { version: 1, session: {} },
      'The snapshot has the member session, which means nothing here. Did you mean sessions?',
    ],
    [
      'a member of an endless name',
      { version: 1, ['x'.repeat(81)]: 1 },
      `The snapshot has the member ${'x'.repeat(80)}, which means nothing ` +
        'here. Choose one of: version, sessions.',
    ],
    ['sessions in a list', { version: 1, sessions: [] }, 'sessions must be an object.'],
    [
      'a session that nobody can name',
      sessionOf({ collections: {} }, 'a b'),
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
    [
      'a scenario without a name',
      sessionOf({ collections: {} }, 'a+'),
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
    ['a session that is none', sessionOf(1), 'The session default must be an object.'],
    ['no collections', sessionOf({}), 'collections of the session default must be an object.'],
    [
      'a resource that is unknown',
      sessionOf({ collections: { thing: {} } }),
      'The contract has no resource thing. Did you mean things?',
    ],
    [
      'a count that is none',
      sessionOf({ collections: { things: { records: [], greatest: '1.5' } } }),
      'greatest of things must be an integer, written as a text.',
    ],
    [
      'records in an object',
      sessionOf({ collections: { things: { records: {}, greatest: '1' } } }),
      'records of things must be a list.',
    ],
    [
      'a record without an id',
      thingsOf({ record: {} }),
      'things[0] must have an id, which is a text, and a record, which is an object.',
    ],
    ['an id that comes twice', thingsOf(one, one), 'Two records of things have the id 1.'],
    [
      'a record that the contract does not allow',
      thingsOf({ id: '1', record: { id: 1 } }),
      'The contract does not allow things[0]: the record must have the property name.',
    ],
    [
      'a field that it does not allow',
      thingsOf({ id: '1', record: { id: 1, name: 1 } }),
      'The contract does not allow things[0]: /name must be a string, but is an integer.',
    ],
  ])('but %s is refused', (_name, value, says) => {
    expect(refusalOf(value)).toBe(says);
  });
});

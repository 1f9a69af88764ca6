import { expect, test } from 'vitest';
import {
  whyNoClass,
  whyNoStatus,
  type Circumstances,
} from '../../../../src/check/engine/coverage/coverage-meter.ts';
import { makeContract } from '../../../contract/make-contract.ts';

const [read, list, change] = makeContract({
  paths: {
    '/things/{id}': { get: { operationId: 'read', responses: {} } },
    '/things': {
      get: { operationId: 'list', responses: {} },
      put: { operationId: 'change', responses: {} },
    },
  },
}).operations;
if (read === undefined || list === undefined || change === undefined)
  throw new Error('the test has no operations');
const plain: Circumstances = { operation: list, succeeded: false, hasToken: true };
const unsent = 'no record is known';

test.each<[string, Partial<Circumstances>, string]>([
  ['200', {}, 'A valid request that the server accepts; see the statuses that it answered with.'],
  ['200', { unsent }, 'Its requests, which were not sent: no record is known.'],
  [
    '201',
    { succeeded: true, unsent },
    'A valid request that the server answers with this status; it answered with another success.',
  ],
  ['503', {}, 'A failure of the server, which vouch does not provoke.'],
  ['304', {}, 'A conditional request; vouch '],
  ['301', {}, 'A reason for the server to send the client elsewhere.'],
  ['default', {}, 'A status that the operation does not name.'],
  ['401', {}, 'A request without a valid credential that the server refuses with this status.'],
  ['401', { hasToken: false }, 'A run that sends wrong credentials to this operation.'],
  [
    '404',
    { operation: read },
    'An identifier that no record has, for which the server returns this status.',
  ],
  ['404', {}, 'Something that the server cannot find; nothing in the request names a record.'],
  ['409', {}, 'A request that conflicts with existing data, such as a name that is taken.'],
  ['418', {}, 'A fault in the request that the server refuses with this status.'],
])('what would reach %s, given %j', (status, more, expected) => {
  expect(whyNoStatus(status, { ...plain, ...more }).startsWith(expected)).toBe(true);
});

test.each<[string, string, Partial<Circumstances>, string]>([
  ['minimum', 'query', { unsent }, 'Its requests, which were not all sent: no record is known.'],
  [
    'known-record',
    'path',
    { operation: read },
    'A record: name one with targets.NAME.examples.read.',
  ],
  [
    'missing-record',
    'path',
    {},
    'An identifier that fits the schema and that no record has; or an operation to which it ' +
      'may be sent.',
  ],
  [
    'minimum',
    'body',
    { operation: change },
    'Mode fuzz, which sends more bodies to operations that change a record.',
  ],
  ['wrong-type', 'query', {}, 'A media type that distinguishes types, as JSON does.'],
  ['null-given', 'query', {}, 'A media type that distinguishes types, as JSON does.'],
  [
    'minimum',
    'query',
    {},
    'Mode fuzz, which sends more values than the bounded plan has room for.',
  ],
])('what would reach the class %s of the %s, given %j', (name, place, more, expected) => {
  expect(whyNoClass(name, place, { ...plain, ...more })).toBe(expected);
});

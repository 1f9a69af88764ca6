import { describe, expect, test } from 'vitest';
import { leadsOn, nextArgument } from '../../../src/check/reading/next-page.ts';
import type { Step } from '../../../src/check/model/step.ts';
import { toStep } from '../../../src/check/traffic/place-traffic.ts';
import type { HeaderList } from '../../../src/http/message.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const query = (
  name: string,
  type: string,
): { name: string; in: string; schema: { type: string } } => ({
  name,
  in: 'query',
  schema: { type },
});
const parameters = [
  query('cursor', 'string'),
  query('page', 'integer'),
  query('starting_after', 'integer'),
];
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters,
        responses: {
          200: {
            description: 'ok',
            ...jsonContent({
              type: 'object',
              properties: { items: { type: 'array', items: thing }, meta: { type: 'object' } },
            }),
          },
        },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok', ...jsonContent(thing) } },
      },
    },
  },
});
const [resource] = contract.resources;
if (resource === undefined) throw new Error('The contract has no resource.');

function step(id: string, body: string, headers: HeaderList = [], status = 200): Step {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`There is no ${id}.`);
  const response = {
    status,
    headers: [['Content-Type', 'application/json'], ...headers] as HeaderList,
    body: new TextEncoder().encode(body),
  };
  const exchange = {
    baseUrl: 'http://host',
    request: { method: 'GET', target: '/things', headers: [], body: new Uint8Array() },
    response,
    durationMs: 1,
  };
  return toStep({ label: 'entry 1', exchange, operation, path: new Map(), bodyRecorded: true });
}

const page = (body: string, headers: HeaderList = []): Step => step('listThings', body, headers);

describe('the next page according to the last one', () => {
  test.each<[string, string, Step, unknown]>([
    [
      'a Link with the relation next',
      'cursor',
      page('{}', [['Link', '</things?cursor=one>; rel="first", </things?cursor=two>; rel="next"']]),
      'two',
    ],
    [
      'one relation of several',
      'cursor',
      page('{}', [['Link', '</things?cursor=two>; rel="last next"']]),
      'two',
    ],
    [
      'no relation that only ends so',
      'cursor',
      page('{}', [['Link', '</things?cursor=two>; rel="nextish"']]),
      undefined,
    ],
    [
      'a number of the next page',
      'page',
      page('{}', [['Link', '<http://host/things?page=2>; rel=next']]),
      2,
    ],
    [
      'no text where a number is wanted and none is given',
      'page',
      page('{}', [['Link', '</things?page=two>; rel=next']]),
      'two',
    ],
    [
      'an object with the address of the page',
      'cursor',
      page('{"paging":{"next":{"after":"1","link":"http://host/things?cursor=two"}}}'),
      'two',
    ],
    ['an object with the cursor', 'cursor', page('{"paging":{"next":{"cursor":"two"}}}'), 'two'],
    [
      'a link without the parameter',
      'cursor',
      page('{}', [['Link', '</things?page=2>; rel=next']]),
      undefined,
    ],
    [
      'a link that is no address',
      'cursor',
      page('{}', [['Link', '<http://[>; rel=next']]),
      undefined,
    ],
    ['a cursor in the body', 'cursor', page('{"next_cursor":"abc"}'), 'abc'],
    [
      'a link by its relation and its URL',
      'cursor',
      page('{"link":[{"relation":"next","url":"http://host/things?cursor=abc"}]}'),
      'abc',
    ],
    [
      'no last record where the list says that there is no next page',
      'starting_after',
      page('{"items":[{"id":3}],"links":{"next":null}}'),
      undefined,
    ],
    [
      'a cursor in a wrapper with a longer name',
      'cursor',
      page('{"response_metadata":{"next_cursor":"abc"}}'),
      'abc',
    ],
    ['a member with a namespace', 'page', page('{"@odata.nextLink":"/things?page=2"}'), 2],
    ['a cursor in a wrapper', 'cursor', page('{"meta":{"cursors":{"after":"abc"}}}'), 'abc'],
    ['no cursor in what is no wrapper', 'cursor', page('{"thing":{"next":"abc"}}'), undefined],
    ['an address in the body', 'cursor', page('{"next":"http://host/things?cursor=abc"}'), 'abc'],
    [
      'an address as HAL writes it',
      'cursor',
      page('{"_links":{"next":{"href":"/things?cursor=abc"}}}'),
      'abc',
    ],
    ['a query alone', 'cursor', page('{"next":"?cursor=abc"}'), 'abc'],
    ['an empty cursor', 'cursor', page('{"next_cursor":"","next":null}'), undefined],
    ['an object for a cursor', 'cursor', page('{"next":{"at":1}}'), undefined],
    ['true for a cursor', 'cursor', page('{"next":true}'), undefined],
    [
      'the last identifier, where no cursor is given',
      'starting_after',
      page('{"items":[{"id":3},{"id":9007199254740993}]}'),
      9007199254740993n,
    ],
    ['no identifier of an empty page', 'starting_after', page('{"items":[]}'), undefined],
    [
      'no identifier for a parameter of another kind',
      'cursor',
      page('{"items":[{"id":3}]}'),
      undefined,
    ],
    ['a parameter that the list has not', 'unknown', page('{"unknown":"x"}'), undefined],
  ])('%s', (_name, parameter, listed, expected) => {
    expect(nextArgument(resource, parameter, [listed])).toEqual(expected);
  });

  test('the last received page counts', () => {
    const [first, second, failed] = [
      page('{"next":"one"}'),
      page('{"next":"two"}'),
      step('listThings', '{"next":"three"}', [], 500),
    ];
    expect(
      nextArgument(resource, 'cursor', [
        first,
        second,
        failed,
        step('getThing', '{"next":"four"}'),
      ]),
    ).toBe('two');
    expect(nextArgument(resource, 'cursor', [])).toBeUndefined();
  });
});

describe('a list has a next page', () => {
  test.each<[string, Step, boolean]>([
    ['by a Link', page('{}', [['Link', '</things?cursor=two>; rel="next"']]), true],
    ['by a cursor', page('{"nextCursor":"x"}'), true],
    ['by a flag', page('{"has_more":true}'), true],
    ['by a flag in a wrapper', page('{"pageInfo":{"hasNextPage":true}}'), true],
    ['not by a flag that is off', page('{"hasMore":false}'), false],
    ['not by a flag of another name', page('{"hasMoreover":true}'), false],
    ['by what is not the last page', page('{"content":[],"last":false}'), true],
    ['not by the last page', page('{"content":[],"last":true}'), false],
    ['not by a list alone', page('[1]'), false],
    ['and what is no list says nothing', step('getThing', '{"next":"x"}'), false],
  ])('%s', (_name, listed, expected) => {
    expect(leadsOn({ contract }, listed)).toBe(expected);
  });
});

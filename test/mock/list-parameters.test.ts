import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { headerValue } from '../../src/http/message.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { linkList } from '../check/fixture/paged.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, fixturesOf, jsonOf, mockOf, send, textOf } from './workshop.ts';

const query = (name: string, schema: string, more = ''): string =>
  `{ name: '${name}', in: query, schema: ${schema}${more} }`;

const trees: Contract = parseContract(
  `
openapi: 3.1.0
info: { title: Trees, version: '1' }
paths:
  /trees:
    get:
      operationId: listTrees
      parameters:
        - ${query('kind', '{ type: string }')}
        - ${query('min_height', '{ type: number }')}
        - ${query('height_lt', '{ type: integer }')}
        - ${query('plantedAfter', '{ type: string, format: date }')}
        - ${query('planted_before', '{ type: string, format: date-time }')}
        - ${query('tag', '{ type: array, items: { type: string } }')}
        - ${query('ids', '{ type: array, items: { type: integer } }', ', explode: false')}
        - ${query('ownerName', '{ type: string }')}
        - ${query(
          'filter',
          `{ type: object, properties: { kind: { type: string },
            sick: { type: boolean } } }`,
          ', style: deepObject',
        )}
        - ${query('q', '{ type: string }')}
        - ${query('sort_by', '{ type: string, enum: [planted, height, owner_name] }')}
        - ${query('order', '{ type: string, enum: [asc, desc] }')}
        - ${query('page', '{ type: integer, minimum: 1 }')}
        - ${query('per_page', '{ type: integer, default: 9 }')}
      responses:
        '200':
          description: Trees
          headers: { Link: { schema: { type: string } }, X-Total-Count: { schema: {
              type: integer } } }
          content: { application/json: { schema: { type: array, items: {
              $ref: '#/components/schemas/Tree' } } } }
components:
  schemas:
    Tree:
      type: object
      required: [id, kind]
      properties:
        id: { type: integer }
        kind: { type: string }
        height: { type: number }
        plantedAt: { type: string, format: date-time }
        tags: { type: array, items: { type: string } }
        sick: { type: boolean }
        owner: { type: object, properties: { name: { type: string } } }
`,
  'trees.yaml',
);

const fixtures = fixturesOf({
  trees: [
    {
      id: 1,
      kind: 'oak',
      height: 20,
      plantedAt: '2001-01-01T00:00:00Z',
      tags: ['old', 'big'],
      sick: true,
      owner: { name: 'Ada' },
    },
    {
      id: 2,
      kind: 'ash',
      height: 7.5,
      plantedAt: '2010-06-01T12:00:00Z',
      tags: ['young'],
      owner: { name: 'Ben' },
    },
    {
      id: 3,
      kind: 'oak',
      height: 12,
      plantedAt: '2005-03-03T00:00:00+02:00',
      tags: [],
      sick: false,
      owner: { name: 'Ada' },
    },
    { id: 4, kind: 'Yew' },
  ],
});

const idsOf = async (target: string): Promise<string> => {
  const body = jsonOf(await send(await mockOf({ contract: trees, fixtures }), `GET ${target}`));
  return (body as readonly JsonObject[]).map(({ id }) => String(id)).join(' ');
};

describe('a list applies its parameters:', () => {
  test.each([
    ['a field', 'kind=oak', '1 3'],
    ['a number that is no smaller', 'min_height=12', '1 3'],
    ['a number that is smaller', 'height_lt=20', '2 3'],
    ['later dates', 'plantedAfter=2005-01-01', '2 3'],
    ['earlier moments, in whatever zone', 'planted_before=2005-03-02T22:00:00.001Z', '1 3'],
    ['one of several in a list', 'tag=young&tag=big', '1 2'],
    ['several by their identifiers', 'ids=4,2', '2 4'],
    ['a field of an object in it', 'ownerName=Ada', '1 3'],
    ['members of one parameter', 'filter%5Bkind%5D=oak&filter%5Bsick%5D=true', '1'],
    ['a word in any text', 'q=aD', '1 3'],
    ['a word in no text', 'q=pine', ''],
    ['an empty search', 'q=', '1 2 3 4'],
    ['an order, by the name that people use', 'sort_by=planted', '1 3 2 4'],
    ['an order downwards, absent ones last', 'sort_by=height&order=desc', '1 3 2 4'],
    ['an order by a field of an object', 'sort_by=owner_name', '1 3 2 4'],
    ['everything at once', 'kind=oak&sort_by=height&per_page=1&page=2', '1'],
  ])('%s (%s)', async (_what, asked, ids) => {
    expect(await idsOf(`/trees?${asked}`)).toBe(ids);
  });

  test('with a reason for each in the explanation of the resource', () => {
    expect(trees.resources[0]?.why.slice(3).join('\n')).toMatchInlineSnapshot(`
      "The query parameter kind filters: a record field has its name and type.
      The query parameter tag filters: it filters the record field tags.
      The query parameter ids filters: it filters the record field id.
      The query parameter ownerName filters: it filters the record field owner.name.
      The query parameter filter[kind] filters: it filters the record field kind.
      The query parameter filter[sick] filters: it filters the record field sick.
      The query parameter min_height filters: the record field height is no less than its
        ↳ value.
      The query parameter height_lt filters: the record field height is less than its
        ↳ value.
      The query parameter plantedAfter filters: the record field plantedAt is more than
        ↳ its value.
      The query parameter planted_before filters: the record field plantedAt is less than
        ↳ its value.
      The query parameter q searches all text fields of a record.
      The query parameter sort_by sorts by the record field that it names, and order gives
        ↳ the direction.
      The query parameter per_page is the page size, 9 by default.
      The query parameter page is the number of the page, counted from 1.
      The header Link points to the other pages (RFC 8288)."
    `);
  });
});

describe('the other pages', () => {
  const host = { headers: [['Host', 'trees.example:8080']] } as const;

  test('are in the header Link, if the contract documents it', async () => {
    const mock = await mockOf({ contract: trees, fixtures });
    const links = async (target: string): Promise<string> =>
      headerValue((await send(mock, `GET ${target}`, host)).headers, 'Link') ?? 'none';
    expect(
      [
        await links('/trees?per_page=1'),
        await links('/trees?kind=oak&page=2&per_page=1'),
        await links('/trees'),
        await links('/trees?per_page=0'),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "<http://trees.example:8080/trees?per_page=1&page=2>; rel="next",
        ↳ <http://trees.example:8080/trees?per_page=1&page=4>; rel="last"
      <http://trees.example:8080/trees?kind=oak&per_page=1&page=1>; rel="prev",
        ↳ <http://trees.example:8080/trees?kind=oak&per_page=1&page=1>; rel="first"
      none
      none"
    `);
  });

  const envelopes: readonly (readonly [what: string, parameter: string, envelope: string])[] = [
    [
      'as links',
      'offset',
      '{ type: object, required: [data, next], properties: { data: { $ref: "#/' +
        'components/schemas/Nuts" }, next: { type: [string, "null"], format: uri ' +
        '}, previous: { type: string, format: uri-reference }, links: { type: ' +
        'object, properties: { first: { type: string, format: uri }, last: { ' +
        'type: string, example: "/nuts?offset=8" } } } } }',
    ],
    [
      'as HAL',
      'page',
      '{ type: object, properties: { _links: { type: object, properties: { ' +
        'self: { $ref: "#/components/schemas/Href" }, next: { $ref: "#/' +
        'components/schemas/Href" }, prev: { $ref: "#/components/schemas/Href" } ' +
        '} }, _embedded: { type: object, properties: { nuts: { $ref: "#/' +
        'components/schemas/Nuts" } } }, page: { type: integer } } }',
    ],
    [
      'two levels deep, by cursor',
      'cursor',
      '{ type: object, required: [data], properties: { data: { type: object, ' +
        'required: [items], properties: { items: { $ref: "#/components/schemas/' +
        'Nuts" }, nextCursor: { type: [string, "null"] } } } } }',
    ],
    [
      'as a map',
      'offset',
      '{ type: object, additionalProperties: { $ref: "#/components/schemas/Nut" } }',
    ],
  ];

  test('are in the envelope: as links, as HAL, two levels deep; and a map has none', async () => {
    const talks = await Promise.all(
      envelopes.map(async ([what, parameter, envelope]) => {
        const contract = parseContract(
          `
openapi: 3.1.0
info: { title: Nuts, version: '1' }
paths:
  /nuts:
    get:
      operationId: listNuts
      parameters: [{ name: ${parameter}, in: query, schema: {
          type: ${parameter === 'cursor' ? 'string' : 'integer'} } }, { name: limit, in: query,
          schema: { type: integer, default: 2 } }]
      responses: { '200': { description: Nuts, content: { application/json: {
          schema: ${envelope} } } } }
components:
  schemas:
    Href: { type: object, properties: { href: { type: string } } }
    Nut: { type: object, required: [id], properties: { id: { type: integer } } }
    Nuts: { type: array, items: { $ref: '#/components/schemas/Nut' } }
`,
          'nuts.yaml',
        );
        const mock = await mockOf({
          contract,
          fixtures: fixturesOf({ nuts: [1, 2, 3].map((id) => ({ id })) }),
        });
        return `${what}\n${await converse(mock, [
          ['GET /nuts', host],
          [`GET /nuts?${parameter}=${parameter === 'cursor' ? 'offset-2' : '2'}`, host],
        ])}`;
      }),
    );
    expect(talks.join('\n')).toMatchInlineSnapshot(`
      "as links
      GET /nuts → 200 {"data":[{"id":1},{"id":2}],
        ↳"next":"http://trees.example:8080/nuts?offset=2",
        ↳"links":{"first":"http://trees.example:8080/nuts?offset=0","last":"/nuts?offset=2"}}
      GET /nuts?offset=2 → 200 {"data":[{"id":3}],"next":null,"previous":"/nuts?offset=0",
        ↳"links":{"first":"http://trees.example:8080/nuts?offset=0","last":"/nuts?offset=2"}}
      as HAL
      GET /nuts → 200 {"_links":{"self":{"href":"http://trees.example:8080/nuts"},
        ↳"next":{"href":"http://trees.example:8080/nuts?page=2"}},
        ↳"_embedded":{"nuts":[{"id":1},{"id":2}]},"page":1}
      GET /nuts?page=2 → 200 {"_links":{"self":{"href":"http://trees.example:8080/nuts?pag
        ↳e=2"},"prev":{"href":"http://trees.example:8080/nuts?page=1"}},
        ↳"_embedded":{"nuts":[{"id":3}]},"page":2}
      two levels deep, by cursor
      GET /nuts → 200 {"data":{"items":[{"id":1},{"id":2}],"nextCursor":"offset-2"}}
      GET /nuts?cursor=offset-2 → 200 {"data":{"items":[{"id":3}],"nextCursor":null}}
      as a map
      GET /nuts → 200 {"1":{"id":1},"2":{"id":2}}
      GET /nuts?offset=2 → 200 {"3":{"id":3}}"
    `);
  });
});

test('an envelope has its required members, except writeOnly ones', async () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Nuts, version: '1' }
paths:
  /nuts: { get: { operationId: listNuts, responses: { '200': { description: Nuts, content: {
      application/json: { schema: { type: object, required: [data, kind, mark], properties: {
      data: { type: array, items: { type: object, properties: { id: { type: integer } } } },
      kind: { const: list }, mark: { const: x, writeOnly: true } } } } } } } } }
`,
    'nuts.yaml',
  );
  expect(
    await converse(await mockOf({ contract, fixtures: fixturesOf({ nuts: [{ id: 1 }] }) }), [
      ['GET /nuts'],
    ]),
  ).toBe('GET /nuts → 200 {"data":[{"id":1}],"kind":"list"}');
});

test('new identifiers have the prefix of the examples', async () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Customers, version: '1' }
paths:
  /customers:
    get: { operationId: list, responses: { '200': { description: Customers, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Customer' } } } } } } }
    post:
      operationId: create
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: Added, content: { application/json: { schema: {
          $ref: '#/components/schemas/Customer' } } } } }
components: { schemas: { Customer: { type: object, required: [id], properties: { id: {
    type: string, readOnly: true, example: cus_9s6XKzkNRiZ8i3 } } } } }
`,
    'customers.yaml',
  );
  expect(
    await converse(await mockOf({ contract }), [
      ['POST /customers', { body: {} }],
      ['POST /customers', { body: {} }],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /customers → 201 {"id":"cus_made1"}
    POST /customers → 201 {"id":"cus_made2"}"
  `);
});

describe('a list applies an expression:', () => {
  const speaking = (name: string, example: string, order = 'sort'): Contract =>
    makeContract({
      paths: {
        '/trees': {
          get: {
            parameters: [
              { name, in: 'query', schema: { type: 'string' }, example },
              {
                name: order,
                in: 'query',
                schema: { type: 'string' },
                example: 'kind,height desc',
              },
            ],
            responses: {
              200: {
                description: 'ok',
                ...jsonContent({
                  type: 'array',
                  items: trees.resources[0]?.record.flatten().node as JsonObject,
                }),
              },
            },
          },
        },
      },
    });
  const aip = speaking('filter', 'kind = "oak"');
  const rsql = speaking('filter', 'kind==oak');
  const odata = speaking('$filter', "kind eq 'oak'");

  test.each<[string, Contract, string, string]>([
    ['equal', aip, 'filter=kind = "oak"', '1 3'],
    ['unequal', aip, 'filter=kind != "oak"', '2 4'],
    ['less', aip, 'filter=height < 12', '2'],
    ['at most', odata, '$filter=height le 12', '2 3'],
    ['both', odata, "$filter=kind eq 'oak' and height gt 12", '1'],
    ['true', odata, '$filter=sick eq true', '1'],
    ['an item of a list', odata, "$filter=tags/any(x:x eq 'young')", '2'],
    ['a later moment', odata, '$filter=plantedAt gt 2005-03-02T22:00:00Z', '2'],
    ['a field of an object', rsql, 'filter=owner.name!=Ada', '2 4'],
    ['what it cannot read selects all', rsql, 'filter=kind=in=(oak)', '1 2 3 4'],
    ['alternatives', rsql, 'filter=kind==oak;height=gt=12,kind==ash', '1 2'],
    ['a part of a text', rsql, 'filter=kind==*s*', '2'],
    ['or before and', aip, 'filter=kind = "oak" AND height = 20 OR height = 7.5', '1'],
    ['not', aip, 'filter=NOT kind = "oak"', '2 4'],
    ['a minus', aip, 'filter=-kind = "oak"', '2 4'],
    ['and before or', odata, "$filter=kind eq 'ash' or kind eq 'oak' and height eq 12", '2 3'],
    ['parentheses', odata, "$filter=(kind eq 'ash' or kind eq 'oak') and height eq 12", '3'],
    ['the beginning of a text', odata, "$filter=startswith(kind,'o')", '1 3'],
    ['the end of a text in its own case', odata, "$filter=endswith(kind,'W')", ''],
    ['no value', odata, '$filter=height eq null', '4'],
    ['any value', odata, '$filter=not (height eq null)', '1 2 3'],
    ['beside an order of two fields', rsql, 'filter=height=gt=1&sort=kind,height desc', '2 1 3'],
  ])('%s (%s)', async (_, contract, asked, ids) => {
    const target = `/trees?${encodeURI(asked).replaceAll('+', '%2B')}`;
    const body = jsonOf(await send(await mockOf({ contract, fixtures }), `GET ${target}`));
    expect((body as readonly JsonObject[]).map(({ id }) => String(id)).join(' ')).toBe(ids);
  });

  test.each<[string, Contract, string]>([
    ['without a syntax', aip, 'filter=((('],
    ['of an unknown field', aip, 'filter=colour = "red"'],
    ['of a number and a word', odata, "$filter=height eq 'tall'"],
    ['of an unknown field', odata, '$filter=colour eq 1'],
  ])('and refuses one %s in %o', async (_, contract, asked) => {
    const reply = await send(
      await mockOf({ contract, fixtures }),
      `GET /trees?${encodeURI(asked)}`,
    );
    expect(reply.status).toBe(400);
  });

  test('and refuses an order of OData by what is no field', async () => {
    const contract = speaking('$filter', "kind eq 'oak'", '$orderby');
    const asked = async (order: string): Promise<number> =>
      (await send(await mockOf({ contract, fixtures }), `GET /trees?$orderby=${order}`)).status;
    expect([await asked('colour'), await asked('kind%20desc')]).toEqual([400, 200]);
  });
});

test.each([
  ['all records of the list', '', '3'],
  ['those that a filter selects', "?$filter=kind%20eq%20'ATLAS'", '1'],
])('the path below a list that answers a number counts %s', async (_, asked, expected) => {
  const books = ['NOVEL', 'ATLAS', 'NOVEL'].map((kind, index) => ({ id: index + 1, kind }));
  const mock = await mockOf({ contract: linkList().contract, fixtures: fixturesOf({ books }) });
  expect(textOf(await send(mock, `GET /books/$count${asked}`))).toBe(expected);
});

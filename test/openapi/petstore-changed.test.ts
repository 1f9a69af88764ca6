import { describe, expect, test } from 'vitest';
import { valueAt, type Pointer } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { differences, document, source } from './bundled.ts';
import { compare, factsOf } from './comparison.ts';
import { statementsOf } from './document-facts.ts';
import { edit, pointersIn } from './edit.ts';
import { readMarkdown } from './markdown.ts';

interface Change {
  readonly what: string;
  readonly at: Pointer;
  /** What is put there; without it, what stands there is taken away. */
  readonly value?: JsonValue;
  readonly missing?: readonly string[];
  readonly unfounded?: readonly string[];
}

const list = '/paths/~1pets/get';
const schemas = '/components/schemas';

const changes: readonly Change[] = [
  {
    what: 'a required field made optional',
    at: `${schemas}/NewPet/required`,
    value: ['name'],
    missing: [
      '25: Pet.categoryId required',
      '35: NewPet.categoryId required',
      '104: NewPet.categoryId required',
    ],
  },
  {
    what: 'an optional field made required',
    at: `${schemas}/Message/required`,
    value: ['id'],
    unfounded: ['Message.id required'],
  },
  {
    what: 'another maximum',
    at: `${list}/parameters/0/schema/maximum`,
    value: 50,
    missing: ['92: GET /pets query limit maximum 100', '179: GET /pets query limit maximum 100'],
    unfounded: ['GET /pets query limit maximum 50'],
  },
  {
    what: 'a bound that the source does not show',
    at: `${schemas}/NewPet/properties/name/minLength`,
    value: 1,
    unfounded: ['Pet.name carries minLength 1', 'NewPet.name carries minLength 1'],
  },
  {
    what: 'a default that the source does not show',
    at: `${schemas}/NewPet/properties/status/default`,
    value: 'available',
    unfounded: [
      'Pet.status carries default "available"',
      'NewPet.status carries default "available"',
    ],
  },
  {
    what: 'another property',
    at: `${schemas}/Error/properties/details`,
    value: { type: 'string' },
    unfounded: ['Error.details', 'Error.details type string'],
  },
  {
    what: 'a closed object',
    at: `${schemas}/Error/additionalProperties`,
    value: false,
    unfounded: ['schema Error carries additionalProperties false'],
  },
  {
    what: 'another state',
    at: `${schemas}/PetStatus/enum/3`,
    value: 'lost',
    unfounded: ['schema PetStatus value lost', 'GET /pets query status value lost'],
  },
  {
    what: 'a narrower format',
    at: `${schemas}/Pet/allOf/1/properties/id/format`,
    value: 'int32',
    missing: ['23: Pet.id format int64'],
    unfounded: ['Pet.id format int32'],
  },
  {
    what: 'another meaning',
    at: `${schemas}/NewPet/properties/name/description`,
    value: 'The name of the owner',
    missing: ["24: Pet.name means The animal's name", "34: NewPet.name means The animal's name"],
    unfounded: ['Pet.name means The name of the owner', 'NewPet.name means The name of the owner'],
  },
  {
    what: 'a missing refusal',
    at: `${list}/responses/401`,
    missing: [
      '100: GET /pets 401',
      '100: GET /pets 401 application/json Error',
      '100: GET /pets 401 means API key missing or invalid',
      '150: GET /pets 401 application/json Error',
      '167: GET /pets 401 application/json Error',
      '167: GET /pets 401 means API key missing or invalid',
    ],
  },
  {
    what: 'a refusal that the source does not show',
    at: `${list}/responses/500`,
    value: { description: 'Broken' },
    unfounded: ['GET /pets 500', 'GET /pets 500 without content'],
  },
  {
    what: 'a certain status where the source shows none',
    at: '/paths/~1messages/post/responses/202',
    value: { description: 'Accepted' },
    unfounded: ['POST /messages 202', 'POST /messages 202 without content'],
  },
  {
    what: 'a payload where the source shows none',
    at: '/paths/~1store~1orders/get/responses/default/content',
    value: { 'application/json': { schema: { type: 'array' } } },
    missing: ['128: GET /store/orders default without content'],
    unfounded: [
      'GET /store/orders default means Not shown',
      'GET /store/orders default application/json inline',
      'GET /store/orders default type array',
    ],
  },
  {
    what: 'another operation',
    at: '/paths/~1pets~1{petId}/delete',
    value: { operationId: 'deletePet', responses: {} },
    unfounded: ['DELETE /pets/{petId}', 'DELETE /pets/{petId} operation name deletePet'],
  },
  {
    what: 'an operation without a credential',
    at: `${list}/security`,
    value: [],
    unfounded: ['GET /pets carries security []'],
  },
  {
    what: 'a stability marker',
    at: `${list}/x-stability-level`,
    value: 'beta',
    unfounded: ['GET /pets carries x-stability-level "beta"'],
  },
  {
    what: 'another removal date',
    at: '/paths/~1pets~1{petId}/get/x-sunset',
    value: '2031-01-01',
    missing: [
      '114: GET /pets/{petId} removed on 2030-12-05',
      '188: GET /pets/{petId} removed on 2030-12-05',
    ],
    unfounded: ['GET /pets/{petId} removed on 2031-01-01'],
  },
  {
    what: 'another version',
    at: '/info/version',
    value: '1.1.0',
    missing: ['186: version 1.0.0'],
    unfounded: ['version 1.1.0'],
  },
  { what: 'another tag', at: '/tags/3', value: { name: 'messages' }, unfounded: ['tag messages'] },
  { what: 'a webhook', at: '/webhooks', value: {}, unfounded: ['document carries webhooks {}'] },
  {
    what: 'a silence that is not recorded',
    at: `${schemas}/Error/properties/code/x-gaps`,
    missing: ['172: gap The set of values of the `code` field: not shown.'],
  },
  {
    what: 'a sentence that is not repeated',
    at: '/components/securitySchemes/bearer/description',
    value: 'A key.',
    missing: [
      '149: Authorization: Bearer <API_KEY>',
      '151: An API key is obtained by creating an account and generating a ' +
        'key; the key is used for testing and integration',
    ],
  },
];

describe('a changed document is detected', () => {
  test.each(changes)('$what', ({ at, value, missing = [], unfounded = [] }) => {
    expect(differences(edit(document, at, value))).toEqual([
      ...missing.map((each) =>
        each.replace(/^(\d+): /, 'line $1 of the source is not in the document: '),
      ),
      ...unfounded.map((each) => `the document says what its source does not: ${each}`),
    ]);
  });
});

describe('a changed source is detected', () => {
  const sold = '| sold | Listed as a status value only |';
  const status = '- Success status code of `POST /messages`: not shown.';
  const rewritten = [
    {
      what: 'another row',
      from: sold,
      to: `${sold}\n| lost | Nowhere to be found |`,
      reported: ['77: schema PetStatus value lost', '77: state lost means Nowhere to be found'],
    },
    {
      what: 'another limit',
      from: '| GET /pets | 100 |',
      to: '| GET /pets | 200 |',
      reported: ['179: GET /pets query limit maximum 200'],
    },
    {
      what: 'another gap',
      from: status,
      to: `${status}\n- The colour of an animal: not shown.`,
      reported: ['145: gap The colour of an animal: not shown.'],
    },
    {
      what: 'another day',
      from: 'with removal on 5 December',
      to: 'with removal on 6 December',
      reported: ['188: GET /pets/{petId} removed on 2030-12-06'],
    },
  ];

  test.each(rewritten)('$what', ({ from, to, reported }) => {
    expect(source).toContain(from);
    expect(
      compare(factsOf(readMarkdown(source.replace(from, to))), statementsOf(document)),
    ).toEqual(
      reported.map((each) =>
        each.replace(/^(\d+): /, 'line $1 of the source is not in the document: '),
      ),
    );
  });

  test('another wording, which must be reviewed', () => {
    const changed = readMarkdown(
      source.replace('The interface version is 1.0.0.', 'Versions follow the calendar.'),
    );
    expect(() => factsOf(changed)).toThrow(
      'The source does not say /^The interface version is ' +
        String.raw`([\d.]+)\.$/ under "Versioning".`,
    );
  });
});

describe('every part of the document is compared', () => {
  /** Members that explain and bind nobody, or that another test holds. */
  const free = ['description', 'summary', 'examples', 'openapi', 'variables'];
  const members = pointersIn(document, free);

  test('removing any member is detected, except these', () => {
    const reasons = {
      'a sentence that stands in three places': [
        '/info/x-gaps/1',
        '/paths/~1store~1orders/get/x-gaps/1',
        `${schemas}/NewPet/properties/categoryId/x-gaps`,
        `${schemas}/NewPet/properties/categoryId/x-gaps/0`,
      ],
      'a value that is the same when it is left out': [
        `${list}/parameters/0/required`,
        `${list}/parameters/1/required`,
      ],
    };
    const unnoticed = members.filter((pointer) => !isNoticed(edit(document, pointer)));
    expect(unnoticed.sort()).toEqual(Object.values(reasons).flat().sort());
  });

  test('an added member is detected in any object except an unused shared response', () => {
    const objects = members.filter((pointer) => isJsonObject(valueAt(document, pointer)));
    const unnoticed = objects.filter(
      (pointer) => !isNoticed(edit(document, `${pointer}/surprise`, { type: 'string' })),
    );
    expect(unnoticed).toEqual(['/components/responses']);
  });

  function isNoticed(changed: JsonObject): boolean {
    try {
      return differences(changed).length > 0;
    } catch {
      return true; // a reference that leads nowhere any more
    }
  }
});

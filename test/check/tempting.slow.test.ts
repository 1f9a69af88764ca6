import { describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/http/message.ts';
import type { ServiceReply, Respond } from '../../src/check/mutants/mutant.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** A collection of things with such a body. */
function thingsWith(schema: string, components = '', list = ''): ReturnType<typeof contractOf> {
  return contractOf(`
paths:
  /things:
    get: { operationId: listThings, ${list} responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Thing' } }")} }, '400': {
        description: bad } } }
    post: { operationId: addThing, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Thing' }")} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Thing' }")} }, '400': {
        description: bad }, '422': { description: bad } } }
  /things/{thingId}:
    parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getThing, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Thing' }")} }, '400': { description: bad }, '404': {
        description: none } } }
components: { schemas: { Thing: ${schema} ${components} } }`);
}

const refused = (status: number): ServiceReply => ({
  response: { status, headers: [], body: new Uint8Array() } satisfies HttpResponse,
});

type Body = Readonly<Record<string, unknown>>;

function bodyOf({ body }: HttpRequest): Body {
  try {
    return (JSON.parse(new TextDecoder().decode(body)) ?? {}) as Body;
  } catch {
    return {};
  }
}

/** Refuses creates of which a rule says so, with 422. */
const refusing =
  (isWrong: (body: Body) => boolean) =>
  (respond: Respond): Respond =>
  (request) =>
    request.method === 'POST' && isWrong(bodyOf(request))
      ? Promise.resolve(refused(422))
      : respond(request);

describe('a value that is valid by half a pattern', () => {
  const contract = thingsWith(
    `{ type: object, required: [grade], properties: { id: { type: string, readOnly: true },
       grade: { type: string, pattern: '^[a-z]+|[A-Z]+$', maxLength: 20, example: abc } } }`,
  );
  const meant = /^([a-z]+|[A-Z]+)$/;

  test('may be refused', async () => {
    const strict = refusing(({ grade }) => typeof grade === 'string' && !meant.test(grade));
    expect((await alarmsOf(contract, strict)).alarms).toEqual([]);
  });

  test('is no excuse for refusing another one', async () => {
    const { alarms } = await alarmsOf(
      contract,
      refusing(({ grade }) => typeof grade === 'string' && /^[A-Z]{20}$/.test(grade)),
    );
    expect(alarms.join('\n')).toContain('valid-accepted');
  });
});

describe('a list of numbers with an example', () => {
  const contract = thingsWith(
    `{ type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: {
       type: string } } }`,
    '',
    `parameters: [{ name: bbox, in: query, style: form, explode: false, schema: { type: array,
       items: { type: number }, minItems: 4, maxItems: 4 }, example: [5.8, 47.2, 15, 55.1] }],`,
  );
  const inBody = thingsWith(
    `{ type: object, required: [bbox], properties: { id: { type: string, readOnly: true },
       label: { type: string, maxLength: 40 }, bbox: { type: array, items: { type: number },
       minItems: 4, maxItems: 4, example: [5.8, 47.2, 15, 55.1] } } }`,
  );
  const isBox = (numbers: readonly number[]): boolean => {
    const [west = 0, south = 0, east = 0, north = 0] = numbers;
    return west < east && south < north && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  };

  test('is not accused of refusing numbers that make no box', async () => {
    const strict =
      (respond: Respond): Respond =>
      async (request) => {
        const asked = /[?&]bbox=([^&]*)/.exec(request.target)?.[1];
        const reply = await respond(request);
        const numbers = asked === undefined ? [] : decodeURIComponent(asked).split(',').map(Number);
        return asked !== undefined && reply.response?.status === 200 && !isBox(numbers)
          ? refused(400)
          : reply;
      };
    expect((await alarmsOf(contract, strict)).alarms).toEqual([]);
  });

  test('in a body is not accused of that either, and of another field it is', async () => {
    const strict = refusing(({ bbox }) => Array.isArray(bbox) && !isBox(bbox as number[]));
    expect((await alarmsOf(inBody, strict)).alarms).toEqual([]);
    const wrong = refusing(({ label }) => typeof label === 'string' && [...label].length === 40);
    const { alarms } = await alarmsOf(inBody, (respond) => wrong(strict(respond)));
    expect(alarms).toEqual([expect.stringMatching(/label has 40 characters/)]);
  });
});

describe('branches with a discriminator', () => {
  const contract = thingsWith(
    `{ type: object, required: [name, pay], properties: { id: { type: string, readOnly: true },
       name: { type: string }, pay: { oneOf: [{ $ref: '#/components/schemas/Card' },
       { $ref: '#/components/schemas/Transfer' }], discriminator: { propertyName: kind, mapping: {
       card: '#/components/schemas/Card', transfer: '#/components/schemas/Transfer' } } } } }`,
    `, Card: { type: object, required: [kind, number], properties: { kind: { type: string },
       number: { type: string, minLength: 4, maxLength: 20 }, holder: { type: string } } },
       Transfer: { type: object, required: [kind, iban], properties: { kind: { type: string },
       iban: { type: string, minLength: 8, maxLength: 34,
       example: DE02120300000000202051 }, note: { type: string } } }`,
  );
  const members: Readonly<Record<string, readonly string[]>> = {
    card: ['kind', 'number', 'holder'],
    transfer: ['kind', 'iban', 'note'],
  };

  test('a value is made from one branch: a member of another one is not sent', async () => {
    const strict = refusing(({ pay }) => {
      const { kind = '', ...rest } = (pay ?? {}) as { kind?: string };
      const known = members[kind];
      return known !== undefined && Object.keys(rest).some((name) => !known.includes(name));
    });
    expect((await alarmsOf(contract, strict)).alarms).toEqual([]);
  });

  test('a service that refuses the longest member of a branch is accused', async () => {
    const wrong = refusing(({ pay }) => (pay as { number?: string })?.number?.length === 20);
    expect((await alarmsOf(contract, wrong)).alarms).toEqual([
      expect.stringMatching(/pay.number has 20 characters, the most/),
    ]);
  });
});

describe('a service that is overloaded at times', () => {
  const contract = thingsWith(
    `{ type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: {
       type: string } } }`,
  );

  test('gets a warning that says so where 503 does not come again alone', async () => {
    let open = 0;
    const busy =
      (respond: Respond): Respond =>
      async (request) => {
        open += 1;
        try {
          await new Promise((resolve) => setTimeout(resolve, 1));
          return open > 4 ? refused(503) : await respond(request);
        } finally {
          open -= 1;
        }
      };
    const { alarms, errors } = await alarmsOf(contract, busy);
    expect(errors).toEqual([]);
    expect(alarms).toContainEqual(expect.stringMatching(/^no-server-error: .*503/));
  });

  test('gets an error where 503 comes again', async () => {
    const broken =
      (respond: Respond): Respond =>
      (request) =>
        request.method === 'GET' && /things\/\w/.test(request.target)
          ? Promise.resolve(refused(503))
          : respond(request);
    const { errors } = await alarmsOf(contract, broken);
    expect(errors.join('\n')).toMatch(/^no-server-error: .*503/m);
  });
});

describe('identifiers of one form', () => {
  const contract = thingsWith(
    `{ type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: {
       type: string } } }`,
  );
  const forms: Readonly<Record<string, (count: number) => string>> = {
    ULIDs: (count) => `01HZX3VQ7N${String(count * 7 + 1_000_000).padStart(8, '0')}KMPRTWYZ`,
    'prefixed identifiers': (count) => `cus_${String(4_000 + count)}`,
    'numbers in texts': (count) => String(70_000 + count),
  };

  /** A service with identifiers of one form. It answers 400 to an identifier of another form. */
  function keeper(make: (count: number) => string, missing = 404): (respond: Respond) => Respond {
    const things = [1, 2, 3].map((count) => ({ id: make(count), name: `Thing ${String(count)}` }));
    const isFormed = (id: string): boolean =>
      /^(cus_)?\d+$/.test(make(1))
        ? new RegExp(`^${make(1).replaceAll(/\d+/g, '\\d+')}$`).test(id)
        : /^[0-9A-Z]{26}$/.test(id);
    const answer = (status: number, value: unknown): ServiceReply => ({
      response: {
        status,
        headers: [['content-type', 'application/json']],
        body: new TextEncoder().encode(JSON.stringify(value)),
      },
    });
    return (respond) =>
      async (request): Promise<ServiceReply> => {
        const asked = /\/things\/([^/?]*)/.exec(request.target)?.[1];
        const reply = await respond(request);
        const { response } = reply;
        if (asked !== undefined && request.method === 'GET') {
          const found = things.find(({ id }) => id === asked);
          return found === undefined
            ? refused(isFormed(asked) ? missing : 400)
            : answer(200, found);
        }
        if (request.method === 'GET' && response?.status === 200) return answer(200, things);
        if (response?.status !== 201) return reply;
        const made = { name: String(bodyOf(request)['name']), id: make(things.length + 1) };
        things.push(made);
        return answer(201, made);
      };
  }

  test.each(Object.keys(forms))(
    '%s: a missing one looks like those that were seen',
    async (name) => {
      const make = forms[name] ?? String;
      expect((await alarmsOf(contract, keeper(make))).alarms).toEqual([]);
      expect((await alarmsOf(contract, keeper(make, 422))).alarms).toEqual([
        expect.stringMatching(/^missing-refused: The server answered 422/),
      ]);
    },
  );
});

import { expect, test } from 'vitest';
import { headerValue } from '../../src/http/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { fc } from '../property.ts';
import { expectKept } from './keeps-contract.ts';
import { jsonOf, mockOf, send, workshop, workshopFixtures, type Sending } from './workshop.ts';

/** What a client knows of a tool without asking the mock. */
interface Tool {
  readonly name: string;
  readonly kind: string;
  readonly weight?: JsonValue;
  readonly tags: JsonValue;
}

type Session = Map<string, Tool>;

/** The tools that each session should see, in plain maps. */
class Model {
  readonly sessions = new Map<string, Session>();

  session(name: string): Session {
    const known =
      this.sessions.get(name) ??
      new Map((workshopFixtures.get('tools') ?? []).map(({ id, record }) => [id, toTool(record)]));
    this.sessions.set(name, known);
    return known;
  }
}

function toTool(record: JsonObject): Tool {
  const { name, kind, weight, tags } = record;
  return {
    name: String(name),
    kind: String(kind),
    ...(weight === undefined ? {} : { weight }),
    tags: tags ?? null,
  };
}

type Command = fc.AsyncCommand<Model, Mock>;

function command(name: string, run: (model: Model, mock: Mock) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

function sendIn(
  mock: Mock,
  session: string,
  line: string,
  sending: Sending = {},
): ReturnType<typeof send> {
  return send(mock, line, {
    ...sending,
    headers: [['Vouch-Session', session], ...(sending.headers ?? [])],
  });
}

/** The tool in an answer; what the mock adds is left out. */
function shown(value: JsonValue | undefined): Tool {
  if (!isJsonObject(value)) throw new Error('The answer shows no tool.');
  return toTool(value);
}

const sessions = fc.constantFrom('a', 'b');
const identifiers = fc.constantFrom('1', '2', '4', '9007199254740993', '9007199254740994', '77');
const tools = fc.record(
  {
    name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }),
    kind: fc.constantFrom('saw', 'axe', 'file'),
    weight: fc.option(fc.oneof(fc.nat(), fc.constant(9007199254740995n))),
    tags: fc.array(fc.string({ unit: 'grapheme-ascii' }), { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'kind'] },
);
type Given = Omit<Tool, 'tags'> & { readonly tags?: JsonValue };
const asGiven = tools as fc.Arbitrary<Given>;

function list(session: string, offset: number, limit: number): Command {
  return command(
    `${session}: list from ${String(offset)}, ${String(limit)}`,
    async (model, mock) => {
      const answer = await sendIn(
        mock,
        session,
        `GET /v2/tools?offset=${String(offset)}&limit=${String(limit)}`,
      );
      expectKept(workshop, answer);
      const expected = [...model.session(session)];
      const body = jsonOf(answer) as JsonObject;
      expect(
        (body['items'] as JsonValue[]).map((item) => [
          String((item as JsonObject)['id']),
          shown(item),
        ]),
      ).toEqual(expected.slice(offset, offset + limit).map(([id, tool]) => [id, { ...tool }]));
      expect(body['total']).toBe(expected.length);
      expect(headerValue(answer.headers, 'X-Total-Count')).toBe(String(expected.length));
    },
  );
}

function read(session: string, id: string): Command {
  return command(`${session}: read ${id}`, async (model, mock) => {
    const answer = await sendIn(mock, session, `GET /v2/tools/${id}`);
    expectKept(workshop, answer);
    const expected = model.session(session).get(id);
    expect(answer.status).toBe(expected === undefined ? 404 : 200);
    if (expected !== undefined) expect(shown(jsonOf(answer))).toEqual(expected);
  });
}

function create(session: string, given: Given): Command {
  return command(`${session}: create ${given.name}`, async (model, mock) => {
    const answer = await sendIn(mock, session, 'POST /v2/tools', { body: { ...given } });
    expect(answer.status).toBe(201);
    expectKept(workshop, answer);
    const id = String((jsonOf(answer) as JsonObject)['id']);
    expect(headerValue(answer.headers, 'Location')).toBe(`/v2/tools/${id}`);
    expect(model.session(session).has(id)).toBe(false);
    model.session(session).set(id, { tags: [], ...given });
    expect(shown(jsonOf(answer))).toEqual(model.session(session).get(id));
  });
}

function replace(session: string, id: string, given: Given): Command {
  return command(`${session}: replace ${id}`, async (model, mock) => {
    const answer = await sendIn(mock, session, `PUT /v2/tools/${id}`, { body: { ...given } });
    expectKept(workshop, answer);
    expect(answer.status).toBe(model.session(session).has(id) ? 200 : 201);
    model.session(session).set(id, { tags: [], ...given });
    expect(shown(jsonOf(answer))).toEqual(model.session(session).get(id));
  });
}

function update(session: string, id: string, given: Partial<Given>): Command {
  return command(`${session}: update ${id} ${Object.keys(given).join()}`, async (model, mock) => {
    const answer = await sendIn(mock, session, `PATCH /v2/tools/${id}`, { body: { ...given } });
    expectKept(workshop, answer);
    const earlier = model.session(session).get(id);
    expect(answer.status).toBe(earlier === undefined ? 404 : 200);
    if (earlier !== undefined) model.session(session).set(id, { ...earlier, ...given });
  });
}

function remove(session: string, id: string): Command {
  return command(`${session}: delete ${id}`, async (model, mock) => {
    const answer = await sendIn(mock, session, `DELETE /v2/tools/${id}`);
    expectKept(workshop, answer);
    expect(answer.status).toBe(model.session(session).delete(id) ? 204 : 404);
  });
}

const reset: Command = command('reset', async (model, mock) => {
  await mock.reset();
  model.sessions.clear();
});

test('any sequence of requests has the same effect as on plain maps', async () => {
  const commands = fc.commands(
    [
      fc.tuple(sessions, fc.nat(6), fc.integer({ min: 1, max: 9 })).map((given) => list(...given)),
      fc.tuple(sessions, identifiers).map((given) => read(...given)),
      fc.tuple(sessions, asGiven).map((given) => create(...given)),
      fc.tuple(sessions, identifiers, asGiven).map((given) => replace(...given)),
      fc
        .tuple(
          sessions,
          identifiers,
          fc.oneof(
            asGiven,
            asGiven.map(({ name }) => ({ name })),
            asGiven.map(({ kind }) => ({ kind })),
          ),
        )
        .map((given) => update(...given)),
      fc.tuple(sessions, identifiers).map((given) => remove(...given)),
      fc.constant(reset),
    ],
    { size: '+1' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      const mock = await mockOf();
      await fc.asyncModelRun(() => ({ model: new Model(), real: mock }), run);
    }),
    { numRuns: 150 },
  );
});

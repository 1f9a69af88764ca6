import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { fc } from '../property.ts';
import { expectKept } from './keeps-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const estate = parseContract(
  readFileSync(new URL('contracts/estate.yaml', import.meta.url), 'utf8'),
  'estate.yaml',
);

interface House {
  readonly id: number;
  readonly street: string;
  readonly ownerId?: number;
}

/** What a client knows of owners, their notes and their houses, in plain maps. */
class Model {
  readonly owners = new Map<number, { readonly notes: Map<number, string>; lastNote: number }>();
  readonly houses = new Map<number, House>();
  lastOwner = 0;
  lastHouse = 0;
}

type Command = fc.AsyncCommand<Model, Mock>;

function command(name: string, run: (model: Model, mock: Mock) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

async function ask(
  mock: Mock,
  line: string,
  body?: JsonValue,
): Promise<{ readonly status: number; readonly value: JsonValue | undefined }> {
  const answer = await send(mock, line, body === undefined ? {} : { body });
  expectKept(estate, answer);
  return {
    status: answer.status,
    value: answer.status < 300 && answer.body.length > 0 ? jsonOf(answer) : undefined,
  };
}

const addOwner = (name: string): Command =>
  command(`add owner ${name}`, async (model, mock) => {
    const { status, value } = await ask(mock, 'POST /owners', { name });
    expect(status).toBe(201);
    model.lastOwner += 1;
    expect(value).toEqual({ id: model.lastOwner, name });
    model.owners.set(model.lastOwner, { notes: new Map(), lastNote: 0 });
  });

const removeOwner = (owner: number): Command =>
  command(`remove owner ${String(owner)}`, async (model, mock) => {
    expect((await ask(mock, `DELETE /owners/${String(owner)}`)).status).toBe(
      model.owners.delete(owner) ? 204 : 404,
    );
  });

const addNote = (owner: number, text: string): Command =>
  command(`note of ${String(owner)}`, async (model, mock) => {
    const { status, value } = await ask(mock, `POST /owners/${String(owner)}/notes`, { text });
    const known = model.owners.get(owner);
    expect(status).toBe(known === undefined ? 404 : 201);
    if (known === undefined) return;
    known.lastNote += 1;
    expect(value).toEqual({ number: known.lastNote, text });
    known.notes.set(known.lastNote, text);
  });

const changeNote = (owner: number, note: number, text: string): Command =>
  command(`change note ${String(note)} of ${String(owner)}`, async (model, mock) => {
    const { status } = await ask(mock, `PATCH /owners/${String(owner)}/notes/${String(note)}`, {
      text,
    });
    const notes = model.owners.get(owner)?.notes;
    expect(status).toBe(notes?.has(note) === true ? 200 : 404);
    if (notes?.has(note) === true) notes.set(note, text);
  });

const removeNote = (owner: number, note: number): Command =>
  command(`remove note ${String(note)} of ${String(owner)}`, async (model, mock) => {
    const { status } = await ask(mock, `DELETE /owners/${String(owner)}/notes/${String(note)}`);
    expect(status).toBe(model.owners.get(owner)?.notes.delete(note) === true ? 204 : 404);
  });

const listNotes = (owner: number): Command =>
  command(`notes of ${String(owner)}`, async (model, mock) => {
    const { status, value } = await ask(mock, `GET /owners/${String(owner)}/notes`);
    const notes = model.owners.get(owner)?.notes;
    expect(status).toBe(notes === undefined ? 404 : 200);
    if (notes !== undefined)
      expect(value).toEqual([...notes].map(([number, text]) => ({ number, text })));
  });

const addHouse = (owner: number | undefined, street: string): Command =>
  command(`house of ${String(owner)}`, async (model, mock) => {
    const { status, value } =
      owner === undefined
        ? await ask(mock, 'POST /houses', { street })
        : await ask(mock, `POST /owners/${String(owner)}/houses`, { street });
    const isMissing = owner !== undefined && !model.owners.has(owner);
    expect(status).toBe(isMissing ? 404 : 201);
    if (isMissing) return;
    model.lastHouse += 1;
    const house: House = {
      id: model.lastHouse,
      street,
      ...(owner === undefined ? {} : { ownerId: owner }),
    };
    expect(value).toMatchObject({ ...house });
    model.houses.set(house.id, house);
  });

const moveHouse = (house: number, owner: number): Command =>
  command(`house ${String(house)} to ${String(owner)}`, async (model, mock) => {
    const { status } = await ask(mock, `PATCH /houses/${String(house)}`, { ownerId: owner });
    const known = model.houses.get(house);
    expect(status).toBe(known === undefined ? 404 : 200);
    if (known !== undefined) model.houses.set(house, { ...known, ownerId: owner });
  });

const shown = (value: JsonValue | undefined): JsonObject[] =>
  (value as unknown as JsonObject[]).map(({ id, street, ownerId }) => ({
    id: id ?? null,
    street: street ?? null,
    ...(ownerId === undefined ? {} : { ownerId }),
  }));

const listHouses: Command = command('houses', async (model, mock) => {
  expect(shown((await ask(mock, 'GET /houses')).value)).toEqual([...model.houses.values()]);
});

const listOwnersHouses = (owner: number): Command =>
  command(`houses of ${String(owner)}`, async (model, mock) => {
    const { status, value } = await ask(mock, `GET /owners/${String(owner)}/houses`);
    expect(status).toBe(model.owners.has(owner) ? 200 : 404);
    if (status === 200)
      expect(shown(value)).toEqual(
        [...model.houses.values()].filter(({ ownerId }) => ownerId === owner),
      );
  });

const readHouse = (owner: number, house: number): Command =>
  command(`house ${String(house)} of ${String(owner)}`, async (model, mock) => {
    const isThere = model.owners.has(owner) && model.houses.get(house)?.ownerId === owner;
    expect((await ask(mock, `GET /owners/${String(owner)}/houses/${String(house)}`)).status).toBe(
      isThere ? 200 : 404,
    );
    expect((await ask(mock, `GET /houses/${String(house)}`)).status).toBe(
      model.houses.has(house) ? 200 : 404,
    );
  });

test('nested records change as in a model of maps, for any sequence of requests', async () => {
  const owners = fc.integer({ min: 1, max: 4 });
  const numbers = fc.integer({ min: 1, max: 3 });
  const texts = fc.constantFrom('Elm', 'Oak', 'Ash');
  const commands = fc.commands(
    [
      texts.map(addOwner),
      owners.map(removeOwner),
      fc.tuple(owners, texts).map((given) => addNote(...given)),
      fc.tuple(owners, numbers, texts).map((given) => changeNote(...given)),
      fc.tuple(owners, numbers).map((given) => removeNote(...given)),
      owners.map(listNotes),
      fc.tuple(fc.option(owners, { nil: undefined }), texts).map((given) => addHouse(...given)),
      fc.tuple(numbers, owners).map((given) => moveHouse(...given)),
      fc.constant(listHouses),
      owners.map(listOwnersHouses),
      fc.tuple(owners, numbers).map((given) => readHouse(...given)),
    ],
    { size: '+1' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      const mock = await mockOf({ contract: estate });
      await fc.asyncModelRun(() => ({ model: new Model(), real: mock }), run);
    }),
    { numRuns: 100 },
  );
});

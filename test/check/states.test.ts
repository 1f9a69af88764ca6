import { describe, expect, test } from 'vitest';
import { allowedStates } from '../../src/contract/words/read-states.ts';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'edits-published'
  | 'deletes-published'
  | 'publishes-twice'
  | 'publish-is-lost'
  | 'moves-on'
  | 'search-leaves-out-note'
  | 'search-by-case'
  | 'search-lags'
  | 'bound-by-text'
  | 'bound-includes';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

const text = `openapi: 3.1.0
info: { title: Offers, version: '1' }
paths:
  /offers:
    get:
      operationId: listOffers
      parameters:
        - { name: q, in: query, schema: { type: string, minLength: 1 },
            description: 'Returns offers whose title or note has this text, regardless of case.' }
        - { name: before, in: query, schema: { type: string, format: date-time },
            description: Only offers that start before this moment. }
      responses: { '200': { description: All, ${json('Offers')} }, '400': { description: Bad } }
    post:
      operationId: createOffer
      requestBody: { required: true, ${json('Offer')} }
      responses:
        '201': { description: Made, ${json('Offer')} }
        '400': { description: Not valid }
  /offers/{offerId}:
    parameters: [{ name: offerId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getOffer
      responses: { '200': { description: One, ${json('Offer')} }, '404': { description: None } }
    put:
      operationId: replaceOffer
      description: Only drafts can be edited. Published offers cannot be deleted.
      requestBody: { required: true, ${json('Offer')} }
      responses:
        '200': { description: Changed, ${json('Offer')} }
        '400': { description: Not valid }
        '404': { description: None }
        '409': { description: Wrong state }
    delete:
      operationId: deleteOffer
      description: An offer can only be deleted if it is in the \`draft\` state.
      responses:
        '204': { description: Gone }
        '404': { description: None }
        '409': { description: Wrong state }
  /offers/{offerId}/publish:
    parameters: [{ name: offerId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: publishOffer
      description: Only drafts can be published. The status becomes \`published\`.
      responses:
        '200': { description: Done, ${json('Offer')} }
        '404': { description: None }
        '409': { description: Wrong state }
components:
  schemas:
    Offer:
      type: object
      required: [title, start, lines]
      properties:
        id: { type: string, readOnly: true }
        status: { type: string, enum: [draft, published, archived], readOnly: true }
        title: { type: string, minLength: 1, maxLength: 60 }
        note: { type: string, maxLength: 60 }
        start: { type: string, format: date-time }
        lines:
          type: array
          minItems: 1
          items:
            type: object
            required: [price]
            properties: { price: { type: number, minimum: 0, maximum: 100, multipleOf: 0.01 } }
          example: [{ price: 10.1 }, { price: 20.2 }]
    Offers: { type: array, items: { $ref: '#/components/schemas/Offer' } }
`;

interface Offer {
  readonly id: string;
  status: string;
  title: string;
  note?: string;
  start: string;
  lines: { price: number }[];
}

const missing: Answered = { status: 404 };
const round = (value: number): number => Math.round(value * 100) / 100;

function isOffer(value: unknown): value is Omit<Offer, 'id' | 'status'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { title, note = '', start, lines } = value as Record<string, unknown>;
  const isText = (one: unknown, least: number): boolean =>
    typeof one === 'string' && [...one].length >= least && [...one].length <= 60;
  const isLine = (line: unknown): boolean => {
    const price = (line as { price?: unknown } | null)?.price;
    return typeof price === 'number' && price >= 0 && price <= 100 && round(price) === price;
  };
  return (
    isText(title, 1) &&
    isText(note, 0) &&
    isMoment(start) &&
    Array.isArray(lines) &&
    lines.length > 0 &&
    lines.every(isLine)
  );
}

function isMoment(value: unknown): boolean {
  const form = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
  return typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value));
}

function read(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function service(quirk?: Quirk): Service {
  const offers = new Map<string, Offer>();
  let last = 0;
  const find = ({ query }: Call): Answered => {
    const [q, before] = [query.get('q'), query.get('before')];
    if (q === '' || (before !== null && !isMoment(before))) return { status: 400 };
    const has = (part: string): boolean =>
      quirk === 'search-by-case'
        ? part.includes(q ?? '')
        : part.toLowerCase().includes((q ?? '').toLowerCase());
    const isFound = ({ title, note = '' }: Offer): boolean =>
      quirk !== 'search-lags' && (has(title) || (quirk !== 'search-leaves-out-note' && has(note)));
    const isBefore = ({ start }: Offer): boolean => {
      const [left, right] = [start, before ?? ''].map((one) =>
        Date.parse(quirk === 'bound-by-text' ? `${one.slice(0, 19)}Z` : one),
      );
      return left === right ? quirk === 'bound-includes' : (left ?? 0) < (right ?? 0);
    };
    const found = [...offers.values()].filter(
      (offer) => (q === null || isFound(offer)) && (before === null || isBefore(offer)),
    );
    return { status: 200, json: found };
  };
  const write = (body: string, known?: Offer): Answered => {
    const sent = read(body);
    if (!isOffer(sent)) return { status: 400 };
    const { title, note, start, lines } = sent;
    const id = known?.id ?? `offer-${String((last += 1))}`;
    const status = known?.status ?? 'draft';
    const offer: Offer = {
      id,
      status,
      title,
      start,
      lines,
      ...(note === undefined ? {} : { note }),
    };
    offers.set(id, offer);
    return { status: known === undefined ? 201 : 200, json: offer };
  };
  const publish = (offer: Offer): Answered => {
    if (offer.status !== 'draft' && quirk !== 'publishes-twice') return { status: 409 };
    if (quirk !== 'publish-is-lost') offer.status = quirk === 'moves-on' ? 'archived' : 'published';
    return { status: 200, json: { ...offer, status: 'published' } };
  };
  return (call) => {
    const { method, path, body } = call;
    const [first, id, action, more] = path;
    if (first !== 'offers' || more !== undefined) return missing;
    if (id === undefined)
      return method === 'GET' ? find(call) : method === 'POST' ? write(body) : { status: 405 };
    const offer = offers.get(id);
    if (action !== undefined && action !== 'publish') return missing;
    if (action !== undefined && method !== 'POST') return { status: 405 };
    if (!['GET', 'PUT', 'DELETE', 'POST'].includes(method)) return { status: 405 };
    if (offer === undefined) return missing;
    if (action !== undefined) return publish(offer);
    const isDraft = offer.status === 'draft';
    if (method === 'PUT')
      return isDraft || quirk === 'edits-published' ? write(body, offer) : { status: 409 };
    if (method === 'GET') return { status: 200, json: offer };
    if (!isDraft && quirk !== 'deletes-published') return { status: 409 };
    offers.delete(id);
    return { status: 204 };
  };
}

const contract: Contract = parseContract(text, 'offers.yaml');
const judged = /states-hold|filter-holds/;

async function alarmsOf(quirk?: Quirk): Promise<string[]> {
  return alarms(await findingsOf(contract, service(quirk))).filter((line) => judged.test(line));
}

describe('states, searches and bounds that descriptions state', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['edits-published', 'error states-hold replaceOffer'],
    ['deletes-published', 'error states-hold deleteOffer'],
    ['publishes-twice', 'error states-hold publishOffer'],
    ['publish-is-lost', 'error states-hold publishOffer'],
    ['search-leaves-out-note', 'error filter-holds listOffers'],
    ['search-by-case', 'error filter-holds listOffers'],
    ['bound-by-text', 'error filter-holds listOffers'],
    ['bound-includes', 'error filter-holds listOffers'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.some((line) => line.startsWith(expected))).toBe(true);
  });

  test.each<[Quirk, string]>([
    ['moves-on', 'a state that changes again by itself'],
    ['search-lags', 'a search that finds new records later'],
  ])('%s, %s, is no finding', async (quirk) => {
    expect(await alarmsOf(quirk)).toEqual([]);
  });

  test('the findings name the difference', async () => {
    const [states, search] = await Promise.all(
      (['deletes-published', 'search-by-case'] as const).map(alarmsOf),
    );
    expect(states?.[0]).toContain('the status was "published", and the contract allows it only in');
    expect(search?.[0]).toMatch(/does not show a record whose (title|note) is "Kept Qz/);
  });
});

describe('the states in which a description allows an operation', () => {
  const statesOf = (description: string, id = 'deleteOffer'): readonly string[] | undefined => {
    const operation = contract.operations.find((one) => one.id === id);
    const [resource] = contract.resources;
    if (operation === undefined || resource === undefined) throw new Error(id);
    return allowedStates({ ...operation, description }, resource)?.values;
  };

  test.each([
    'Only drafts can be deleted.',
    'Delete an offer. Only offers in `draft` status can be deleted.',
    'An offer can only be deleted if its status is <code>draft</code>.',
    'An offer can be deleted when it is in one of these statuses: `draft`.',
    'The offer can be deleted only while it is still a draft.',
  ])('%s', (description) => {
    expect(statesOf(description)).toEqual(['draft']);
  });

  test.each([
    'Only the owner can delete a draft.',
    'Only published authors can delete offers.',
    'Only drafts can be deleted unless force is true.',
    'An offer can only be deleted if it is draft or has no lines.',
    'Deletes a draft or published offer. Only drafts can be edited afterwards.',
    'Only published offers are returned.',
    'The offer can be deleted only if it is in a `draft` status and was never shown.',
    'Published or archived offers cannot be deleted.',
    'An offer can be deleted if it is a draft or, in rare cases, published.',
  ])('%s (says nothing certain)', (description) => {
    expect(statesOf(description)).toBeUndefined();
  });
});

const boards = parseContract(
  `openapi: 3.1.0
info: { title: Boards, version: '1' }
paths:
  /boards:
    post:
      operationId: createBoard
      requestBody: { required: true, ${json('Board')} }
      responses: { '201': { description: Made, ${json('Board')} }, '400': { description: Bad } }
  /boards/{boardId}:
    parameters: [{ name: boardId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBoard
      responses: { '200': { description: One, ${json('Board')} }, '404': { description: None } }
  /boards/{boardId}/labels:
    parameters: [{ name: boardId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listLabels
      responses: { '200': { description: All, ${json('Labels')} }, '404': { description: None } }
    post:
      operationId: addLabel
      description: The name is unique within the board. A board takes at most five labels.
      requestBody: { required: true, ${json('Label')} }
      responses:
        '201': { description: Made, ${json('Label')} }
        '400': { description: Bad }
        '404': { description: None }
        '409': { description: Another label of the board has this name. }
components:
  schemas:
    Board:
      type: object
      required: [title]
      properties: { id: { type: string, readOnly: true }, title: { type: string, minLength: 1 } }
    Label:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 1 }
        colour: { type: string, enum: [red, blue], default: blue }
    Labels: { type: array, items: { $ref: '#/components/schemas/Label' } }
`,
  'boards.yaml',
);

type BoardQuirk = 'unique-everywhere' | 'not-unique' | 'no-default';

function boardService(quirk?: BoardQuirk): Service {
  const all = new Map<string, { name: string; colour?: string }[]>();
  let last = 0;
  const add = (id: string, body: string): Answered => {
    const sent = read(body) as { name?: unknown; colour?: unknown } | null | undefined;
    const { name, colour } = sent ?? {};
    const isColour = colour === undefined || colour === 'red' || colour === 'blue';
    if (typeof name !== 'string' || name === '' || !isColour) return { status: 400 };
    const own = all.get(id) ?? [];
    const others = quirk === 'unique-everywhere' ? [...all.values()].flat() : own;
    const isTaken = quirk !== 'not-unique' && others.some((label) => label.name === name);
    if (isTaken || own.length >= 5) return { status: 409 };
    const given = colour ?? (quirk === 'no-default' ? undefined : 'blue');
    const label = { name, ...(given === undefined ? {} : { colour: given }) };
    own.push(label);
    return { status: 201, json: label };
  };
  return ({ method, path: [first, id, labels, more], body }) => {
    if (first !== 'boards' || more !== undefined) return missing;
    if (!['GET', 'POST'].includes(method)) return { status: 405 };
    if (id === undefined) {
      if (method !== 'POST') return { status: 405 };
      const { title } = (read(body) ?? {}) as { title?: unknown };
      if (typeof title !== 'string' || title === '') return { status: 400 };
      all.set(`board-${String((last += 1))}`, []);
      return { status: 201, json: { id: `board-${String(last)}`, title } };
    }
    const own = all.get(id);
    if (own === undefined || (labels !== undefined && labels !== 'labels')) return missing;
    if (labels === undefined)
      return method === 'GET' ? { status: 200, json: { id, title: 'One' } } : { status: 405 };
    if (method === 'POST') return add(id, body);
    return { status: 200, json: own };
  };
}

describe('what is added below a record', () => {
  const linesOf = async (quirk?: BoardQuirk): Promise<string[]> =>
    alarms(await findingsOf(boards, boardService(quirk))).filter((line) =>
      /unique-is-kept|default-is-applied/.test(line),
    );

  test('a board that takes five labels, and keeps their rules, has no finding', async () => {
    expect(await linesOf()).toEqual([]);
  });

  test.each<[BoardQuirk, string]>([
    ['unique-everywhere', 'error unique-is-kept addLabel'],
    ['not-unique', 'error unique-is-kept addLabel'],
    ['no-default', 'error default-is-applied addLabel'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await linesOf(quirk);
    expect(lines.some((line) => line.startsWith(expected))).toBe(true);
  });
});

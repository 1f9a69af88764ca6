import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../../src/contract/load.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import {
  alarms,
  type Answered,
  findingsOf,
  jsonObject,
  type Service,
} from '../../fixture/inline-service.ts';
import { alarmsOf } from '../../fixture/odd-contract.ts';

type Place = 'cookie' | 'bearer';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const refused = { 400: { description: 'Bad' }, 401: { description: 'Who is it?' } };
const text = { type: 'string', minLength: 1 };

/** A house with a door: people come in with a password, and leave. */
function contractOf(place: Place, leaving: string): Contract {
  const token = place === 'cookie' ? {} : { token: text };
  const session = { type: 'object', required: Object.keys(token), properties: token };
  const form = {
    type: 'object',
    required: ['username', 'password'],
    properties: {
      username: { ...text, example: 'ann' },
      password: { ...text, format: 'password', example: 'Open-Up-12' },
    },
  };
  const cookie = { type: 'apiKey', in: 'cookie', name: 'HOUSE' };
  const scheme = place === 'cookie' ? cookie : { type: 'http', scheme: 'bearer' };
  const document = {
    openapi: '3.1.0',
    info: { title: 'House', version: '1' },
    security: [{ session: [] }],
    paths: {
      '/login': {
        post: {
          operationId: 'login',
          security: [],
          requestBody: { required: true, ...json(form) },
          responses: { 200: { description: 'In', ...json(session) }, ...refused },
        },
      },
      '/logout': {
        post: {
          operationId: 'logout',
          summary: leaving,
          responses: { 204: { description: 'Out' }, 401: { description: 'Who is it?' } },
        },
      },
      '/room': {
        get: {
          operationId: 'look',
          responses: {
            200: { description: 'A room', ...json({ type: 'object' }) },
            401: { description: 'Who is it?' },
          },
        },
      },
    },
    components: { securitySchemes: { session: scheme } },
  };
  return parseContract(JSON.stringify(document), 'house.json');
}

interface Habits {
  readonly place?: Place;
  readonly leaving?: string;
  readonly bug?: 'any password' | 'stays open' | 'knows nobody';
}

const given = 'the-token-that-the-user-gave';

/** The alarms of a run, the wrong passwords that it tried for ann, and the sessions that ended. */
async function visit({ place = 'cookie', leaving = 'End the session', bug }: Habits): Promise<{
  readonly lines: string[];
  readonly wrong: number;
  readonly ended: string[];
  readonly shown: string;
}> {
  const open = new Set([given]);
  const [wrong, ended]: [string[], string[]] = [[], []];
  const service: Service = ({ method, path: [part], header, body }): Answered => {
    const cookie = /HOUSE=([^;]*)/.exec(header('cookie') ?? '')?.[1];
    const token = place === 'cookie' ? cookie : header('authorization')?.replace('Bearer ', '');
    if (method !== (part === 'room' ? 'GET' : 'POST')) return { status: 405 };
    if (part === 'login') {
      const { username: user, password } = jsonObject(body) ?? {};
      if (header('content-type') !== 'application/json') return { status: 400 };
      if (typeof user !== 'string' || user === '') return { status: 400 };
      if (typeof password !== 'string' || password === '') return { status: 400 };
      if (user === 'ann' && password !== 'Open-Up-12') wrong.push(password);
      const isKnown = user === 'ann' && (password === 'Open-Up-12' || bug === 'any password');
      if (!isKnown && bug !== 'knows nobody') return { status: 401 };
      const session = `session-${String(open.size)}-secret`;
      open.add(session);
      return place === 'cookie'
        ? { status: 200, json: {}, headers: { 'Set-Cookie': `HOUSE=${session}; HttpOnly` } }
        : { status: 200, json: { token: session } };
    }
    if (token === undefined || !open.has(token)) return { status: 401 };
    if (part === 'room') return { status: 200, json: {} };
    ended.push(token);
    if (bug !== 'stays open') open.delete(token);
    return { status: 204 };
  };
  const contract = contractOf(place, leaving);
  const findings = await findingsOf(contract, service, { tokens: { session: given } });
  return {
    lines: alarms(findings).filter((line) => !line.includes('method-refused')),
    wrong: new Set(wrong).size,
    ended,
    shown: JSON.stringify(findings),
  };
}

describe.each<Place>(['cookie', 'bearer'])('a login that hands out a %s', (place) => {
  test('is no finding if it knows its users, and its session ends', async () => {
    const { lines, wrong, ended } = await visit({ place });
    expect(lines).toEqual([]);
    expect(wrong).toBe(1);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended).not.toContain(given);
  });

  test('is an error with any password', async () => {
    const { lines } = await visit({ place, bug: 'any password' });
    expect(lines.join('\n')).toMatch(/^error session-holds login: .* another password/m);
  });

  test('is an error if its session outlives the logout that ends it', async () => {
    const { lines, ended, shown } = await visit({ place, bug: 'stays open' });
    expect(lines.join('\n')).toMatch(/^error session-holds look: .*after logout ended it/m);
    expect(ended).not.toContain(given);
    expect(shown).not.toMatch(/session-\d+-secret/);
  });
});

test('what a logout does that does not say so is a warning', async () => {
  const { lines } = await visit({ leaving: 'Log out', bug: 'stays open' });
  expect(lines).toEqual([expect.stringMatching(/^warning session-holds look/)]);
});

test('a logout of all sessions would end that of the user, and is not sent', async () => {
  const { ended } = await visit({ leaving: 'End all sessions of the user' });
  expect(ended).toEqual([]);
});

test('a service that lets everybody in has no passwords', async () => {
  expect((await visit({ bug: 'knows nobody' })).lines).toEqual([]);
});

test.each<Place>(['cookie', 'bearer'])('the mock of a login with a %s is sound', async (place) => {
  expect((await alarmsOf(contractOf(place, 'End the session'))).alarms).toEqual([]);
});

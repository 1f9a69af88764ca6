import { expect, test } from 'vitest';
import type { Asking, Behaviour } from '../../src/mock/model/request.ts';
import { makeFault, makeReply } from '../../src/mock/model/reply.ts';
import { type Hook, inPhases } from '../../src/mock/phases.ts';
import { planOperations } from '../../src/mock/plan/plan-operations.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { workshop } from './workshop.ts';

/** A request for a list, whose seed says what was done with it. */
function asking(): Asking {
  const plan = planOperations(workshop, []).get('listTools');
  if (plan === undefined) throw new Error('The workshop lists no tools.');
  return {
    store: makeMemoryStore(),
    request: {
      plan,
      request: { method: 'GET', target: '/tools', headers: [], body: new Uint8Array() },
      content: undefined,
      parameters: new Map(),
      path: new Map(),
      basePath: '',
      body: undefined,
      bodyType: undefined,
      session: 'default',
      now: new Date(0),
      seed: 'as sent',
      requestSeed: () => '',
      sampler: undefined,
      makeId: () => '',
      violation: undefined,
    },
  };
}

/** Runs the phases, each of which says in a line what it was called with. */
async function run(more: readonly Hook<Asking>[]): Promise<{ lines: string[]; body: unknown }> {
  const lines: string[] = [];
  const act: Behaviour<Asking> = ({ request }) => {
    lines.push(`change ${request.seed}`);
    return makeReply(200, 'changed');
  };
  const told: Hook<Asking> = {
    before: ({ request }) => {
      lines.push(`before ${request.seed}`);
      return undefined;
    },
    select: ({ store }) => {
      lines.push('select');
      return store;
    },
    after: ({ body }) => {
      lines.push(`after ${String(body)}`);
      return undefined;
    },
    show: async ({ body }) => {
      lines.push(`show ${String(body)}`);
      return makeReply(200, `${String(body)}, shown`);
    },
  };
  const reply = await inPhases([...more, told], act)(asking());
  return { lines, body: reply.kind === 'fault' ? reply.message : reply.body };
}

test('runs the hooks of each phase in their order, and hands on another request', async () => {
  const edited: Hook<Asking> = {
    before: async (on) => ({ ...on, request: { ...on.request, seed: 'opened' } }),
    show: () => makeReply(200, 'edited'),
  };
  expect(await run([edited])).toEqual({
    lines: ['before opened', 'select', 'change opened', 'after changed', 'show edited'],
    body: 'edited, shown',
  });
});

test('an early answer is shown, and nothing is changed', async () => {
  const known: Hook<Asking> = { before: () => makeReply(200, 'known') };
  expect(await run([known])).toEqual({ lines: ['show known'], body: 'known, shown' });
});

test('a refusal before or after the change ends the request', async () => {
  const refusal = makeFault('state', 'conflict', 'refused');
  expect(await run([{ before: () => refusal }])).toEqual({ lines: [], body: 'refused' });
  expect(await run([{ after: () => refusal }])).toEqual({
    lines: ['before as sent', 'select', 'change as sent'],
    body: 'refused',
  });
});

test('the first change takes the place of the action', async () => {
  const first: Hook<Asking> = { change: () => makeReply(200, 'first') };
  const second: Hook<Asking> = { change: () => makeReply(200, 'second') };
  const { lines, body } = await run([first, second]);
  expect(lines).not.toContain('change as sent');
  expect(body).toBe('first, shown');
});

test('an operation without hooks is its action', () => {
  const act: Behaviour<Asking> = () => makeReply(200, 'alone');
  expect(inPhases<Asking>([], act)).toBe(act);
});

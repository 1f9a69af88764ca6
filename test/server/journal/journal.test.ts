import { describe, expect, test } from 'vitest';
import { Journal, summarise, type Happening } from '../../../src/server/journal/journal.ts';
import { fc } from '../../property.ts';

const roomy = { entries: 1_000, body: 1_000, total: 1_000_000 };

function happening(
  target: string,
  {
    body = '',
    session,
    operation,
  }: { readonly body?: string; readonly session?: string; readonly operation?: string } = {},
): Happening {
  const headers = session === undefined ? [] : [['Vouch-Session', session] as const];
  const answer = {
    status: 200,
    headers: [],
    body: Buffer.from(body),
    delayMs: 0,
    ...(operation === undefined ? {} : { operation }),
  };
  return {
    at: 0,
    request: { method: 'GET', target, headers, body: Buffer.from(body) },
    answer,
    durationMs: 1,
  };
}

const targetsOf = (journal: Journal): string[] =>
  journal.list().map(({ request }) => request.target);

test('keeps the latest entries, oldest first, and counts dropped ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.webPath(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (targets, entries) => {
        const journal = new Journal({ ...roomy, entries });
        for (const target of targets) journal.add(happening(target));
        expect(targetsOf(journal)).toEqual(targets.slice(-entries));
        expect(journal.forgotten()).toBe(Math.max(0, targets.length - entries));
      },
    ),
  );
});

test('a long run of a check takes half of the room of what others sent, and no more', () => {
  const journal = new Journal({ ...roomy, entries: 8 });
  const ofRun = (target: string): Happening => {
    const { request, ...rest } = happening(target);
    return { ...rest, request: { ...request, headers: [['Vouch-Run', 'vouch-1a2b3c']] } };
  };
  for (const number of [1, 2, 3, 4, 5, 6]) journal.add(happening(`/by-hand/${String(number)}`));
  for (let number = 0; number < 50; number += 1) journal.add(ofRun(`/run/${String(number)}`));
  const newest = ['/run/46', '/run/47', '/run/48', '/run/49'];
  expect(targetsOf(journal)).toEqual([...[3, 4, 5, 6].map((at) => `/by-hand/${at}`), ...newest]);
  expect([journal.size, journal.forgotten()]).toEqual([8, 48]);
  expect(journal.after(54, 10).map(({ id }) => id)).toEqual([55, 56]);
  journal.add(happening('/by-hand/7'));
  expect(targetsOf(journal)[0]).toBe('/by-hand/4');
  for (let number = 8; number < 16; number += 1) journal.add(happening(`/by-hand/${number}`));
  expect(targetsOf(journal).every((target) => target.startsWith('/by-hand/'))).toBe(true);
  journal.clear();
  expect(journal.size).toBe(0);
});

test('continues the numbering over dropped entries', () => {
  const journal = new Journal({ ...roomy, entries: 2 });
  for (const target of ['/a', '/b', '/c']) journal.add(happening(target));
  expect(journal.list().map(({ id }) => id)).toEqual([2, 3]);
});

test('holds no more bytes than it may, and forgets no sooner than it must', () => {
  const journal = new Journal({ ...roomy, total: 8_000 });
  for (let count = 0; count < 100; count += 1)
    journal.add(happening(`/${String(count)}`, { body: 'x'.repeat(300) }));
  const kept = journal.list();
  expect(kept.length * 600).toBeLessThanOrEqual(8_000);
  expect(kept.length).toBeGreaterThanOrEqual(7);
  expect(targetsOf(journal)).toEqual(
    Array.from({ length: kept.length }, (_, index) => `/${String(100 - kept.length + index)}`),
  );
  expect(journal.forgotten()).toBe(100 - kept.length);
});

test('keeps one exchange that is larger than it may hold, and nothing beside it', () => {
  const journal = new Journal({ ...roomy, body: 10_000, total: 100 });
  journal.add(happening('/small'));
  journal.add(happening('/large', { body: 'x'.repeat(5_000) }));
  expect(targetsOf(journal)).toEqual(['/large']);
  expect(journal.list()[0]?.request.body).toHaveLength(5_000);
});

test('returns recorded exchanges after later ones', () => {
  const text = fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 20,
  });
  const headers = fc.array(fc.tuple(text, text), { maxLength: 5 });
  const one = fc.record({
    target: text,
    requestHeaders: headers,
    answerHeaders: fc.array(fc.tuple(text, fc.string({ unit: 'grapheme', maxLength: 20 })), {
      maxLength: 5,
    }),
    body: fc.uint8Array({ maxLength: 60 }),
    answer: fc.uint8Array({ maxLength: 60 }),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 60 }), (all) => {
      const journal = new Journal({ entries: 20, body: 100, total: 2_000 });
      for (const { target, requestHeaders, answerHeaders, body, answer } of all) {
        journal.add({
          at: 1,
          durationMs: 2,
          request: { method: 'PUT', target, headers: requestHeaders, body },
          answer: { status: 201, headers: answerHeaders, body: answer, delayMs: 0 },
        });
      }
      const kept = journal.list();
      const expected = all
        .slice(all.length - kept.length)
        .map(({ target, requestHeaders, answerHeaders, body, answer }) => ({
          target,
          requestHeaders,
          answerHeaders: answerHeaders.map(([name, value]) => [name, value.replaceAll('\n', ' ')]),
          body,
          answer,
        }));
      expect(kept.length).toBeGreaterThan(0);
      expect(
        kept.map(({ request, answer }) => ({
          target: request.target,
          requestHeaders: request.headers,
          answerHeaders: answer.headers,
          body: request.body,
          answer: answer.body,
        })),
      ).toEqual(expected);
    }),
  );
});

test('keeps the beginning of a long body, and says how long it was', () => {
  const journal = new Journal({ ...roomy, body: 3 });
  journal.add(happening('/a', { body: 'abcdef' }));
  const [entry] = journal.list();
  expect([
    Buffer.from(entry?.request.body ?? []).toString(),
    entry?.requestSize,
    entry?.answer.body.length,
    entry?.answerSize,
  ]).toEqual(['abc', 6, 3, 6]);
});

describe('clearing the journal', () => {
  test('forgets everything, and that it forgot', () => {
    const journal = new Journal({ ...roomy, entries: 1 });
    journal.add(happening('/a'));
    journal.add(happening('/b'));
    journal.clear();
    expect([journal.list(), journal.forgotten()]).toEqual([[], 0]);
  });

  test('removes only the named session', () => {
    const journal = new Journal(roomy);
    for (const [target, session] of [
      ['/a', 'one'],
      ['/b', 'two'],
      ['/c', undefined],
    ] as const)
      journal.add(happening(target, session === undefined ? {} : { session }));
    journal.clear('one');
    expect(targetsOf(journal)).toEqual(['/b', '/c']);
    journal.clear('default');
    expect(targetsOf(journal)).toEqual(['/b']);
  });
});

test('the journal summarizes an exchange', () => {
  expect(summarise(happening('/a?b', { operation: 'getA' }))).toEqual({
    method: 'GET',
    target: '/a?b',
    status: 200,
    operation: 'getA',
    durationMs: 1,
  });
  expect(summarise(happening('/a'))).not.toHaveProperty('operation');
});

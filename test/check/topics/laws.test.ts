import { checkInputOf } from '../../../src/check/engine/judge/judge.ts';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../src/check/topics/check.ts';
import { checks } from '../../../src/check/topics/index.ts';
import { readAnswer } from '../../../src/check/reading/read-answer.ts';
import { gatherKnowledge } from '../../../src/check/engine/judge/gather-knowledge.ts';
import type { CheckInput } from '../../../src/check/model/knowledge.ts';
import { roleOf, type Step } from '../../../src/check/model/step.ts';
import { executePlan } from '../../../src/check/engine/run/execute-plan.ts';
import { RunLog } from '../../../src/check/engine/send/run-log.ts';
import { openRun } from '../../../src/check/engine/run/open-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import { emptyBody, type HttpResponse } from '../../../src/http/message.ts';
import { fc } from '../../property.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import { openLibrary } from '../fixture/library-server.ts';
import { fixedLanes } from '../../../src/check/engine/send/side-by-side.ts';

const contract = libraryContract();
const all: readonly Check[] = checks;
let subjects: CheckInput[] = [];
/** Some of the subjects, each with every hostile answer. */
let mistreated: CheckInput[] = [];

/**
 * Every step of a whole run against a server that keeps the contract, as the checks get to see it.
 */
beforeAll(async () => {
  const library = await openLibrary();
  const run = openRun(resolveSettings({ ...library.target, contract, seed: 'laws' }));
  const { queue, sender, limits } = run;
  const attempts: (readonly Step[])[] = [];
  const log = new RunLog((_sequence, steps) => (attempts.push(steps), steps));
  await executePlan({ queue, sender, limits, log, lanes: fixedLanes(4), url: library.url });
  log.finish();
  const knowledge = gatherKnowledge(contract, log.steps, run.settings.runId);
  subjects = attempts.flatMap((steps) =>
    steps.map((step, index) =>
      checkInputOf({ contract, knowledge }, steps.slice(0, index + 1), step),
    ),
  );
  const read = hostile.map((response) => ({ response, answer: readAnswer(response) }));
  const some = subjects.filter((_subject, index) => index % 5 === 0);
  // An answer belongs to one step, so each subject has a copy.
  mistreated = some.flatMap((subject) =>
    read.map(({ response, answer }) => ({
      ...subject,
      exchange: { ...subject.exchange, response },
      answer: { ...answer },
    })),
  );
  await run.close();
  await library.close();
});

afterAll(() => {
  subjects = [];
  mistreated = [];
});

function withResponse(subject: CheckInput, response: HttpResponse): CheckInput {
  return { ...subject, exchange: { ...subject.exchange, response }, answer: readAnswer(response) };
}

const json = [['Content-Type', 'application/json']] as const;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const hostile: readonly HttpResponse[] = [
  { status: 200, headers: json, body: bytes('null') },
  { status: 200, headers: json, body: bytes('[null, 1, "x", [], {}]') },
  {
    status: 200,
    headers: json,
    body: bytes(
      '{"id": null, "title": {}, "status": [], "__proto__": {"id": 1}, "constructor": 1}',
    ),
  },
  { status: 200, headers: json, body: bytes('[{"id":1},{"id":1},{"id":"1"},{"id":1.0}]') },
  {
    status: 201,
    headers: json,
    body: bytes('{"id": 123456789012345678901234567890, "shelfId": 1e400}'),
  },
  { status: 201, headers: [...json, ['Location', 'http://[::1:bad/%zz']], body: emptyBody },
  { status: 200, headers: json, body: bytes(`${'['.repeat(2000)}${']'.repeat(2000)}`) },
  { status: 200, headers: json, body: Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]) },
  { status: 200, headers: json, body: Uint8Array.from([0xff, 0xfe, 0x00]) },
  { status: 200, headers: [['Content-Type', ';;;']], body: bytes('x') },
  {
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['Content-Encoding', 'gzip, br, deflate, gzip'],
    ],
    body: bytes('x'),
  },
  {
    status: 200,
    headers: [...json, ['Content-Encoding', 'gzip']],
    body: new Uint8Array(gzipSync(Buffer.alloc(9 * 1024 * 1024))),
  },
  { status: 200, headers: [...json, ['X-Total', '1e999']], body: bytes('[]') },
  { status: 200, headers: [...json, ['X-Total', '\u0000\u001b[31m']], body: bytes('[]') },
  { status: 999, headers: [], body: emptyBody },
  { status: 100, headers: [], body: emptyBody },
  { status: 0, headers: [], body: emptyBody },
  { status: 500, headers: [['Retry-After', 'soon']], body: bytes('<html>') },
  { status: 400, headers: json, body: bytes('{"status": "400", "statusCode": {}}') },
  { status: 404, headers: json, body: bytes('{"status": 9007199254740993}') },
];

describe.each(all.map((check) => [check.id, check] as const))('%s', (_id, check) => {
  test('states its rule and its reason in one sentence each', () => {
    expect(check.id).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(check.rule).toMatch(/^[A-Z].{30,}\.$/);
    expect(check.reason).toMatch(/^[A-Z].{30,}\.$/);
    for (const covered of check.covers ?? []) expect(all.map(({ id }) => id)).toContain(covered);
  });

  test('reports only notes for a conforming server', () => {
    const spoken = subjects.flatMap((subject) => check.inspect(subject) ?? []);
    expect(subjects.length).toBeGreaterThan(100);
    expect(spoken.filter(({ severity = check.severity }) => severity !== 'note')).toEqual([]);
  });

  test('reports nothing for requests with another intent', () => {
    const others = [...subjects, ...mistreated].filter(
      ({ case: { intent } }) => check.intents?.includes(intent.kind) === false,
    );
    expect(
      others
        .filter((subject) => check.inspect(subject) !== undefined)
        .map(({ case: { title } }) => title),
    ).toEqual([]);
  });

  test('reports nothing for operations with another action', () => {
    const { actions } = check;
    const others =
      actions === undefined
        ? []
        : [...subjects, ...mistreated].filter(
            ({ operation }) =>
              !(actions as readonly (string | undefined)[]).includes(
                roleOf(contract, operation)?.action,
              ),
          );
    expect(actions === undefined || others.length > 100).toBe(true);
    expect(
      others
        .filter((subject) => check.inspect(subject) !== undefined)
        .map(({ case: { title } }) => title),
    ).toEqual([]);
  });

  test('is pure: the same input has the same result and is not changed', () => {
    for (const subject of subjects.filter((_subject, index) => index % 7 === 0)) {
      const frozen = Object.freeze({
        ...subject,
        exchange: Object.freeze(subject.exchange),
        earlier: Object.freeze([...subject.earlier]),
      });
      expect(check.inspect(frozen)).toEqual(check.inspect(frozen));
    }
  });

  test('never throws for any response, and every violation has a place', () => {
    expect(mistreated.length).toBeGreaterThan(500);
    const violations = mistreated.flatMap((subject) => check.inspect(subject) ?? []);
    expect(violations.filter(({ at }) => contract.locate(at).line <= 1)).toEqual([]);
    expect(
      violations.filter(
        ({ message, expected, actual }) =>
          !/^[A-Z].*[.]$/s.test(message) || expected === '' || actual === '',
      ),
    ).toEqual([]);
  });

  test('never throws without a response', () => {
    for (const { exchange, ...subject } of subjects.slice(0, 60)) {
      const { response: _response, ...asked } = exchange;
      const silent: CheckInput = {
        ...subject,
        exchange: { ...asked, fault: { kind: 'timeout', message: 'nothing came.' } },
        answer: { kind: 'empty' },
      };
      expect(() => check.inspect(silent)).not.toThrow();
    }
  });
});

test('no check throws for any JSON body', () => {
  const status = fc.constantFrom(200, 201, 204, 301, 400, 401, 404, 418, 429, 500, 503);
  fc.assert(
    fc.property(fc.nat(), status, fc.json({ maxDepth: 3 }), (index, code, text) => {
      const subject = subjects[index % subjects.length];
      if (subject === undefined) return;
      const answered = withResponse(subject, { status: code, headers: json, body: bytes(text) });
      for (const check of all) check.inspect(answered);
    }),
    { numRuns: 400 },
  );
});

test('every check has a file with its id in a topic, and stands in the table', async () => {
  const files = await readdir('src/check/topics', { recursive: true });
  const own = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      readFileSync(`src/check/topics/${file}`, 'utf8').includes(' = check({'),
  );
  expect(all.map(({ id }) => `${id}.ts`).sort()).toEqual(own.map((file) => basename(file)).sort());
});

test('a check covers and explains findings of checks that exist', () => {
  const named = all.flatMap(({ covers = [], explains = [] }) => [
    ...covers,
    ...explains.flatMap(({ findings }) => (typeof findings === 'string' ? [] : findings)),
  ]);
  const ids = all.map(({ id }) => id);
  expect(named.filter((name) => !ids.includes(name))).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCheck } from '../../src/check/engine/check-target.ts';
import type { RunEvent } from '../../src/check/model/event.ts';
import { parseContract } from '../../src/contract/load.ts';
import { githubSummary } from '../../src/report/markdown.ts';
import type { Reporter } from '../../src/report/reporter.ts';
import { reporters } from '../../src/report/reporters.ts';
import { leaks, schemes, startLeaky, token } from './leaky-server.ts';
import { reportOf, unpackReport } from './report-of.ts';

/** A contract in which every answer is wrong, so that every exchange is shown with a finding. */
function contractText(scheme: string): string {
  const paths = Object.keys(leaks).map(
    (leak) =>
      `  /${leak}:\n    get:\n      operationId: ${leak}\n      summary: Shows it.\n` +
      `      responses:\n        '201': { description: never, content: { application/json: { ` +
      `schema: { type: array, items: { type: integer } } } } }\n        '200': ` +
      '{ description: nearly, headers: { X-Debug: { required: true, schema: { ' +
      'type: integer } } }, content: { application/json: { schema: { type: ' +
      'object, required: [ok], properties: { key: { type: integer }, error: { ' +
      'type: object, properties: { message: { type: integer } } } } } } } }',
  );
  return (
    'openapi: 3.1.0\ninfo: { title: Leaks, version: 1.0.0 }\nsecurity: [{ ' +
    'it: [] }]\ncomponents:\n  securitySchemes:\n    it: ' +
    `${scheme}\npaths:\n${paths.join('\n')}\n`
  );
}

/**
 * The ways in which a secret can stand in an output; base64 has three, by where in a group of three
 * bytes it begins.
 */
function writingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((blanks) => {
    const whole = Buffer.concat([
      Buffer.alloc(blanks),
      bytes.subarray(0, bytes.length - ((bytes.length + blanks) % 3)),
    ]).toString('base64');
    return whole.slice(blanks === 0 ? 0 : 4);
  });
  const percent = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
  return [
    secret,
    encodeURIComponent(secret),
    percent,
    percent.toUpperCase(),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/**
 * The text as a reader of it might unfold it: escapes of JSON and XML taken back, base64 in it
 * decoded.
 */
function unfold(text: string): string {
  const escapes = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('\\/', '/');
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([word]) =>
    Buffer.from(word, 'base64').toString('latin1'),
  );
  return [text, escapes, ...decoded].join('\n');
}

const everyReporter: readonly Reporter[] = [...reporters, githubSummary];
let target: Awaited<ReturnType<typeof startLeaky>>;
beforeAll(async () => {
  target = await startLeaky();
});
afterAll(() => target.close());

describe.each(schemes)('%s', (_name, scheme, secret) => {
  const events: RunEvent[] = [];
  beforeAll(async () => {
    for await (const event of runCheck({
      url: target.url,
      contract: parseContract(contractText(scheme), 'leaks.yaml'),
      token: secret,
      seed: '1',
      timeoutMs: 2000,
    }))
      events.push(event);
  });

  test('the run has every kind of leak of the server', () => {
    const told = new Set(
      events.flatMap((event) =>
        event.type === 'finding-reported' ? event.finding.operations : [],
      ),
    );
    expect([...told].sort()).toEqual(Object.keys(leaks).sort());
  });

  test.each(everyReporter.map((reporter) => [reporter.id, reporter] as const))(
    'no part of the secret is in %s',
    (_id, reporter) => {
      const report = unfold(
        unpackReport(reportOf(reporter, events, { verbose: true, width: 400 })),
      );
      expect(writingsOf(token).filter((writing) => report.includes(writing))).toEqual([]);
    },
  );
});

test('the search of this test detects', () => {
  const shown = (text: string): number =>
    writingsOf(token).filter((writing) => unfold(text).includes(writing)).length;
  const bytes = Buffer.from(` ${token}.`);
  expect(
    [
      token,
      bytes.toString('base64'),
      bytes.toString('hex'),
      encodeURIComponent(token),
      JSON.stringify(token).replace('+', '\\u002b'),
    ].map((text) => shown(text) > 0),
  ).toEqual([true, true, true, true, true]);
  expect(shown('$VOUCH_TOKEN [redacted]')).toBe(0);
});

import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import type { RunSummary, Verdict } from '../../src/check/model/run-summary.ts';
import { pretty } from '../../src/report/pretty.ts';
import { columnsOf } from '../../src/text/wrap-text.ts';
import { hostileEvents } from './hostile-run.ts';
import { reportOf as writeReport } from './report-of.ts';
import {
  bareEnd,
  resetConnection,
  sampleEvents,
  sampleRun,
  sampleSummary,
  wrongStatus,
} from './sample-run.ts';

/** The report with all that it has. */
function reportOf(...[reporter, events, options]: Parameters<typeof writeReport>): string {
  return writeReport(reporter, events, { verbose: true, ...options });
}

test('a run, 80 columns wide', () => {
  expect(reportOf(pretty, sampleEvents)).toMatchInlineSnapshot(`
    "
    vouch check http://127.0.0.1:4010/v1

      contract  Pet Store Service Interface 1.0.0 · openapi/petstore.v1.yaml
      mode      read-write
      seed      42 · run vouch-7f3a9c · vouch 0.1.0
      server    messages at http://127.0.0.1:4011
      skipped   POST /messages: its server has no URL; give one with --server
                messages=URL
      200      3 ms  read      listPets: status=sold

    Operations

      ✗ GET  /pets          1,112 requests  200 ×1,080 400 ×20 401 ×12 · 1 error,
                                            1 warning, 1 note
      ✗ POST /pets             96 requests  201 ×60 400 ×30 401 ×5 · 1 error
      ✓ GET  /pets/{petId}     93 requests  200 ×80 404 ×13
      ○ GET  /store/orders  skipped: no request sent
      ○ POST /messages      skipped: see above

    Findings

      1) error body-matches-schema (by the contract, id f3a9c2)
         GET /pets and 1 more operation: the answer has a status that the contract
         does not know

         tried     a plain request with the filter status=sold
         expected  one of available, pending, sold
         actual    "lost" at /0/status
         seen      12 times, on listPets and getPet

         openapi/petstore.v1.yaml:366:7
             364 |       description: The state of an animal.
             365 |       type: string
           > 366 |       enum: [available, pending, sold]
                 |       ^
             367 |

         GET http://127.0.0.1:4010/v1/pets?status=sold
         200 · application/json; charset=utf-8 · 58 bytes · 3 ms
         | [{"id":1,"name":"Biscuit","categoryId":1,"status":"lost"}]

         reproduce:
         curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept:
      ↳ application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'

         confirmed: a body that breaks its schema needs no control; it came in 12 of
                    12 answers

      2) error operation-answers (by the contract, id 0b44de)
         POST /pets: the connection was reset before an answer came, while other
         operations answered all the time and went on doing so afterwards

         tried     name is a text of 10,000 characters
         expected  an answer
         actual    a reset connection
         blame     undecided: server or contract

         openapi/petstore.v1.yaml:120:5
           > 120 |     post:
                 |     ^

         POST http://127.0.0.1:4010/v1/pets
         no complete response: connection.reset (read ECONNRESET) · 1.24 s

         reproduce:
         curl --path-as-is -X POST --data-raw '{}' 'http://127.0.0.1:4010/v1/pets'
         curl --path-as-is 'http://127.0.0.1:4010/v1/pets'

         confirmed: repeated twice

      3) warning answers-in-time (good practice, id 77aa01)
         GET /pets: one answer in twenty took longer than 2 s

         tried     every request to it
         expected  less than 2 s for 95 of 100 answers
         actual    2.41 s

         openapi/petstore.v1.yaml:72:5
           > 72 |     get:
                |     ^

         GET http://127.0.0.1:4010/v1/pets?status=sold
         200 · application/json; charset=utf-8 · 58 bytes · 3 ms
         | [{"id":1,"name":"Biscuit","categoryId":1,"status":"lost"}]

         confirmed: 112 answers were timed

    Notes

      · GET /pets: the answer has the field tags, which the contract does not name
        (fields-documented, openapi/petstore.v1.yaml:72:5, 40 times)

    Gaps of the contract and observed behavior

      · createPet accepts a body without status, which has no documented default.
        Observed: status was available in 3 of 3 answers

    Records left behind

      ! /pets/73 (createPet): the contract has no operation that deletes it

    Internal errors

      ✗ The check sort-holds crashed: Cannot read properties of undefined
        TypeError: Cannot read properties of undefined
            at inspect (sort-holds.ts:12:7)

    Failed. 2 errors in 2 of 5 operations.

      findings  2 errors, 1 warning, 1 note
      requests  1,301 in 1.24 s, to 3 of 5 operations
      left over 1 record or action of this run, listed above
      next      Fix finding 1 first; its last command reproduces it. Then run again
                with --seed 42 to send the same requests.

    "
  `);
});

test('the same findings in colour', () => {
  const events: RunEvent[] = [
    { type: 'finding-reported', finding: wrongStatus },
    { type: 'run-finished', summary: sampleSummary },
  ];
  expect(
    reportOf(pretty, events, { color: true })
      .replaceAll('\u001b[', '<')
      .replaceAll(/<(\d+)m/g, '<$1>'),
  ).toMatchInlineSnapshot(`
    "
    <1>Operations<22>

      <31>✗<39> GET  /pets          1,112 requests  <2>200 ×1,080<22> <2>400 ×20<22>
      ↳ <2>401 ×12<22> · <31>1 error,
                                            1 warning, 1 note<39>
      <31>✗<39> POST /pets             96 requests  <2>201 ×60<22> <2>400 ×30<22> <2>401
      ↳ ×5<22> · <31>1 error<39>
      <32>✓<39> GET  /pets/{petId}     93 requests  <2>200 ×80<22> <2>404 ×13<22>
      <2>○<22> GET  /store/orders  <2>skipped: no request sent<22>
      <2>○<22> POST /messages      <2>skipped: its server has no URL<22>

    <1>Findings<22>

      1) <31>error<39> <1>body-matches-schema<22> <2>(by the contract, id f3a9c2)<22>
         <1>GET /pets and 1 more operation: the answer has a status that the
      ↳ contract<22>
         <1>does not know<22>

         <2>tried     <22>a plain request with the filter status=sold
         <2>expected  <22>one of available, pending, sold
         <2>actual    <22>"lost" at /0/status
         <2>seen      <22>12 times, on listPets and getPet

         <36>openapi/petstore.v1.yaml:366:7<39>
         <2>    364 |       description: The state of an animal.<22>
         <2>    365 |       type: string<22>
           > 366 |       enum: [available, pending, sold]
         <31>        |       ^<39>
         <2>    367 |<22>

         GET http://127.0.0.1:4010/v1/pets?status=sold
         200 · application/json; charset=utf-8 · 58 bytes · 3 ms
         <2>| [{"id":1,"name":"Biscuit","categoryId":1,
      ↳"status":<22><33>"lost"<39><2>}]<22>

         <2>reproduce:<22>
         curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept:
      ↳ application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'

         confirmed: a body that breaks its schema needs no control; it came in 12 of
                    12 answers

    <31><1>Failed.<22><39> 2 errors in 2 of 5 operations.

      <2>findings <22> 2 errors, 1 warning, 1 note
      <2>requests <22> 1,301 in 1.24 s, to 3 of 5 operations
      <2>next     <22> Fix finding 1 first; its last command reproduces it. Then run
      ↳ again.

    "
  `);
});

test('color changes no text', () => {
  const colored = reportOf(pretty, sampleEvents, { color: true });
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(reportOf(pretty, sampleEvents));
});

test('a run with only its last event', () => {
  expect(reportOf(pretty, bareEnd)).toMatchInlineSnapshot(`
    "
    Inconclusive. Nothing answered at http://127.0.0.1:4010/v1.

      findings  none
      requests  0 in 12 ms, to 0 of 0 operations
      next      Fix that first, then run again.

    "
  `);
});

test('verbose: print a line for each exchange, without its address', () => {
  expect(reportOf(pretty, sampleEvents.slice(2, 4), { verbose: true })).toBe(
    '  200      3 ms  read      listPets: status=sold\n',
  );
});

describe('the width of the pretty report', () => {
  const isFree = (line: string): boolean => /^\s*curl /.test(line) || line.includes('|');

  test.each([80, 200])('prose fits into %i columns', (width) => {
    const lines = reportOf(pretty, sampleEvents, { width }).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width && !isFree(line))).toEqual([]);
  });

  test('commands and code are never broken', () => {
    const report = reportOf(pretty, sampleEvents, { width: 40 });
    for (const command of wrongStatus.curl)
      expect(report.split('\n').map((line) => line.trim())).toContain(command);
    for (const line of wrongStatus.frame.split('\n')) expect(report).toContain(line.trimEnd());
  });

  test('a wider page has fewer lines', () => {
    const lines = (width: number): number =>
      reportOf(pretty, sampleEvents, { width }).split('\n').length;
    expect(lines(200)).toBeLessThan(lines(80));
  });
});

describe('other events of a run', () => {
  const end = (summary: Partial<RunSummary>, ...events: readonly RunEvent[]): string =>
    reportOf(pretty, [
      ...events,
      { type: 'run-finished', summary: { ...sampleSummary, operations: [], ...summary } },
    ]);

  test('the reach, in one line', () => {
    const coverage = {
      statuses: { reached: 41, total: 48 },
      inputs: { reached: 300, total: 1310 },
      operations: [],
    };
    expect(end({ coverage })).toContain(
      '  coverage  41 of 48 documented statuses, 300 of 1,310 input variants;\n' +
        '            --reporter html=report.html shows the rest\n',
    );
    expect(end({ coverage: { ...coverage, statuses: { reached: 1, total: 1 } } })).toContain(
      '  coverage  1 of 1 documented status, 300 of 1,310 input variants\n',
    );
  });

  test('findings that the configuration skips', () => {
    const report = end({
      skippedFindings: [
        {
          check: 'sort-holds',
          severity: 'error',
          operation: 'listPets',
          message: 'The order is wrong.',
          count: 2,
          reason: 'known, VET-12',
          until: '2030-12-31',
        },
      ],
    });
    expect(report).toContain(
      'Skipped by the configuration\n\n  ○ sort-holds on listPets: The order ' +
        'is wrong. Skipped until 2030-12-31: known,\n    VET-12\n',
    );
    expect(report).toContain('  excluded  1 finding, by the configuration\n');
  });

  test('findings that the baseline accepts', () => {
    const report = end(
      {},
      {
        type: 'finding-reported',
        finding: { ...wrongStatus, severity: 'note', accepted: 'error' },
      },
    );
    expect(report).toContain(
      'Accepted by the baseline\n\n  · GET /pets and 1 more operation: the answer has a ' +
        'status that the contract\n    does not know (body-matches-schema, openapi/' +
        'petstore.v1.yaml:366:7,\n    12 times)\n',
    );
    expect(report).toContain('  accepted  1 error, by the baseline (counted as notes)\n');
    expect(report).not.toContain('\nNotes\n');
  });

  test('differences of two deployments', () => {
    const report = end(
      {},
      {
        type: 'difference-found',
        difference: {
          id: 'd1',
          operation: { id: 'listPets', method: 'GET', path: '/pets' },
          kind: 'status',
          severity: 'warning',
          at: '',
          trying: 'limit is 0',
          count: 2,
          left: '400',
          right: '200',
        },
      },
    );
    expect(report).toContain(
      'Differences from the second deployment (here | there)\n\n  GET /pets\n  ' +
        '  ≠ status: 400 | 200 (2 times: limit is 0)\n',
    );
  });

  test('causes are counted if there are many findings', () => {
    const many = Array.from({ length: 4 }, (_, index): RunEvent => ({
      type: 'finding-reported',
      finding: { ...(index === 3 ? resetConnection : wrongStatus), id: String(index) },
    }));
    expect(end({}, ...many)).toContain(
      '  causes    body-matches-schema ×3, operation-answers ×1\n',
    );
  });

  test('a reproducible finding has a replay command', () => {
    const replay = {
      version: 1,
      check: 'a',
      at: '',
      cause: '',
      mark: '',
      contract: '',
      alone: true,
      times: 1,
      steps: [],
    } as const;
    expect(end({}, { type: 'finding-reported', finding: { ...wrongStatus, replay } })).toContain(
      '\n     vouch replay f3a9c2  # after fixing it\n',
    );
    const inTerminal = (width: number): string =>
      reportOf(
        pretty,
        [
          { type: 'finding-reported', finding: { ...wrongStatus, replay } },
          { type: 'run-finished', summary: sampleSummary },
        ],
        { terminal: true, width },
      );
    expect(inTerminal(43)).toContain('\n     vouch replay f3a9c2  # after fixing it\n');
    expect(inTerminal(42)).toContain('\n     vouch replay f3a9c2\n');
    expect(
      end({}, { type: 'finding-reported', finding: { ...wrongStatus, id: '$(rm)', replay } }),
    ).not.toContain('vouch replay');
  });

  test('the relevant part of a long body is shown', () => {
    const body = new TextEncoder().encode(
      JSON.stringify([
        ...Array.from({ length: 60 }, (_, id) => ({ id, status: 'sold' })),
        { id: 60, status: 'lost' },
        ...Array.from({ length: 60 }, (_, id) => ({ id: id + 61, status: 'sold' })),
      ]),
    );
    const report = end(
      {},
      {
        type: 'finding-reported',
        finding: {
          ...wrongStatus,
          exchange: { ...wrongStatus.exchange!, response: { status: 200, headers: [], body } },
        },
      },
    );
    const cut = /^ +\| … \([\d,]+ bytes more\)$/;
    const shown = report.split('\n').filter((line) => /^ +\| /.test(line));
    expect(shown.some((line) => /\| … \(after [\d,]+ bytes\)$/.test(line))).toBe(true);
    expect(shown.some((line) => line.includes('"lost"'))).toBe(true);
    expect(shown.some((line) => cut.test(line))).toBe(true);
  });
});

describe('the highlighted part of a body', () => {
  const marks = (finding: Partial<Finding>, body: string): string[] => {
    const event: RunEvent = {
      type: 'finding-reported',
      finding: {
        ...wrongStatus,
        ...finding,
        exchange: {
          ...wrongStatus.exchange!,
          response: { status: 200, headers: [], body: new TextEncoder().encode(body) },
        },
      },
    };
    const lines = reportOf(pretty, [event, { type: 'run-finished', summary: sampleSummary }], {
      color: true,
    })
      .split('\n')
      .filter((line) => line.includes('| '));
    return lines.flatMap((line) =>
      [...line.matchAll(/\u001b\[33m(.*?)\u001b\[39m/g)].map(([, text]) => text!),
    );
  };

  test.each([
    [
      'every member with the value',
      { actual: 'status is "sold" in 2 of 3 records' },
      '[{"status":"sold"},{"status":"sold","was":"sold"},{"status":"lost"}]',
      ['"status":"sold"', '"status":"sold"'],
    ],
    [
      'the member that breaks its schema',
      { expected: 'the value at /0/name must be a string', actual: 'null' },
      '[{"name":null,"tag":null}]',
      ['"name":null'],
    ],
    [
      'nothing where a body repeats the status',
      { pointer: '/paths/~1pets/get/responses', actual: '500' },
      '{"status":500}',
      [],
    ],
    [
      'what hides is shown, and marked as it is shown',
      { actual: 'name is "\u202ex"' },
      '{"name":"\u202ex"}',
      ['"name":"\\u202ex"'],
    ],
  ])('%s', (_name, finding, body, marked) => {
    expect(marks(finding, body)).toEqual(marked);
  });
});

describe('the next step in the pretty report', () => {
  const ended = (verdict: Verdict, warning = 0): string => {
    const findings = { error: 0, warning, note: 0 };
    const report = reportOf(
      pretty,
      [
        { type: 'run-started', run: sampleRun },
        {
          type: 'run-finished',
          summary: { ...sampleSummary, verdict, findings, reason: 'Because.', operations: [] },
        },
      ],
      { width: 200 },
    );
    return report
      .split('\n')
      .filter((line) => /Because|next/.test(line))
      .join('\n');
  };

  test('a verdict has its reason and the next step', () => {
    const verdicts: [Verdict, number][] = [
      ['passed', 0],
      ['passed', 2],
      ['failed', 0],
      ['inconclusive', 0],
      ['crashed', 0],
      ['interrupted', 0],
    ];
    expect(verdicts.map(([verdict, warnings]) => ended(verdict, warnings)).join('\n'))
      .toMatchInlineSnapshot(`
        "Passed. Because.
          next      Nothing to fix. In CI, add --reporter junit=report.xml.
        Passed. Because.
          next      Review the warnings above; warnings do not fail the run.
        Failed. Because.
          next      Fix finding 1 first. Then run again with --seed 42 to send the same
          ↳ requests.
        Inconclusive. Because.
          next      Fix that first, then run again with --seed 42 to send the same requests.
        Internal error. Because.
          next      Please report the internal error above with its stack trace. Findings of
          ↳ other checks are valid.
        Interrupted. Because.
          next      Run again for a complete result with --seed 42 to send the same
          ↳ requests. Findings so far are valid."
      `);
  });

  test('401 responses are not listed as passed, and known findings are not fixed', () => {
    const locked = {
      id: 'a',
      method: 'GET',
      path: '/a',
      requests: 5,
      errors: 0,
      warnings: 0,
      notes: 0,
      statuses: { 401: 4, 405: 1 },
      checks: {},
    };
    const open = { ...locked, id: 'b', path: '/b', requests: 2, statuses: { 200: 1, 401: 1 } };
    const end: RunEvent = {
      type: 'run-finished',
      summary: {
        ...sampleSummary,
        verdict: 'passed',
        reason: 'Because.',
        operations: [locked, open],
        findings: { error: 0, warning: 0, note: 1 },
      },
    };
    const known: RunEvent = {
      type: 'finding-reported',
      finding: { ...wrongStatus, severity: 'note', accepted: 'error' },
    };
    const linesOf = (...events: RunEvent[]): string[] =>
      reportOf(pretty, events, { width: 200 })
        .split('\n')
        .filter((line) => /\/[ab] |next/.test(line))
        .map((line) => line.trim());
    expect(linesOf(end)).toEqual([
      '○ GET /a  5 requests  401 ×4 405 ×1 · access denied',
      '✓ GET /b  2 requests  200 ×1 401 ×1',
      'next      Run again with a valid credential: operations that always ' +
        'responded 401 were not tested.',
    ]);
    expect(linesOf(known, { ...end, summary: { ...end.summary, operations: [open] } })).toContain(
      'next      No new errors. After fixing an accepted finding, remove it ' +
        'with --update-baseline.',
    );
  });

  test('a seed with shell syntax is not in a command', () => {
    const report = reportOf(pretty, [
      { type: 'run-started', run: { ...sampleRun, seed: '$(rm -rf ~)' } },
      { type: 'run-finished', summary: { ...sampleSummary, verdict: 'inconclusive' } },
    ]);
    expect(report).not.toContain('--seed');
  });
});

test('hostile text is shown, and harmless', () => {
  const block = reportOf(pretty, hostileEvents).split('\n');
  expect(block.slice(block.indexOf('Findings'), block.indexOf('Findings') + 12).join('\n'))
    .toMatchInlineSnapshot(`
      "Findings

        1) error \\x1b[31mred\\x1b]8;;http://evil.example\\x07\\x9b2J\\u202egnp.exe
        ↳ \\r\\n::error::owned\\n#\\x23[error]owned <script>alert(1)</script> ]]> & "' | \`\`
        ↳ @team \\ufffe\\ud800 %0A,: (by the contract, id
        ↳ \\x1b[31mred\\x1b]8;;http://evil.example\\x07\\x9b2J\\u202egnp.exe
        ↳ \\r\\n::error::owned\\n#\\x23[error]owned <script>alert(1)</script> ]]> & "' | \`\`
        ↳ @team \\ufffe\\ud800 %0A,:)
           \\x1b[31mred\\x1b]8;;http://evil.example\\x07\\x9b2J\\u202egnp.exe
           \\r\\n::error::owned\\n#\\x23[error]owned <script>alert(1)</script> ]]> & "' |
        ↳ \`\`
           @team \\ufffe\\ud800 %0A,:
           \\x1b[31mred\\x1b]8;;http://evil.example\\x07\\x9b2J\\u202egnp.exe
           \\r\\n::error::owned\\n#\\x23[error]owned <script>alert(1)</script> ]]> & "' |
        ↳ \`\`
           @team \\ufffe\\ud800 %0A,::
           \\x1b[31mred\\x1b]8;;http://evil.example\\x07\\x9b2J\\u202egnp.exe
           \\r\\n::error::owned\\n#\\x23[error]owned <script>alert(1)</script> ]]> & "' |
        ↳ \`\`
           @team \\ufffe\\ud800 %0A,:"
    `);
});

describe('operations that get no request', () => {
  const skip = (id: string, reason: string): RunEvent => ({
    type: 'operation-skipped',
    operation: { id, method: 'GET', path: `/repos/{owner}/${id}` },
    reason,
  });
  const unknown = (id: string): RunEvent =>
    skip(
      id,
      'nothing in the contract shows which values {owner} has; give one with ' +
        `targets.NAME.examples.${id}.owner.`,
    );
  const linesOf = (skips: readonly RunEvent[]): string =>
    /\n( {2}skipped {3}[^]*?)\n\n/.exec(
      reportOf(pretty, [{ type: 'run-started', run: sampleRun }, ...skips, ...bareEnd]),
    )?.[1] ?? '';

  test('are grouped if many have the same reason, with one hint', () => {
    expect(linesOf(['issues', 'pulls', 'tags', 'forks'].map(unknown))).toBe(
      [
        '  skipped   4 operations, marked ○ below: nothing in the contract shows which',
        '            values {owner} has; give one for all with',
        '            targets.NAME.examples.*.owner.',
      ].join('\n'),
    );
  });

  test('are listed one by one if they are few or differ', () => {
    const lines = linesOf([
      unknown('issues'),
      unknown('pulls'),
      skip('tags', 'it changes the only record there is.'),
    ]);
    expect(lines.match(/skipped/g)).toHaveLength(3);
    expect(lines).toContain('targets.NAME.examples.issues.owner');
    expect(lines).toContain('GET /repos/{owner}/tags: it changes the only record there is.');
  });
});

test('a run that takes long says so when its plan is made', () => {
  const [started] = sampleEvents;
  if (started === undefined) throw new Error('The run has no events.');
  const made = { type: 'plan-made', cases: 1300, requests: 1300, answerMs: 300 } as const;
  const timeOf = (expectedMs: number): string | undefined =>
    reportOf(pretty, [started, { ...made, expectedMs }])
      .split('\n')
      .find((line) => line.startsWith('  time'));
  expect(timeOf(45_200)).toBe('  time      about 46 s for 1,300 requests, at 300 ms per answer');
  expect(timeOf(9_000)).toBeUndefined();
});

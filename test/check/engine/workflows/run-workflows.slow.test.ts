import { describe, expect, test } from 'vitest';
import type { ArazzoDocument } from '../../../../src/arazzo/model.ts';
import { readArazzo } from '../../../../src/arazzo/read-arazzo.ts';
import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../../../src/check/engine/check-target.ts';
import { replayFindings } from '../../../../src/check/replay/replay-findings.ts';
import type { WorkflowOptions } from '../../../../src/check/engine/settings.ts';
import { makeLocator } from '../../../../src/contract/locate.ts';
import { parseYaml } from '../../../../src/json/parse-yaml.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { openFront, type Front, type FrontOptions } from '../../fixture/front.ts';

/** The front of the last run. */
let front: Front = openFront({});

function flows(text: string): ArazzoDocument {
  const whole = `arazzo: 1.1.0
info: { title: Books, version: '1' }
sourceDescriptions: [{ name: library, url: ./library.yaml }]
workflows:
${text.replaceAll(/^/gm, '  ')}`;
  const reading = parseYaml(whole);
  if (!reading.ok) throw new Error(reading.problem.message);
  const locator = makeLocator('flow.yaml', whole);
  return readArazzo({ file: 'flow.yaml', value: reading.value, locator });
}

interface Ran extends CheckReport {
  readonly asked: readonly string[];
}

/** Runs only the workflows, on the library behind a front. */
async function run(
  text: string,
  { inputs = {}, ...options }: Partial<CheckOptions> & Pick<WorkflowOptions, 'inputs'> = {},
  served: FrontOptions = {},
): Promise<Ran> {
  front = openFront(served);
  const report = await checkTarget({
    url: front.url,
    contract: libraryContract(),
    token: front.token,
    send: front.send,
    seed: 'flows',
    wait: async () => {},
    ...options,
    workflows: { files: [flows(text)], alone: true, inputs },
  });
  return { ...report, asked: front.asked.map(({ method, url }) => `${method} ${url}`) };
}

function outcomes({ summary }: CheckReport): readonly string[] {
  return (summary.workflows ?? []).map(
    ({ id, outcome, steps, reason }) =>
      `${id} ${outcome}: ${steps.map((step) => `${step.id} ${step.outcome}`).join(', ')}` +
      (reason ?? ''),
  );
}

function failures({ findings }: CheckReport): readonly string[] {
  return findings.filter(({ check }) => check === 'criteria-hold').map(({ message }) => message);
}

const create = `- stepId: create
  operationId: createBook
  requestBody: { payload: { title: $inputs.title, shelfId: 7, pages: 12 } }
  successCriteria: [{ condition: $statusCode == 201 }]
  outputs: { id: $response.body#/id }`;

const read = `- stepId: read
  operationId: getBook
  parameters: [{ name: bookId, in: path, value: $steps.create.outputs.id }]`;

function flow(id: string, ...steps: readonly string[]): string {
  const creates = steps.some((step) => step.includes('stepId: create\n'));
  return `- workflowId: ${id}
  inputs: { type: object, properties: { title: { type: string, default: Emma } } }
  steps:
${steps.join('\n').replaceAll(/^/gm, '    ')}
  outputs: {${creates ? ' id: $steps.create.outputs.id ' : ''}}
`;
}

describe('a workflow on a sound service', () => {
  test('passes, passes outputs on, and its record is deleted by the cleanup', async () => {
    const ran = await run(
      flow(
        'books',
        create,
        `${read}
  successCriteria:
    - condition: $statusCode == 200 && $response.body#/title == $inputs.title
    - { context: $statusCode, type: regex, condition: '^2..$' }
    - { context: $response.body, type: jsonpath, condition: "$[?@ == '{$inputs.title}']" }`,
      ),
    );
    expect(outcomes(ran)).toEqual(['books passed: create passed, read passed']);
    expect(ran.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(ran.events.filter(({ type }) => type === 'record-left')).toEqual([]);
    expect(ran.asked.some((asked) => asked.startsWith('DELETE /'))).toBe(true);
    const [started] = ran.events;
    expect(started).toMatchObject({ run: { effects: { named: ['POST /books'] } } });
  });

  test('a workflow calls another one with inputs, and reads its outputs', async () => {
    const ran = await run(`${flow('books', create)}- workflowId: caller
  dependsOn: [books]
  steps:
    - stepId: call
      workflowId: books
      parameters: [{ name: title, value: Persuasion }]
      outputs: { book: $outputs.id }
    - stepId: read
      operationId: getBook
      parameters: [{ name: bookId, in: path, value: $steps.call.outputs.book }]
      successCriteria: [{ condition: "$response.body#/title == 'persuasion'" }]
`);
    expect(outcomes(ran)).toEqual([
      'books passed: create passed',
      'caller passed: books/create passed, call passed, read passed',
    ]);
  });

  test('inputs given by the user keep the types of their schemas', async () => {
    const ran = await run(
      `- workflowId: pages
  inputs:
    type: object
    required: [count]
    properties: { count: { type: integer } }
  steps:
    - stepId: create
      operationId: createBook
      requestBody: { payload: { title: Emma, shelfId: 7, pages: $inputs.count } }
      successCriteria: [{ condition: $response.body#/pages == 7 }]
`,
      { inputs: { count: '7' } },
    );
    expect(outcomes(ran)).toEqual(['pages passed: create passed']);
  });
});

describe('a workflow that fails', () => {
  test.each([
    ['simple', "{ condition: $response.body#/title == 'Persuasion' }", 'title is "Emma"'],
    ['regex', "{ context: $statusCode, type: regex, condition: '^3' }", '$statusCode is 200'],
    [
      'jsonpath',
      '{ context: $response.body, type: jsonpath, condition: $.nope }',
      '$.nope selects nothing in $response.body',
    ],
  ])('by a criterion of type %s is a finding at its line', async (_type, criterion, seen) => {
    const ran = await run(flow('books', create, `${read}\n  successCriteria: [${criterion}]`));
    expect(outcomes(ran)).toEqual(['books failed: create passed, read failed']);
    expect(ran.summary.verdict).toBe('failed');
    const [finding] = ran.findings.filter(({ check }) => check === 'criteria-hold');
    expect(finding?.message).toContain(seen);
    expect(finding?.place).toMatchObject({ file: 'flow.yaml', line: 16 });
    expect(finding?.frame).toContain('> 16 |');
    expect(finding?.curl).toHaveLength(2);
    expect(finding?.curl[1]).toContain('"$VOUCH_ID"');
    expect(finding?.evidence).toContain('again when it was replayed');
  });

  test('its finding is replayed with its criteria', async () => {
    const broken = flow(
      'books',
      create,
      `${read}\n  successCriteria: [{ condition: $response.body#/id == 0 }]`,
    );
    const { findings } = await run(broken);
    const report = JSON.parse(JSON.stringify(findings)) as typeof findings;
    const replayed = [];
    for await (const { outcome } of replayFindings(
      report.filter(({ check }) => check === 'criteria-hold'),
      { ...front, contract: libraryContract() },
    ))
      replayed.push(outcome);
    expect(replayed).toEqual(['still failing']);
  });

  test('without criteria fails by a status from 400 on', async () => {
    const ran = await run(
      flow(
        'books',
        `- stepId: read
  operationId: getBook
  parameters: [{ name: bookId, in: path, value: 987654 }]`,
      ),
    );
    expect(failures(ran)).toEqual([
      'The response to the step read of the workflow books, which has no criteria, is no success.',
    ]);
  });

  test('because a response lacks an output is a finding on that response', async () => {
    const ran = await run(
      flow('books', create.replace('$response.body#/id', '$response.body#/isbn'), read),
    );
    expect(failures(ran)).toEqual([
      'The step read of the workflow books cannot be sent: ' +
        '$steps.create.outputs.id has no value.',
    ]);
  });

  test('its responses are judged by the other checks too', async () => {
    const ran = await run(
      flow('books', create, read),
      {},
      {
        alter: (_told, { method }) =>
          method === 'GET' ? { body: Buffer.from('{"id":"seven"}') } : {},
      },
    );
    expect(ran.findings.map(({ check }) => check)).toContain('body-matches-schema');
  });
});

/** Refuses the first requests for a book. */
function failingReads(times: number): FrontOptions {
  let left = times;
  const body = '{"code":"not_found","message":"There is no such book.","status":404}';
  const headers = { 'content-type': 'application/json' };
  return {
    answer: ({ method, url }) => {
      if (method !== 'GET' || !/\/books\/\d+$/.test(url) || left === 0) return undefined;
      left -= 1;
      return { status: 404, headers, body: Buffer.from(body) };
    },
  };
}

describe('the actions of a step', () => {
  const retry = `${read}
  successCriteria: [{ condition: $statusCode == 200 }]
  onFailure:
    - name: again
      type: retry
      retryAfter: 3
      retryLimit: 2
      criteria: [{ condition: $statusCode == 404 }]`;

  test('a retry that succeeds is no failure, and waits', async () => {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const ran = await run(flow('books', create, retry), { wait }, failingReads(2));
    expect(outcomes(ran)).toEqual([
      'books passed: create passed, read retried, read retried, read passed',
    ]);
    expect(failures(ran)).toEqual([]);
    expect(waits.filter((ms) => ms === 3_000)).toHaveLength(2);
  });

  test('a retry ends at its limit', async () => {
    const ran = await run(flow('books', create, retry), {}, failingReads(3));
    expect(outcomes(ran)).toEqual([
      'books failed: create passed, read retried, read retried, read failed',
    ]);
    expect(failures(ran)).toHaveLength(1);
  });

  test('a goto passes over steps, and end ends the workflow', async () => {
    const ran = await run(
      flow(
        'books',
        `${create}\n  onSuccess: [{ name: on, type: goto, stepId: last }]`,
        `${read}\n  successCriteria: [{ condition: $statusCode == 500 }]`,
        `- stepId: last
  operationId: listBooks
  onSuccess: [{ name: done, type: end }]`,
        read.replace('read', 'never'),
      ),
    );
    expect(outcomes(ran)).toEqual(['books passed: create passed, last passed']);
  });

  test('a failure that a goto handles is no finding', async () => {
    const ran = await run(
      flow(
        'books',
        `- stepId: find
  operationId: getBook
  parameters: [{ name: bookId, in: path, value: 987654 }]
  successCriteria: [{ condition: $statusCode == 200 }]
  onFailure: [{ name: make, type: goto, stepId: create }]`,
        create,
      ),
    );
    expect(outcomes(ran)).toEqual(['books passed: find handled, create passed']);
    expect(failures(ran)).toEqual([]);
  });

  test('actions that go round in circles end after 300 steps', async () => {
    const ran = await run(
      flow(
        'books',
        `- stepId: list
  operationId: listBooks
  onSuccess: [{ name: again, type: goto, stepId: list }]`,
      ),
    );
    expect(failures(ran)).toEqual(['The workflow books does not end within 300 steps.']);
  });

  test('workflows that call one another without end are a failure', async () => {
    const ran = await run(`- workflowId: one
  steps:
    - { stepId: list, operationId: listBooks }
    - { stepId: call, workflowId: one }
`);
    expect(failures(ran)).toEqual([
      'The workflow one does not end within 20 workflows in one another.',
    ]);
  });
});

describe('what workflows may do', () => {
  const remove = `- stepId: remove
  operationId: deleteBook
  parameters: [{ name: bookId, in: path, value: 1 }]
  successCriteria: [{ condition: $statusCode == 204 }]`;

  test('a read-only run runs only those that read', async () => {
    const list = '- { stepId: list, operationId: listBooks }';
    const ran = await run(flow('removes', remove) + flow('reads', list), { mode: 'read-only' });
    expect(outcomes(ran)).toEqual([
      'removes not-run: its step remove sends DELETE /books/{bookId}, and it is a DELETE, and ' +
        'the run is read-only; --mode read-write sends it',
      'reads passed: list passed',
    ]);
    expect(ran.asked.some((asked) => asked.startsWith('DELETE'))).toBe(false);
  });

  test('a record of others is changed once by its name, and is not reported as gone', async () => {
    const ran = await run(flow('removes', remove.replace('204', '200')), {});
    expect(ran.asked.filter((asked) => asked.startsWith('DELETE'))).toHaveLength(1);
    expect(failures(ran)).toHaveLength(1);
    expect(ran.summary.census?.gone ?? []).toEqual([]);
  });

  test('an excluded operation is not sent', async () => {
    const ran = await run(flow('removes', remove), { exclude: ['deleteBook'] });
    expect(outcomes(ran)[0]).toContain('it is excluded (--exclude)');
  });

  test('a workflow without a required input is not run', async () => {
    const ran = await run(`- workflowId: needs
  inputs: { type: object, required: [title], properties: { title: { type: string } } }
  steps: [{ stepId: list, operationId: listBooks }]
`);
    expect(outcomes(ran)).toEqual([
      'needs not-run: its input title has no value; --input title=VALUE gives one',
    ]);
  });
});

describe('a workflow that does not fit the contract', () => {
  test.each([
    ['- { stepId: a, operationId: getBok }', 'library.yaml has no operation getBok.', 'getBook'],
    ['- { stepId: a, operationId: getBook }', 'The step a gives no value for bookId', 'bookId'],
    [
      '- { stepId: a, operationId: listBooks, parameters: [{ name: limt, in: query, value: 1 }] }',
      'The operation listBooks has no query parameter limt.',
      '',
    ],
    [
      '- { stepId: a, operationId: $sourceDescriptions.books.getBook }',
      'There is no source description books.',
      'library',
    ],
    [
      "- { stepId: a, operationPath: '{$sourceDescriptions.library.url}#/paths/~1books/patch' }",
      'library.yaml has no one operation at /books.',
      'get, post',
    ],
    [
      '- { stepId: a, operationId: listBooks, outputs: { x: $steps.b.outputs.y } }',
      'The workflow has no step b.',
      '',
    ],
    ['- { stepId: a, workflowId: bookz }', 'There is no workflow bookz.', 'books'],
    [
      '- { stepId: a, operationId: listBooks, successCriteria: [' +
        '{ type: xpath, context: $response.body, condition: //a }] }',
      'vouch does not evaluate XPath.',
      'jsonpath',
    ],
  ])('%s is an error with a place and a hint', async (step, message, hint) => {
    const failed = run(flow('books', step));
    await expect(failed).rejects.toMatchObject({
      code: 'workflow-invalid',
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining(hint) as string,
      place: expect.objectContaining({ file: 'flow.yaml' }) as object,
    });
  });
});

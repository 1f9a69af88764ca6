import { describe, expect, test } from 'vitest';
import type { ArazzoDocument } from '../../src/arazzo/model.ts';
import { readArazzo } from '../../src/arazzo/read-arazzo.ts';
import { makeLocator } from '../../src/contract/locate.ts';
import { VouchError } from '../../src/errors.ts';
import { parseYaml } from '../../src/json/parse-yaml.ts';

function read(text: string): ArazzoDocument {
  const reading = parseYaml(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  const locator = makeLocator('flow.yaml', text);
  return readArazzo({ file: 'flow.yaml', value: reading.value, locator });
}

function refusal(text: string): VouchError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof VouchError) return error;
  }
  throw new Error('it was read');
}

const head = `arazzo: 1.0.1
info: { title: Flows, version: '1' }
sourceDescriptions: [{ name: api, url: ./api.yaml, type: openapi }]
`;

/** A document with one workflow of one step, to which members are added. */
function withStep(members: string, rest = ''): string {
  return `${head}workflows:
  - workflowId: one
    steps:
      - stepId: get
        operationId: getItem
${members.replaceAll(/^/gm, '        ')}
${rest}`;
}

describe('reading an Arazzo document', () => {
  test('defaults of a workflow come after the own of a step, which override them', () => {
    const { workflows } = read(`${head}workflows:
  - workflowId: one
    parameters:
      - { name: X-Trace, in: header, value: shared }
      - { name: limit, in: query, value: 1 }
    failureActions: [{ name: again, type: retry, retryLimit: 2 }]
    steps:
      - stepId: get
        operationId: getItem
        parameters: [{ name: limit, in: query, value: 5 }]
        onFailure: [{ name: give-up, type: end }]
`);
    const [step] = workflows[0]?.steps ?? [];
    expect(step?.parameters.map(({ name, value }) => [name, value])).toEqual([
      ['limit', 5],
      ['X-Trace', 'shared'],
    ]);
    expect(step?.onFailure.map(({ name, type, retryLimit }) => [name, type, retryLimit])).toEqual([
      ['give-up', 'end', 1],
      ['again', 'retry', 2],
    ]);
  });

  test('reusable objects are read from the components, and a value overrides theirs', () => {
    const { workflows } = read(
      withStep(
        `parameters:
  - { reference: $components.parameters.page, value: 3 }
  - { reference: $components.parameters.size }
onSuccess: [{ reference: $components.successActions.done }]`,
        `components:
  parameters:
    page: { name: page, in: query, value: 1 }
    size: { name: size, in: query, value: 20 }
  successActions:
    done: { name: done, type: end }
`,
      ),
    );
    const [step] = workflows[0]?.steps ?? [];
    expect(step?.parameters.map(({ name, value }) => [name, value])).toEqual([
      ['page', 3],
      ['size', 20],
    ]);
    expect(step?.onSuccess[0]?.type).toBe('end');
  });

  test.each([
    ['a version', withStep('').replace('1.0.1', '2.0.0'), '1:1', 'The Arazzo version 2.0.0'],
    ['an unknown member', withStep('succesCriteria: []'), '9:9', 'A step has no member succes'],
    [
      'a condition without quotes',
      withStep('successCriteria: [{ condition: $response.body#/state == sold }]'),
      '9:29',
      'The condition has the word sold.',
    ],
    [
      'a JSONPath',
      withStep("successCriteria: [{ condition: '$.a[', context: $response.body, type: jsonpath }]"),
      '9:29',
      'The condition $.a[ is not a JSONPath of RFC 9535 at character 5.',
    ],
    [
      'a pattern',
      withStep("successCriteria: [{ condition: '(', context: $statusCode, type: regex }]"),
      '9:29',
      'The condition ( is not a regular expression.',
    ],
    [
      'a criterion without context',
      withStep("successCriteria: [{ condition: '^2', type: regex }]"),
      '9:27',
      'A criterion of type regex has no context.',
    ],
    [
      'an action to an unknown step',
      withStep('onFailure: [{ name: back, type: goto, stepId: gett }]'),
      '9:47',
      'The workflow has no step gett.',
    ],
    [
      'an unknown component',
      withStep('parameters: [{ reference: $components.parameters.page }]'),
      '9:24',
      'The components have no page in parameters.',
    ],
    [
      'a parameter without a place',
      withStep('parameters: [{ name: limit, value: 5 }]'),
      '9:22',
      'The parameter limit has no in.',
    ],
    [
      'two targets',
      withStep('workflowId: two'),
      '9:9',
      'A step has either operationId or workflowId, not both.',
    ],
    ['no workflows', `${head}workflows: []\n`, '4:1', 'The document has no workflows.'],
  ])('%s that is wrong is refused with its place', (_what, text, place, message) => {
    const error = refusal(text);
    expect(error.code).toBe('workflow-invalid');
    expect(error.message).toContain(message);
    expect(`${String(error.place?.line)}:${String(error.place?.column)}`).toBe(place);
    expect(error.frame).toContain('>');
  });

  test('a misspelled member is refused with the nearest name', () => {
    expect(refusal(withStep('succesCriteria: []')).hint).toBe('Did you mean successCriteria?');
  });

  test('a workflow name is used only once', () => {
    const text = `${head}workflows:
  - { workflowId: one, steps: [{ stepId: a, operationId: x }] }
  - { workflowId: one, steps: [{ stepId: a, operationId: x }] }
`;
    expect(refusal(text).message).toBe('There are two workflows one.');
  });
});

describe('an expression of a name that its document does not define', () => {
  const books = `${head}workflows:
  - workflowId: one
    inputs: { type: object, properties: { title: { type: string } } }
    steps:
      - stepId: get
        operationId: getItem
        outputs: { item: $response.body, when.at: $statusCode }
      - { stepId: bare, operationId: getItem }
      - { stepId: call, workflowId: two }
      - { stepId: away, workflowId: $sourceDescriptions.other.three }
      - stepId: use
        operationId: setItem
        requestBody: { payload: { of: VALUE } }
    outputs: { last: $steps.get.outputs.item }
  - workflowId: two
    steps: [{ stepId: get, operationId: getItem }]
    outputs: { total: $response.body#/total }
`;

  test.each([
    ['$steps.get.outputs.itm', 'The step get has no output itm.', 'Did you mean item?'],
    ['a {$steps.get.outputs.itm} b', 'The step get has no output itm.', 'Did you mean item?'],
    ['$steps.bare.outputs.day', 'The step bare has no output day.', 'day: $response.body#/'],
    ['$steps.call.outputs.totl', 'The step call has no output totl.', 'Did you mean total?'],
    ['$steps.gte.outputs.item', 'The workflow has no step gte.', 'Did you mean get?'],
    ['$workflows.two.outputs.totl', 'The workflow two has no output totl.', 'total'],
    ['$workflows.tow.outputs.total', 'There is no workflow tow.', 'two'],
    ['$inputs.titel', 'The workflow has no input titel.', 'title'],
  ])('%s is refused with its place', (value, message, hint) => {
    const { message: said, place, hint: way } = refusal(books.replace('VALUE', `'${value}'`));
    expect(said).toBe(message);
    expect(way).toContain(hint);
    expect(place).toMatchObject({ line: 16 });
  });

  test('in the outputs of a workflow is refused there', () => {
    const { message, place } = refusal(
      books.replace('$steps.get.outputs.item', '$steps.get.outputs.itme'),
    );
    expect(message).toBe('The step get has no output itme.');
    expect(place).toMatchObject({ line: 17 });
  });

  test.each([
    '$steps.get.outputs.item.name',
    '$steps.get.outputs.when.at',
    '$steps.get.outputs',
    '$steps.call.outputs.total',
    '$steps.away.outputs.anything',
    '$workflows.two.outputs.total',
    '$inputs.title',
  ])('%s is defined', (value) => {
    expect(read(books.replace('VALUE', `'${value}'`)).workflows).toHaveLength(2);
  });
});

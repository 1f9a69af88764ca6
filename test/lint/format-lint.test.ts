import { describe, expect, test } from 'vitest';
import { formatLint } from '../../src/lint/format-lint.ts';
import { lintFormats, type LintReport } from '../../src/lint/lint-report.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';
import { documentOf } from './documents.ts';

const text = documentOf({
  schema: '{ type: integer, default: many }',
  operation:
    '      x-sunset: tomorrow\n      parameters: [{ name: q, in: query, ' +
    'schema: { type: integer } }]',
  responses: "        '204': { description: Nothing }",
})
  .replace('      summary: List things\n', '')
  .replace("'400'", "'404'");
const faulty = await lintContract({ file: 'api/things.yaml', text });
const clean = await lintContract({ file: 'api/things.yaml', text: documentOf() });
const plain = { color: false, width: 80 };

test('the formats of a lint report', () => {
  expect(lintFormats).toEqual(['pretty', 'json', 'github']);
});

test('the format pretty', () => {
  expect(formatLint(faulty, 'pretty', plain)).toMatchInlineSnapshot(`
    "api/things.yaml:16:40 error vouch/default-valid
      The default "many" breaks its own schema: it must be an integer, but is a
      string.

          14 |           content:
          15 |             application/json:
        > 16 |               schema: { type: integer, default: many }
             |                                        ^
          17 |         '404': { description: Refused }
          18 |         '204': { description: Nothing }

      Give a default that the schema allows, or widen the schema.
      https://spec.openapis.org/oas/v3.1.1.html#schema-object

    api/things.yaml:9:7 warning vouch/date-readable
      x-sunset is "tomorrow", which is not a date.

           7 |     get:
           8 |       operationId: listThings
        >  9 |       x-sunset: tomorrow
             |       ^
          10 |       parameters: [{ name: q, in: query, schema: { type: integer } }]
          11 |       responses:

      Write it as '2030-12-31': year, month, day.

    Style

      warning operation-summary
        Operation object should contain \`summary\` field.
        api/things.yaml:7:5
        https://redocly.com/docs/cli/rules/oas/operation-summary

    What the contract leaves open

      note vouch/gap-refusal-undocumented
        listThings constrains q, but documents no status for invalid values.
        api/things.yaml:11:7
        Document the response to an invalid value: \`400\`, \`4XX\` or \`default\`, with
        the schema of its body.

    Errors
      api/things.yaml:16:40 vouch/default-valid: The default "many" breaks its own
      schema: it must be an integer, but is a string. Give a default that the schema
      allows, or widen the schema.

    ✗ api/things.yaml: 1 error, 2 warnings, 1 note. Errors fail the lint, and stop
    vouch start if they are more than style; vouch mock and vouch check use the
    document in spite of them. Fix it, or set its rule in redocly.yaml beside the
    document, as in rules: { vouch/default-valid: warn }.
    "
  `);
});

test('pretty, in color, has the same text', () => {
  const colored = formatLint(faulty, 'pretty', { color: true, width: 80 });
  expect(colored).toContain('\u001b[31merror\u001b[39m');
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(formatLint(faulty, 'pretty', plain));
});

test('the format pretty without problems', () => {
  expect(formatLint(clean, 'pretty', plain)).toBe('✓ api/things.yaml: no error, no warning.\n');
});

test('json is parsed back to the report', () => {
  const { version, ...report } = JSON.parse(formatLint(faulty, 'json', plain)) as {
    version: number;
  };
  expect(version).toBe(1);
  const problems = faulty.problems.map(({ isStyle: _isStyle, ...problem }) => problem);
  expect(report).toEqual({ ...faulty, problems });
});

test('the format json without problems', () => {
  expect(formatLint(clean, 'json', plain)).toMatchInlineSnapshot(`
    "{
      "version": 1,
      "file": "api/things.yaml",
      "counts": {
        "error": 0,
        "warning": 0,
        "note": 0
      },
      "problems": []
    }
    "
  `);
});

test('the format github', () => {
  expect(formatLint(faulty, 'github', plain)).toMatchInlineSnapshot(`
    "::error file=api/things.yaml,line=16,col=40,title=vouch/default-valid::The default
      ↳ "many" breaks its own schema: it must be an integer, but is a string.%0AGive a
      ↳ default that the schema allows, or widen the schema.
    ::warning file=api/things.yaml,line=7,col=5,title=operation-summary::Operation
      ↳ object should contain \`summary\` field.
    ::warning file=api/things.yaml,line=9,col=7,title=vouch/date-readable::x-sunset is
      ↳ "tomorrow", which is not a date.%0AWrite it as '2030-12-31': year, month, day.
    ::notice file=api/things.yaml,line=11,col=7,
      ↳title=vouch/gap-refusal-undocumented::listThings constrains q, but documents no
      ↳ status for invalid values.%0ADocument the response to an invalid value: \`400\`,
      ↳ \`4XX\` or \`default\`, with the schema of its body.
    ::error title=vouch lint::api/things.yaml: 1 error, 2 warnings, 1 note.
    "
  `);
});

test('github: at most 10 of a kind, then a line about the others', () => {
  const [problem] = faulty.problems.filter(({ severity }) => severity === 'error');
  const many: LintReport = {
    file: 'a.yaml',
    problems: Array.from({ length: 12 }, () => problem!),
    counts: { error: 12, warning: 0, note: 0 },
  };
  const lines = formatLint(many, 'github', plain).trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(
    '::error title=vouch lint::a.yaml: 12 errors. 2 of them have no annotation; vouch lint ' +
      'a.yaml shows all.',
  );
});

test.each(lintFormats)('%s: hostile text is harmless', (format) => {
  const hostile = '\u001b[31m\u202e\n::error::owned ##[error] %0A,:\ud800';
  const report: LintReport = {
    file: hostile,
    problems: (['error', 'note'] as const).map((severity) => ({
      rule: hostile,
      severity,
      message: hostile,
      hint: hostile,
      documentation: hostile,
      frame: hostile,
      place: { file: hostile, line: 1, column: 1 },
    })),
    counts: { error: 1, warning: 0, note: 1 },
  };
  const printed = formatLint(report, format, plain);
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|##\[/);
  expect(printed.isWellFormed()).toBe(true);
  expect(
    printed
      .split('\n')
      .filter(
        (line) =>
          line.trimStart().startsWith('::') &&
          !/^::(error|warning|notice) (file|title)=/.test(line),
      ),
  ).toEqual([]);
});

describe('a document with many problems, for people', () => {
  const paths = Array.from(
    { length: 400 },
    (_, index) =>
      `  /t${String(index)}:\n    get: { responses: { '200': { description: Fine } } }\n`,
  );
  const many = `openapi: 3.1.0
info: { title: Many, version: '1' }
security: []
servers: [{ url: https://many.test }]
paths:
${paths.join('')}components:
  schemas:
    Pet: { type: object, properties: { owner: { $ref: '#/components/schemas/Ownr' } } }
    Owner: { type: objekt }
`;
  const read = lintContract({ file: 'many.yaml', text: many });
  const linesOf = async (all: boolean): Promise<string[]> =>
    formatLint(await read, 'pretty', { ...plain, all }).split('\n');

  test('defects stand before matters of style', async () => {
    const lines = await linesOf(false);
    const style = lines.indexOf('Style');
    expect(lines.findIndex((line) => line.includes('error no-unresolved-refs'))).toBeLessThan(
      style,
    );
    expect(lines.findIndex((line) => line.includes('warning operation-summary'))).toBeGreaterThan(
      style,
    );
  });

  test('of one rule, five are shown, with how to see the others', async () => {
    const lines = await linesOf(false);
    const more = lines.filter((line) => line.includes('395 more of'));
    expect(more).toContain('  … and 395 more of operation-summary; vouch lint --all shows them.');
    expect(lines.length).toBeLessThan(150);
    const { problems } = await read;
    const all = (await linesOf(true)).join('\n');
    expect(all).not.toContain('more of');
    for (const { place } of problems)
      expect(all).toContain(`${place.file}:${String(place.line)}:${String(place.column)}`);
  });

  test('the summary fits a screen, and counts the problems of each rule', async () => {
    const lines = await linesOf(false);
    const start = lines.findIndex((line) => line.trim() === '400 warning operation-summary');
    expect(start).toBeGreaterThan(0);
    expect(lines.length - start).toBeLessThan(24);
    expect(lines.slice(start).join('\n')).toContain('✗ many.yaml: ');
  });

  test.each(['json', 'github'] as const)('%s counts every problem', async (format) => {
    const report = await read;
    const said = formatLint(report, format, plain);
    const { warning } = report.counts;
    expect(warning).toBeGreaterThan(400);
    expect(said.replaceAll(',', '')).toContain(String(warning));
    if (format === 'json')
      expect((JSON.parse(said) as { problems: unknown[] }).problems).toHaveLength(
        report.problems.length,
      );
  });
});

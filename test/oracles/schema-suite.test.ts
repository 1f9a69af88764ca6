import { describe, expect, test } from 'vitest';
import { skips } from './schema-suite-skips.ts';
import { readSuite, suiteFiles, suiteSchema, type SuiteGroup } from './schema-suite.ts';

/**
 * The JSON Schema test suite, 2020-12, against the judge of values that the mock and the check
 * share.
 */
describe('the JSON Schema test suite', () => {
  test.each(suiteFiles)('%s', (file) => {
    const results = readSuite(file).flatMap(judgeGroup);
    const skipped = new Set(
      skips.filter((skip) => skip.file === file).flatMap((skip) => skip.cases),
    );
    expect(
      results.filter(({ name, agrees }) => !agrees && !skipped.has(name)).map(({ name }) => name),
    ).toEqual([]);
    expect(
      results
        .filter(({ name, agrees }) => agrees && skipped.has(name))
        .map(({ name }) => `${name}: passes, so it need not be skipped`),
    ).toEqual([]);
  });

  test('is there whole, and nothing is skipped that it does not have', () => {
    const names = new Set(
      suiteFiles.flatMap((file) =>
        readSuite(file).flatMap((group) =>
          group.tests.map((one) => `${file} ${group.description} | ${one.description}`),
        ),
      ),
    );
    expect(names.size).toBeGreaterThan(1_800);
    expect(
      skips
        .flatMap(({ file, cases }) => cases.map((name) => `${file} ${name}`))
        .filter((name) => !names.has(name)),
    ).toEqual([]);
  });
});

/**
 * Whether each case comes out as the suite has it; a schema that cannot be used agrees with
 * nothing.
 */
function judgeGroup({
  description,
  schema,
  tests,
}: SuiteGroup): { name: string; agrees: boolean }[] {
  const judge = attempt(() => suiteSchema(schema));
  return tests.map((one) => ({
    name: `${description} | ${one.description}`,
    agrees:
      judge !== undefined &&
      attempt(() => judge.validate(one.data, 'request').length === 0) === one.valid &&
      judge.accepts(one.data, 'request') === one.valid,
  }));
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

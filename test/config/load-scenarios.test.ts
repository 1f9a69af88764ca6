import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScenarios } from '../../src/config/read-data.ts';
import { loadContract } from '../../src/contract/load.ts';
import { parseSchema } from '../../src/contract/schema/standalone-schema.ts';
import { parseYaml } from '../../src/json/parse-yaml.ts';
import { packageFolder } from '../../src/library/package-files.ts';
import { validateScenario } from '../../src/mock/scenarios/judge/check-scenarios.ts';

const folder = join(packageFolder, 'scenarios');

describe('the bundled scenarios', () => {
  test('are valid for the bundled contract', async () => {
    const contract = await loadContract(join(packageFolder, 'openapi/petstore.v1.yaml'));
    const scenarios = await loadScenarios(folder);
    expect(scenarios.map(({ name }) => `${name}.yaml`)).toEqual(readdirSync(folder).sort());
    expect(scenarios.flatMap((scenario) => validateScenario(scenario, contract))).toEqual([]);
  });

  test.each(readdirSync(folder))('%s conforms to the schema for editors', async (file) => {
    const schema = parseSchema(
      await readFile(join(packageFolder, 'schemas/scenario.schema.json'), 'utf8'),
    );
    const reading = parseYaml(await readFile(join(folder, file), 'utf8'));
    expect(reading.ok && schema.validate(reading.value, 'request')).toEqual([]);
  });
});

test.each<[string, RegExp, number]>([
  [
    'description: d\nrules:\n  - operation: x\n    answer: []\n',
    /A rule has no member answer\./,
    4,
  ],
  [
    'description: d\nrules:\n  - operation: x\n    answers:\n      - status: abc\n',
    /status must be an integer/,
    5,
  ],
  ['description: [\n', /not readable as YAML/, 2],
])('a file with %j is refused with its line', async (text, message, line) => {
  const own = await mkdtemp(join(tmpdir(), 'scenarios-'));
  await writeFile(join(own, 'mine.yaml'), text);
  await expect(loadScenarios(own)).rejects.toMatchObject({
    code: 'scenario-invalid',
    message: expect.stringMatching(message) as string,
    place: { line },
  });
});

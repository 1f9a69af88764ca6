import SwaggerParser from '@apidevtools/swagger-parser';
import { lint, lintFromString, loadConfig } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/json/pointer.ts';
import { document } from './bundled.ts';
import { edit, pointersIn } from './edit.ts';
import { examplesIn, judgeExample } from './examples.ts';
import { projectFile, readText } from './files.ts';

describe('independent validators', () => {
  test('swagger-parser accepts the document', async () => {
    const copy = structuredClone(document) as unknown as Parameters<
      typeof SwaggerParser.validate
    >[0]; // its type is a document already known to be valid
    const read = await SwaggerParser.validate(copy, { resolve: { external: false } });
    expect(read.info).toMatchObject({ title: 'Pet Store Service Interface', version: '1.0.0' });
  });

  test('Redocly finds no error and no warning, and a planted error', async () => {
    const config = await loadConfig({ configPath: projectFile('openapi/redocly.yaml') });
    const ref = projectFile('openapi/petstore.v1.yaml');
    expect(await lint({ ref, config })).toEqual([]);
    const twice = edit(document, '/paths/~1pets/post/operationId', 'listPets');
    const found = await lintFromString({ source: JSON.stringify(twice), config });
    expect(found.map(({ ruleId }) => ruleId)).toEqual(['operation-operationId-unique']);
  });

  test('each disabled rule has a reason on the line above', () => {
    const lines = readText('openapi/redocly.yaml').split('\n');
    const softened = lines.flatMap((line, index) =>
      /: (off|warn)\b/.test(line) ? [lines[index - 1]] : [],
    );
    expect(softened.length).toBeGreaterThan(0);
    for (const above of softened) expect(above).toMatch(/^ {2}# .{20}/);
  });
});

test('the document is one file: every reference stays in it', () => {
  const references = pointersIn(document, []).filter((pointer) => pointer.endsWith('/$ref'));
  expect(references.length).toBeGreaterThan(10);
  for (const pointer of references) expect(valueAt(document, pointer)).toMatch(/^#\/components\//);
});

describe('every example conforms to its schema', () => {
  test.each(examplesIn(document))('$at', (example) => {
    expect(judgeExample(document, example)).toEqual([]);
  });

  test('an invalid example is detected', () => {
    const at =
      '/paths/~1pets/get/responses/200/content/application~1json/examples/animals/value/0/status';
    const broken = edit(document, at, 'lost');
    expect(examplesIn(broken).flatMap((example) => judgeExample(broken, example))).toEqual([
      '/0/status must be equal to one of the allowed values',
    ]);
  });

  test.each(['requestBody', 'responses'])('every body with a schema has one, under %s', (part) => {
    const media = pointersIn(document, []).filter(
      (pointer) => pointer.includes(`/${part}/`) && pointer.endsWith('/application~1json'),
    );
    expect(media.length).toBeGreaterThan(1);
    for (const pointer of media)
      expect(
        examplesIn(document).some(({ at }) => at.startsWith(`${pointer}/examples/`)),
        pointer,
      ).toBe(true);
  });
});

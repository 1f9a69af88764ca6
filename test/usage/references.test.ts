import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { references } from '../../tools/references/references.ts';

const folder = new URL('../../docs/reference/', import.meta.url);

describe('docs/reference', () => {
  test.each(references)('$file agrees with the code', async ({ file, write }) => {
    expect(readFileSync(new URL(file, folder), 'utf8'), 'run `npm run docs`').toBe(await write());
  });

  test('has no other pages', () => {
    expect(readdirSync(folder).sort()).toEqual(references.map(({ file }) => file).sort());
  });
});

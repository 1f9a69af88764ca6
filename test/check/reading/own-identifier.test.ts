import { expect, test } from 'vitest';
import { identifierIn, withOwnIdentifier } from '../../../src/check/reading/identifiers.ts';

test.each([
  ['vouch-4adfc5-30e5fe', /^vouch-/],
  ['nysaog', /^[a-z]{6}$/],
  ['DE-4711x', /^[A-Z]{2}-\d{4}[a-z]$/],
  ['0123456789abcdef', /^[0-9a-f]{16}$/],
  ['7d3f1b52-9c1e-4f0a-a1b2-c3d4e5f60718', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
])('a create that is repeated gets another name in the form of %s', (id, form) => {
  const path = ['id'];
  const body = withOwnIdentifier({ id }, { path, schema: undefined, salt: 'another' });
  expect(identifierIn(body, path)).toMatch(form);
  expect(identifierIn(body, path)).not.toBe(id);
});

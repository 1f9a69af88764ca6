import { expect, test } from 'vitest';
import { applyChanges } from '../../../src/check/reading/request-changes.ts';
import type { BodyTemplate, RequestTemplate } from '../../../src/check/model/request-template.ts';

/** A request with a code, which is another one in each request. */
function requestWith(code: string): RequestTemplate {
  const body: BodyTemplate = {
    kind: 'json',
    mediaType: 'application/json',
    value: { code },
    codes: ['code'],
  };
  return { arguments: [], body, credential: 'given' };
}

const dropped = {
  planned: requestWith('AB-123'),
  changes: [{ at: '/code', to: { kind: 'dropped' } }],
  ownName: () => 'own',
} as const;

test('what is learned of a code applies to another one of its form', () => {
  expect(applyChanges(requestWith('XY-907'), dropped).body).toMatchObject({ value: {} });
});

test('it does not apply to one of another form, which the request tests', () => {
  expect(applyChanges(requestWith('XY-907!'), dropped).body).toMatchObject({
    value: { code: 'XY-907!' },
  });
});

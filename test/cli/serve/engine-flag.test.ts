import { expect, test } from 'vitest';
import { knowsFlag } from '../../../src/cli/serve/engine-flag.ts';

test.each([
  ['12.4.254.21-node.33', true, false, false],
  ['13.6.233.17-node.28', true, true, true],
  ['14.1.146.11-node.25', true, true, true],
  ['14.6.202.34-node.34', true, true, false],
  ['11.3.244.8-node.38', false, false, false],
  ['15.0.1', false, false, false],
  ['', false, false, false],
])('V8 %s is told of no flag that it was not seen to know', (version, growing, saver, reducer) => {
  expect(knowsFlag('heap-growing-percent', version)).toBe(growing);
  expect(knowsFlag('memory-saver-mode', version)).toBe(saver);
  expect(knowsFlag('memory-reducer-favors-memory', version)).toBe(reducer);
});

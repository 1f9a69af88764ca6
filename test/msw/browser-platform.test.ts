import { expect, test } from 'vitest';
import { loadLatePackages, loadPackage } from '../../src/msw/browser-platform.ts';

test('a page loads CEL only for scenarios that compute with it', async () => {
  const load = () => loadPackage('@marcbachmann/cel-js');
  await loadLatePackages(JSON.stringify({ plain: '{$now} { { }', escaped: '\\{{ a }}' }));
  expect(load).toThrow('not loaded');
  await loadLatePackages(JSON.stringify({ computed: 'a {{ 1 + 2 }}' }));
  expect(load()).toHaveProperty('Environment');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { findPrism, requireNode, resolveFrom } from '../../src/prism/start-prism.ts';

describe('finding the packages of Prism', () => {
  test('both are found from any folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-prism-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const packages = findPrism(resolveFrom(folder));
    expect(packages.http).toMatch(/@stoplight.prism-http.dist.index\.js$/);
    expect(packages.core).toMatch(/@stoplight.prism-core.dist.index\.js$/);
  });

  test('a missing one is reported with the command that installs it', () => {
    const error = errorOf(() =>
      findPrism((name) => {
        throw new Error(`Cannot find module '${name}'`);
      }),
    );
    expect(error).toMatchObject({ code: 'prism-missing' });
    expect(`${error.message}\n${error.hint}`).toMatchInlineSnapshot(`
      "Prism is not installed: vouch does not bring it along, because it takes 66 MB.
      npm install --save-dev @stoplight/prism-http@5.16.0 @stoplight/prism-core@5.16.0"
    `);
  });
});

describe('the Node that Prism needs', () => {
  test.each(['24.18.0', '24.21.0', '25.0.0'])('%s is enough', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  test.each(['20.19.2', '22.22.0', '24.17.9'])('%s is too old', (version) => {
    expect(errorOf(() => requireNode(version))).toMatchObject({ code: 'prism-failed' });
  });

  test('the message says what to do', () => {
    const error = errorOf(() => requireNode('22.19.0'));
    expect(`${error.message}\n${error.hint}`).toMatchInlineSnapshot(`
      "Prism 5.16 needs Node 24.18 or newer, and this is Node 22.19.0.
      Run vouch on Node 24.18 or newer, or leave Prism out."
    `);
  });
});

function errorOf(action: () => unknown): VouchError {
  try {
    action();
  } catch (error) {
    if (error instanceof VouchError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

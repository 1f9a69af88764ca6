import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/prism/child.ts';

test('the child sees what Node needs, and no secret', () => {
  const environment = {
    PATH: '/bin',
    NODE_COMPILE_CACHE: '/tmp/compiled',
    TZ: 'UTC',
    HOME: '/home/ada',
    VOUCH_TOKEN: 'secret',
    NODE_OPTIONS: '--inspect',
    npm_config_token: 'secret',
  };
  expect(childEnvironment(environment)).toEqual({
    PATH: '/bin',
    NODE_COMPILE_CACHE: '/tmp/compiled',
    TZ: 'UTC',
  });
});

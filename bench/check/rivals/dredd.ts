import { join } from 'node:path';
import type { Runner } from './runner.ts';

/**
 * Dredd requests every documented response, the 401 with a good key too, and takes no other for it.
 */
export const dredd: Runner = {
  name: 'dredd',
  title: 'Dredd',
  rival: 'dredd',
  limitSeconds: 60,
  commands: ({ url, contract, key }, { folder, program }) => [
    {
      program,
      args: [
        join(folder, 'node_modules/dredd/bin/dredd'),
        contract,
        url,
        '--header',
        `Authorization: Bearer ${key}`,
        '--no-color',
        '--loglevel',
        'error',
      ],
    },
  ],
  // Each failure is printed twice: on one line when it occurs, and completely at the end.
  findings: (_target, { printed }) =>
    [
      ...(printed.split('Displaying failed tests')[1] ?? '').matchAll(
        /^fail: (.+?) duration: \d+ms\nfail: ([\s\S]*?)\n\s*(?:\n|request:)/gm,
      ),
    ].map(
      ([, transaction = '', reason = '']) =>
        `${transaction}: ${reason.replaceAll(/\s*\n\s*/g, '; ')}`,
    ),
};

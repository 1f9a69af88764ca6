import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from './runner.ts';

interface Report {
  readonly findings: readonly {
    readonly check: string;
    readonly severity: string;
    readonly operation: { readonly id: string };
    readonly message: string;
  }[];
}

/**
 * `vouch check` of the published package. What it warns of does not fail a run, and does not count.
 */
export const vouch: Runner = {
  name: 'vouch',
  title: 'vouch check',
  limitSeconds: 120,
  commands: ({ url, contract, key }, { folder, program }) => [
    {
      program,
      args: [
        join(folder, 'bin/vouch.js'),
        'check',
        url,
        contract,
        '--reporter',
        'json=report.json',
      ],
      env: { VOUCH_TOKEN: key },
    },
  ],
  findings: ({ folder }) => {
    const file = join(folder, 'report.json');
    if (!existsSync(file)) return [];
    // The report is vouch's own; what is read of it is held by its schema.
    const { findings } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    return findings
      .filter(({ severity }) => severity === 'error')
      .map(({ check, operation }) => `${operation.id}: ${check}`);
  },
};

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from './runner.ts';

interface NewmanReport {
  readonly run: {
    readonly failures: readonly {
      readonly source?: { readonly name?: string };
      readonly error: { readonly test?: string; readonly name: string };
    }[];
  };
}

/** Portman writes a Postman collection with its own contract tests, and newman runs it. */
export const portman: Runner = {
  name: 'portman',
  title: 'Portman with newman',
  rival: 'portman',
  limitSeconds: 60,
  commands: ({ url, contract, key }, { folder, program }) => [
    {
      program,
      args: [
        join(folder, 'node_modules/@apideck/portman/bin/portman'),
        '--local',
        contract,
        '--baseUrl',
        url,
        '--output',
        'collection.json',
      ],
    },
    {
      program,
      args: [
        join(folder, 'node_modules/newman/bin/newman.js'),
        'run',
        'collection.json',
        '--env-var',
        `bearerToken=${key}`,
        '--reporters',
        'json',
        '--reporter-json-export',
        'newman.json',
      ],
    },
  ],
  findings: ({ folder }) => {
    const file = join(folder, 'newman.json');
    if (!existsSync(file)) return [];
    const { run } = JSON.parse(readFileSync(file, 'utf8')) as NewmanReport;
    return run.failures.map(
      ({ source, error }) => `${source?.name ?? ''}: ${error.test ?? error.name}`,
    );
  },
};

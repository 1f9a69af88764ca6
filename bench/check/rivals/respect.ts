import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from './runner.ts';

/**
 * Redocly writes an Arazzo description with one workflow for each operation, and Respect runs it.
 */
export const respect: Runner = {
  name: 'respect',
  title: 'Redocly Respect',
  rival: 'respect',
  limitSeconds: 60,
  commands: ({ url, contract, key, folder: here }, { folder, program }) => {
    const cli = join(folder, 'node_modules/@redocly/cli/bin/cli.js');
    // The source is named after its file, and stands beside the description.
    copyFileSync(contract, join(here, 'books.yaml'));
    return [
      {
        program,
        args: [cli, 'generate-arazzo', 'books.yaml', '--output-file', 'books.arazzo.yaml'],
      },
      {
        program,
        args: [
          cli,
          'respect',
          'books.arazzo.yaml',
          '--server',
          `books=${url}`,
          '--input',
          `key=${key}`,
        ],
      },
    ];
  },
  findings: (_target, { printed }) => {
    const findings: string[] = [];
    let step = '';
    // Failures are printed again at the end, without their operations.
    for (const line of (printed.split('Failed tests info:')[0] ?? '').split('\n')) {
      step = /^\s*[✓✗] ([A-Z]+ \/\S*) - step/.exec(line)?.[1] ?? step;
      const check = /^\s+✗ (.+?)(?: \(.*)?$/.exec(line)?.[1];
      if (check !== undefined && !check.includes(' - step ') && step !== '')
        findings.push(`${step}: ${check}`);
    }
    return findings;
  },
};

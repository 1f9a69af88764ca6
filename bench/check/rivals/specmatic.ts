import { join } from 'node:path';
import type { Runner } from './runner.ts';

/** Specmatic reads the key from an environment variable that is named as the security scheme is. */
export const specmatic: Runner = {
  name: 'specmatic',
  title: 'Specmatic',
  rival: 'specmatic',
  limitSeconds: 120,
  commands: ({ url, contract, key }, { folder, program }) => [
    {
      program,
      args: [
        '-jar',
        join(folder, 'node_modules/specmatic/specmatic.jar'),
        'test',
        contract,
        `--testBaseURL=${url}`,
      ],
      env: { key },
    },
  ],
  findings: (_target, { printed }) => {
    const findings: string[] = [];
    let operation = '';
    let place = '';
    for (const line of printed.split('\n')) {
      operation = /^\s*API: (.+)$/.exec(line)?.[1] ?? operation;
      place = /^\s*>> (RESPONSE\S*)/.exec(line)?.[1] ?? place;
      const rule = /^\s*(R\d{4}: .+)$/.exec(line)?.[1];
      if (rule !== undefined)
        findings.push(`${operation}: ${place.replaceAll(/\[\d+\]/g, '[]')}: ${rule}`);
      const status = /expected status (\d+) but response contained status (\d+)/.exec(line);
      if (status !== null)
        findings.push(`${operation}: ${String(status[2])} for ${String(status[1])}`);
    }
    return findings;
  },
};

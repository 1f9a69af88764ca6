import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { chooseStatus } from '../../src/mock/errors/write-error-response.ts';

const cases: readonly (readonly [documented: readonly string[], status: number, why: string])[] = [
  [['200'], 401, 'HTTP’s own where nothing is documented'],
  [['200', '401', '403'], 401, 'documented'],
  [['200', '403'], 403, 'the contract’s clients know no 401'],
  [['200', '403', 'default'], 401, 'default leaves room for it'],
  [['200', '403', '4XX'], 401, '4XX leaves room for it'],
];
for (const [documented, status, why] of cases) {
  test(
    `a missing or unknown credential gets ${String(status)} where ` +
      `${documented.join(', ')} are documented: ${why}`,
    () => {
      const responses = documented
        .map((name) => `        '${name}': { description: Said. }`)
        .join('\n');
      const contract = parseContract(
        `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    ` +
          `get:\n      operationId: a\n      responses:\n${responses}\n`,
        'a.yaml',
      );
      expect(chooseStatus('credential', contract.operations[0])).toBe(status);
    },
  );
}

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type CorpusContract,
  largeContracts,
  pinnedFiles,
  smallContracts,
} from '../../bench/contracts/corpus.ts';
import { judgeContract, type ContractReport } from '../../bench/contracts/judge-contract.ts';
import { groupReasons, summarise } from '../../bench/contracts/summarise.ts';
import { loadContract } from '../../src/contract/load.ts';

/**
 * Operations that say what success is and did not get there, without the documents that say the
 * same in YAML.
 */
function exceptionsIn(reports: readonly ContractReport[]): string[] {
  return reports
    .filter(({ name }) => !name.includes('/yaml/'))
    .flatMap(({ name, judgements }) =>
      judgements
        .filter(
          ({ verdict, reason }) =>
            verdict !== 'success' && !reason.startsWith('the contract documents no success'),
        )
        .map(
          ({ operation, status, reason }) =>
            `${name} ${operation}: ${status === undefined ? reason : String(status)}`,
        ),
    );
}

/** Whether a document in YAML is read as the one in JSON beside it, which is judged once. */
async function isTwin({ name, file }: CorpusContract): Promise<boolean> {
  if (!name.includes('/yaml/')) return false;
  const [own, other] = await Promise.all([
    loadContract(file),
    loadContract(file.replace('/yaml/', '/json/').replace(/ya?ml$/, 'json')),
  ]);
  return isDeepStrictEqual(own.document, other.document);
}

describe('contracts of all kinds (@readme/oas-examples)', () => {
  test('load, and respond to a valid request as documented', { timeout: 300_000 }, async () => {
    const reports: ContractReport[] = [];
    const contracts = smallContracts();
    for (const contract of contracts)
      if (!(await isTwin(contract))) reports.push(await judgeContract(contract));
    expect(
      reports
        .filter(({ unreadable }) => unreadable !== undefined)
        .map(({ name, unreadable }) => `${name}: ${unreadable ?? ''}`),
    ).toEqual([]);
    expect(contracts.length).toBeGreaterThan(100);
    expect(reports.length).toBeGreaterThan(70);
    // The list is exact: what is fixed leaves it, and what breaks shows. Bodies that cannot be
    // made belong to schemas that no value keeps, and so does the 501. A 404 is for a record of
    // which the contract shows neither a creation nor a list, or whose list and whose path ask for
    // different identifiers; a 400 for a body that need not name its record, and does not; the 401
    // asks for two schemes that both need the header Authorization.
    expect(exceptionsIn(reports).join('\n')).toMatchInlineSnapshot(`
      "2.0/json/petstore.json updatePet: 404
      3.0/json/circular-request-bodies.json directCircular: 501
      3.0/json/discriminators.json POST /potentially-undefined-formData: no valid body of
        ↳ application/json could be made
      3.0/json/petstore.json updatePet: 400
      3.0/json/schema-types.json quirks_entirelyIncompatibleAllOf: no valid body of
        ↳ application/json could be made
      3.0/json/schema-types.json quirks_partiallyUsableIncompatibleAllOf: no valid body of
        ↳ application/json could be made
      3.0/json/security-multiple.json POST /anything/and: 401
      3.1/json/petstore.json updatePet: 400
      3.1/json/readme.json getCategory: 404
      3.1/json/readme.json deleteCategory: 404
      3.1/json/readme.json updateCategory: 404
      3.1/json/readme.json getCategoryPages: 404
      3.1/json/schema-types.json quirks_entirelyIncompatibleAllOf: no valid body of
        ↳ application/json could be made
      3.1/json/schema-types.json quirks_partiallyUsableIncompatibleAllOf: no valid body of
        ↳ application/json could be made"
    `);
  });
});

describe('very large contracts', () => {
  /**
   * The share of operations that has to answer a documented, valid success; and anything documented
   * and valid.
   */
  const floors: readonly (readonly [name: string, success: number, documented: number])[] = [
    ['GitHub (3.0)', 0.96, 0.98],
    ['Stripe (3.0)', 0.97, 0.99],
    ['Kubernetes (3.0)', 0.99, 0.99],
    ['Kubernetes (Swagger 2)', 0.99, 0.99],
  ];

  test('are all listed', () => {
    expect(floors.map(([name]) => name).sort()).toEqual(pinnedFiles.map(({ name }) => name).sort());
  });

  for (const [name, success, documented] of floors) {
    const contract = largeContracts().find((candidate) => candidate.name === name);
    test.skipIf(contract === undefined)(
      `${name}${contract === undefined ? ' (skipped: run node bench/contracts/fetch.ts)' : ''}`,
      { timeout: 300_000 },
      async () => {
        if (contract === undefined) throw new Error('The document is not here.');
        const report = await judgeContract(contract);
        expect(report.unreadable).toBeUndefined();
        const summary = summarise([report]);
        const told = groupReasons([report])
          .map(({ reason, operations }) => `${String(operations.length)} × ${reason}`)
          .join('\n');
        expect(summary.operations).toBeGreaterThan(400);
        expect(summary.success / summary.operations, told).toBeGreaterThanOrEqual(success);
        expect(summary.documented / summary.operations, told).toBeGreaterThanOrEqual(documented);
      },
    );
  }
});

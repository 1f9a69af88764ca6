import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { smallContracts } from '../../bench/contracts/corpus.ts';
import { checkService, openService } from '../../src/prove/run-mutation.ts';
import { loadServed } from '../../src/prove/proof.ts';

/**
 * Contracts of all kinds, each for something that the others have not: forms, files, XML, cookies,
 * several keys, envelopes, circles, nesting.
 */
const others = [
  '2.0/json/petstore.json',
  '2.0/json/petstore-expanded.json',
  '3.0/json/callbacks.json',
  '3.0/json/circular-paths.json',
  '3.0/json/file-uploads.json',
  '3.0/json/form-data.json',
  '3.0/json/http-status-codes.json',
  '3.0/json/parameters-cookies.json',
  '3.0/json/parameters-style.json',
  '3.0/json/petstore.json',
  '3.0/json/request-examples.json',
  '3.0/json/response-multiple-mediatypes.json',
  '3.0/json/schema-enums.json',
  '3.0/json/security.json',
  '3.0/json/security-multiple.json',
  '3.0/json/server-path-level.json',
  '3.1/json/petstore.json',
  '3.1/json/schema-types.json',
  '3.1/json/schema-validation-local.json',
  '3.1/json/train-travel.json',
];
const own = [
  '../mock/contracts/estate.yaml',
  '../mock/contracts/desk.yaml',
  '../mock/contracts/workshop.yaml',
  '../prove/notes.yaml',
];

/** What a run against the mock of a contract says that is more than a note, and what it came to. */
async function alarmsOf(
  file: string,
): Promise<{ readonly alarms: readonly string[]; readonly requests: number }> {
  const served = await loadServed({ contract: file, config: false });
  const service = await openService(served, { seed: 'others' });
  const { findings, events, summary } = await checkService(served, service.respond, {
    seed: 'others',
    maxRequests: 400,
    version: '0.0.0',
  });
  const crashes = events.flatMap((event) =>
    event.type === 'check-crashed' ? [`${event.check} crashed: ${event.message}`] : [],
  );
  const alarms = findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ check, severity, message }) => `${severity} ${check}: ${message}`);
  return { alarms: [...crashes, ...alarms], requests: summary.requests };
}

describe('a check of other people’s contracts, against a conforming mock', () => {
  const corpus = smallContracts();
  test.each(others)('%s', async (name) => {
    const { alarms, requests } = await alarmsOf(
      corpus.find((contract) => contract.name === name)?.file ?? '',
    );
    expect(alarms).toEqual([]);
    expect(requests).toBeGreaterThan(0);
  });

  test.each(own)('%s', async (file) => {
    const { alarms } = await alarmsOf(fileURLToPath(new URL(file, import.meta.url)));
    // No value keeps the schema of /never, and the mock says so.
    expect(alarms.filter((alarm) => !alarm.includes('501'))).toEqual([]);
  });
});

import { pathToFileURL } from 'node:url';
import type * as Vouch from '../../src/index.ts';
import type { Fixtures } from '../../src/store/store.ts';

/**
 * Serves the bundled contract with so many generated records: `node serve-generated.ts ENTRY
 * RECORDS`, where ENTRY is the published package's index. A process of its own, because its memory
 * and its event loop are what is measured.
 */
const [entry = '', count = '0'] = process.argv.slice(2);
// The published package has the types of the source that it was built from.
const { startMock } = (await import(pathToFileURL(entry).href)) as typeof Vouch;

const statuses = ['available', 'pending', 'sold'] as const;
const records = Array.from({ length: Number(count) }, (_, index) => {
  const id = index + 1;
  return {
    id: String(id),
    record: {
      id,
      categoryId: (id % 7) + 1,
      name: `Pet ${String(id)}`,
      status: statuses[id % 3] ?? 'available',
    },
  };
});
const fixtures: Fixtures = new Map([['pets', records]]);
const mock = await startMock({ config: false, contract: process.argv[4] ?? '', fixtures, port: 0 });
console.log(mock.url);
process.once('SIGTERM', () => void mock.close().then(() => process.exit(0)));

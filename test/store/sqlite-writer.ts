/**
 * A process that adds, changes and deletes records as fast as it can, and says so once each is
 * acknowledged.
 */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

const store = openSqliteStore(process.argv[2] ?? '');
await store.seed(new Map([['tools', [{ id: '1', record: { id: 1 } }]]]));
const collection = { session: 'default', name: 'tools' };
for (let round = 0; ; round += 1) {
  const id = String(await store.nextInteger(collection));
  await store.insert(collection, { id, record: { round, text: 'x'.repeat(round % 5000) } });
  writeSync(1, `added ${id}\n`);
  if (round % 3 === 0) {
    await store.replace(collection, { id, record: { round, changed: true } });
    writeSync(1, `changed ${id}\n`);
  }
  if (round % 5 === 0) {
    await store.delete(collection, id);
    writeSync(1, `deleted ${id}\n`);
  }
}

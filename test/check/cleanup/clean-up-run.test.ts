import { afterEach, expect, test } from 'vitest';
import { cleanUpRun, type LeftRun } from '../../../src/check/cleanup/clean-up-run.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { libraryText } from '../fixture/library-contract.ts';
import { startLibrary, type Library } from '../fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

const contract = parseContract(libraryText, 'library.yaml');

async function addBook(title: string): Promise<string> {
  const made = await fetch(`${library?.url ?? ''}/books`, { method: 'POST', headers: { authorization: `Bearer ${library?.token ?? ''}`, 'content-type': 'application/json' }, body: JSON.stringify({ title, shelfId: 1 }) });
  return /"id":\s*(\d+)/.exec(await made.text())?.[1] ?? '';
}

test('what is cleaned up a second time is said to be gone, whether or not it bore the mark of the run', async () => {
  library = await startLibrary();
  const ids = [await addBook('The Long Road vouch-1a2b3c'), await addBook('The Short Road')];
  const records = ids.map((identifier, index) => ({ resource: 'books', identifier, parents: [], marked: index === 0 }));
  const left: LeftRun = { mark: 'vouch-1a2b3c', records, uncertain: false, untold: [], unidentified: [] };
  const outcomes = async () => (await cleanUpRun(left, { url: library?.url ?? '', contract, token: library?.token ?? '', mode: 'read-write' })).map(({ record, outcome, reason }) => `${record.replace(/\d+/, 'n')} ${outcome}: ${reason}`);
  expect(await outcomes()).toEqual(['books n deleted: it was deleted', 'books n deleted: it was deleted']);
  expect(await outcomes()).toEqual(['books n gone: it is not there any more', 'books n gone: it is not there any more']);
});

test('what nobody was told of is found by the mark of the run, and nobody else’s is touched', async () => {
  library = await startLibrary();
  for (const title of ['The Long Road vouch-1a2b3c', 'The Short Road', 'The Last Road vouch-1a2b3c-7']) await addBook(title);
  const left: LeftRun = { mark: 'vouch-1a2b3c', records: [], uncertain: true, untold: [], unidentified: [] };
  const clean = async () => (await cleanUpRun(left, { url: library?.url ?? '', contract, token: library?.token ?? '', mode: 'read-write' })).map(({ outcome }) => outcome);
  expect(await clean()).toEqual(['deleted', 'deleted']);
  expect(await clean()).toEqual([]);
});

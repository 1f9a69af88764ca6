import { afterEach, describe, expect, test } from 'vitest';
import { compareTargets } from '../../../src/check/against/compare-targets.ts';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import {
  type Library,
  type LibraryOptions,
  openLibrary,
  startLibrary,
} from '../fixture/library-server.ts';

const contract = libraryContract();
const libraries: Library[] = [];
afterEach(() => Promise.all(libraries.splice(0).map((library) => library.close())));

/** Compares two libraries: in this process, or on ports if what one does is seen on connections. */
async function compare(
  left: LibraryOptions,
  right: LibraryOptions,
  open: typeof openLibrary = openLibrary,
): Promise<readonly RunEvent[]> {
  const [ours, theirs] = [await open(left), await open(right)];
  libraries.push(ours, theirs);
  return compareLibraries(ours, theirs);
}

async function compareLibraries(ours: Library, theirs: Library): Promise<readonly RunEvent[]> {
  const [send, answer] = [ours.target.send, theirs.target.send];
  const events: RunEvent[] = [];
  for await (const event of compareTargets(
    {
      ...ours.target,
      contract,
      seed: 'against',
      ...(send === undefined || answer === undefined
        ? {}
        : { send: (base, ...more) => (base === theirs.url ? answer : send)(base, ...more) }),
    },
    { url: theirs.url },
  ))
    events.push(event);
  return events;
}

function differences(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'difference-found') return [];
    const { severity, kind, operation, at, left, right } = event.difference;
    return [`${severity} ${kind} ${operation.id} ${at}: ${left} | ${right}`];
  });
}

function verdict(events: readonly RunEvent[]): string {
  const last = events.at(-1);
  return last?.type === 'run-finished'
    ? `${last.summary.verdict}: ${last.summary.reason.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')}`
    : 'no end';
}

describe('two deployments with equal responses', () => {
  test('have no difference, despite other ids and order', async () => {
    const events = await compare({}, { variant: 'sparse-ids' });
    expect(differences(events)).toEqual([]);
    expect(verdict(events)).toMatch(/^passed: .* http:\/\/HOST\/v1 answered alike\.$/);
  });

  test.each([
    'gzip',
    'chunked',
    'closes-connections',
    'lower-case-headers',
    'newest-first',
    'charset-parameter',
  ] as const)('have no difference if one is %s', async (variant) => {
    expect(differences(await compare({}, { variant }, startLibrary))).toEqual([]);
  });
});

describe('two deployments that differ', () => {
  test('are distinguished by the responses to the same case', async () => {
    const events = await compare({}, { variant: 'refuses-with-415' });
    expect(differences(events)).toContainEqual(
      expect.stringMatching(/^warning status createBook : 400 \| 415$/),
    );
  });

  test('are distinguished by their response bodies', async () => {
    expect(differences(await compare({}, { variant: 'extra-fields' }))).toContainEqual(
      expect.stringMatching(/^warning shape listBooks \/\*\/\w+: not there \| \w+$/),
    );
    expect(differences(await compare({ variant: 'extra-fields' }, {}))).toContainEqual(
      expect.stringMatching(/^warning shape listBooks \/\*\/\w+: \w+ \| not there$/),
    );
  });

  test('are distinguished by behaviour that the contract does not define', async () => {
    expect(differences(await compare({}, { variant: 'default-status-lent' }))).toContainEqual(
      expect.stringMatching(/^note gap createBook createBook\.body\.status\.default: /),
    );
  });

  test('are distinguished by the type of a value', async () => {
    expect(differences(await compare({}, { defect: 'wrong-type' }))).toContainEqual(
      expect.stringMatching(/^warning shape \w+ .*: integer \| string$/),
    );
  });

  test('only the first of two deployments is checked', async () => {
    expect(verdict(await compare({}, { defect: 'list-500' }))).toMatch(/^passed: /);
    expect(verdict(await compare({ defect: 'list-500' }, {}))).toMatch(/^failed: /);
  });
});

test('an unreachable second deployment is reported, and the first run counts', async () => {
  const [ours, gone] = [await openLibrary(), await openLibrary()];
  await gone.close();
  const events = await compareLibraries(ours, gone);
  expect(verdict(events)).toMatch(
    /^passed: .* The comparison with http:\/\/HOST\/v1 is not whole: Nothing answers at http:\/\/HOST/,
  );
  expect(differences(events)).toEqual([]);
});

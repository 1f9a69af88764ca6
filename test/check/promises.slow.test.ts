import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { longRunningOf } from '../../src/contract/protocols/long-running.ts';
import { depots } from './fixture/depots.ts';
import { inspectedDepots } from './fixture/inspected-depots.ts';
import { alarms, findingsOf, type Service } from './fixture/inline-service.ts';

type Quirk = 'leads nowhere' | 'is never done' | 'has no result' | 'has two results' | 'goes back';

const contract = parseContract(JSON.stringify(inspectedDepots), 'depots.json');

/** Depots that can be inspected: an inspection is done at its second read. */
function inspecting(quirk?: Quirk, write = (name: string): string => name): Service {
  const { service } = depots();
  const reads = new Map<string, number>();
  const show = (name: string, count: number): object => {
    const isDone = quirk !== 'is never done' && (quirk === 'goes back' ? count === 1 : count > 0);
    if (!isDone) return { name: write(name), done: false };
    const response = quirk === 'has no result' ? {} : { response: { count: 2 } };
    const error = quirk === 'has two results' ? { error: { code: 9, message: 'none' } } : {};
    return { name: write(name), done: true, ...response, ...error };
  };
  return async (call) => {
    const [first = '', second = ''] = call.path;
    const [id = '', verb] = second.split(':');
    if (first === 'depots' && verb === 'inspect') {
      if (call.method !== 'POST') return { status: 405, json: {} };
      const depot = await service({ ...call, method: 'GET', path: [first, id] });
      if (depot.status !== 200) return depot;
      const name = `operations/op-${String(reads.size + 1)}`;
      reads.set(name, 0);
      return { status: 200, json: { name: write(name) } };
    }
    if (first !== 'operations') return service(call);
    if (second === '' && call.method === 'GET') {
      const operations = [...reads].map(([name, count]) => show(name, count));
      return { status: 200, json: { operations } };
    }
    const name = `operations/${second}`;
    const count = reads.get(name);
    if (count === undefined || quirk === 'leads nowhere') return { status: 404, json: {} };
    if (call.method !== 'GET') return { status: 405, json: {} };
    reads.set(name, count + 1);
    return { status: 200, json: show(name, count) };
  };
}

async function alarmsOf(service: Service): Promise<string[]> {
  return alarms(await findingsOf(contract, service)).filter((line) => line.includes('Operation'));
}

describe('a long-running operation (AIP-151)', () => {
  test('is read from its start and a GET with the same answer', () => {
    const [found, ...others] = longRunningOf(contract);
    expect([found?.start.id, found?.read.id, others]).toEqual(['InspectDepot', 'GetOperation', []]);
  });

  test('raises no alarm if its name leads to it, and it ends', async () => {
    expect(await alarmsOf(inspecting())).toEqual([]);
  });

  test('is asked for by the last segment of its name in every other request', async () => {
    const service = inspecting();
    const targets = new Set<string>();
    await findingsOf(contract, (call) => {
      targets.add(call.target);
      return service(call);
    });
    expect([...targets].filter((target) => target.startsWith('/operations/op-'))).not.toEqual([]);
    expect([...targets].filter((target) => target.includes('operations%2F'))).toEqual([]);
  });

  test('may have a name that is no address of the read', async () => {
    expect(await alarmsOf(inspecting(undefined, (name) => name.slice(-4)))).toEqual([]);
    expect(await alarmsOf(inspecting('leads nowhere', (name) => `other/${name}/x`))).toEqual([]);
  });

  test.each<readonly [Quirk, RegExp]>([
    ['leads nowhere', /error job-ends GetOperation: InspectDepot answered .*returned 404/],
    ['is never done', /error job-ends GetOperation: .*is not done after 1 seconds/],
    ['has no result', /error job-ends GetOperation: .*neither response nor error/],
    ['has two results', /error job-ends GetOperation: .*both response and error/],
    ['goes back', /error job-ends GetOperation: .*was done, and is not done at the next read/],
  ])('is an error if it %s', async (quirk, expected) => {
    const found = await alarmsOf(inspecting(quirk));
    expect(found).toEqual([expect.stringMatching(expected)]);
  });
});

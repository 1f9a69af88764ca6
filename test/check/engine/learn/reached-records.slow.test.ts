import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import { type Answered, sendTo } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ok = (schema: string): string => `'200': { description: ok, ${json(schema)} }`;
const text = '{ type: string }';

type Handler = (method: string, path: readonly string[], body: unknown) => Answered;

/** Checks a handler; returns the statuses of each operation, and the records that are left. */
async function run(contract: Contract, handle: Handler) {
  const { summary, events } = await checkTarget({
    contract,
    url: 'http://127.0.0.1:9',
    mode: 'read-write',
    seed: 'reached',
    wait: async () => {},
    send: sendTo(({ method, path, body }) => {
      const segments = decoded(path);
      return segments === undefined ? { status: 400 } : handle(method, segments, valueOf(body));
    }),
  });
  const shut = summary.reach?.shut.flatMap(({ operations }) => operations) ?? [];
  return { shut, left: events.filter(({ type }) => type === 'record-left') };
}

function decoded(path: readonly string[]): string[] | undefined {
  try {
    return path.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function valueOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

describe('records that a run reaches', () => {
  test('an identifier from a list comes before the example of the contract', async () => {
    const contract = contractOf(`
paths:
  /journal:
    get: { operationId: listEntries, responses: { '200': { description: ok } } }
  /journal/{entryId}:
    parameters: [{ name: entryId, in: path, required: true, schema: ${text},
        example: 12fb14bb-600e-4bfa-bd8d-be7f12562c99 }]
    get: { operationId: getEntry, responses: { '200': { description: ok }, '404': {
        description: none } } }`);
    const { shut } = await run(contract, (_method, [, id]) => {
      if (id === undefined)
        return { status: 200, json: { entries: [{ id: 'e-1' }, { id: 'e-2' }] } };
      return ['e-1', 'e-2'].includes(id) ? { status: 200, json: { id } } : { status: 404 };
    });
    expect(shut).toEqual([]);
  });

  test('the example of the contract is asked for where a list shows nothing', async () => {
    const contract = contractOf(`
paths:
  /files:
    get: { operationId: listFiles, responses: { '200': { description: ok } } }
  /files/{name}:
    parameters: [{ name: name, in: path, required: true, schema: ${text}, example: file1.json }]
    get: { operationId: getFile, responses: { '200': { description: ok }, '404': {
        description: none } } }`);
    const { shut } = await run(contract, (_method, [, name]) => {
      if (name === undefined) return { status: 200, json: [] };
      return name === 'file1.json' ? { status: 200, json: {} } : { status: 404 };
    });
    expect(shut).toEqual([]);
  });

  test('a plain create is learnt although a service accepted a faulty one before', async () => {
    const kernel = `{ type: object, required: [id, name], properties: { id: ${text},
        name: ${text} } }`;
    const contract = contractOf(`
paths:
  /kernels:
    get: { operationId: listKernels, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${kernel} }`)} } } }
    post: { operationId: startKernel, requestBody: { ${json(`{ type: object, required: [name],
        properties: { name: ${text}, path: ${text} } }`)} }, responses: { '201': {
        description: made, ${json(kernel)} } } }
  /kernels/{id}:
    parameters: [{ name: id, in: path, required: true, schema: ${text} }]
    get: { operationId: getKernel, responses: { '200': { description: ok, ${json(kernel)} },
        '404': { description: none } } }
    delete: { operationId: stopKernel, responses: { '204': { description: gone }, '404': {
        description: none } } }`);
    const kernels = new Map(['k-1', 'k-2', 'k-3'].map((id) => [id, { id, name: 'python3' }]));
    const { shut } = await run(contract, (method, [, id], body) => {
      const name = (body as { name?: unknown } | undefined)?.name;
      if (id !== undefined) {
        const known = kernels.get(id);
        if (known === undefined) return { status: 404 };
        if (method !== 'DELETE') return { status: 200, json: known };
        kernels.delete(id);
        return { status: 204 };
      }
      if (method !== 'POST') return { status: 200, json: [...kernels.values()] };
      // The default is taken where no name is given, and any other name is not found.
      if (name !== undefined && name !== 'python3') return { status: 500, json: {} };
      const made = { id: `k-${String(Math.random()).slice(2, 12)}`, name: 'python3' };
      kernels.set(made.id, made);
      return { status: 201, json: made };
    });
    expect(shut).toEqual([]);
    expect([...kernels.keys()]).toEqual(['k-1', 'k-2', 'k-3']);
  });

  test('a record that the service names itself is created, read and deleted', async () => {
    const terminal = '{ $ref: "#/components/schemas/Terminal" }';
    const contract = contractOf(`
paths:
  /terminals:
    get: { summary: List terminals, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${terminal} }`)} } } }
    post: { summary: Create a new terminal, responses: { '200': { description: ok,
        ${json(terminal)} } } }
  /terminals/{terminal_id}:
    parameters: [{ name: terminal_id, in: path, required: true, schema: ${text} }]
    get: { responses: { '200': { description: ok, ${json(terminal)} }, '404': {
        description: none } } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
components: { schemas: { Terminal: { type: object, required: [name], properties: {
    name: ${text} } } } }`);
    const names = new Set(['1', '2']);
    const { shut, left } = await run(contract, (method, [, name]) => {
      if (name !== undefined) {
        if (!names.has(name)) return { status: 404 };
        if (method === 'DELETE') names.delete(name);
        return method === 'DELETE' ? { status: 204 } : { status: 200, json: { name } };
      }
      if (method !== 'POST') return { status: 200, json: [...names].map((one) => ({ name: one })) };
      const made = String(names.size + 40 + Math.floor(Math.random() * 1e6));
      names.add(made);
      return { status: 200, json: { name: made } };
    });
    expect(shut).toEqual([]);
    expect([...names]).toEqual(['1', '2']);
    expect(left).toEqual([]);
  });
});

const zone = `{ type: object, required: [name], properties: { id: { type: integer },
    name: ${text} } }`;
const rule = `{ type: object, properties: { kind: ${text}, words: { type: array,
    items: ${text} } } }`;
const zoneRef = '{ $ref: "#/components/schemas/Zone" }';
const ruleRef = '{ $ref: "#/components/schemas/Rule" }';
const zones = contractOf(`
paths:
  /zones:
    get: { operationId: listZones, responses: { '200': { description: ok,
        ${json('{ type: array, items: { $ref: "#/components/schemas/Zone" } }')} } } }
    post: { operationId: addZone, requestBody: { required: true, ${json(zoneRef)} },
        responses: { '201': { description: made, ${json(zoneRef)} } } }
  /zones/{zone_id}:
    parameters: [{ name: zone_id, in: path, required: true, schema: ${text} }]
    get: { operationId: getZone, responses: { '200': { description: ok,
        ${json(zoneRef)} }, '404': { description: none } } }
    delete: { operationId: dropZone, responses: { '204': { description: gone }, '404': {
        description: none } } }
  /zones/{zone_id}/rules:
    parameters: [{ name: zone_id, in: path, required: true, schema: ${text} }]
    get: { operationId: listRules, responses: { '200': { description: ok,
        ${json('{ type: array, items: { $ref: "#/components/schemas/Rule" } }')} } } }
    post: { operationId: addRule, requestBody: { required: true, ${json(ruleRef)} },
        responses: { '201': { description: made }, '422': { description: refused } } }
  /zones/{zone_id}/rules/{kind}:
    parameters: [{ name: zone_id, in: path, required: true, schema: ${text} },
        { name: kind, in: path, required: true, schema: ${text} }]
    get: { operationId: getRule, responses: { '200': { description: ok,
        ${json(ruleRef)} }, '404': { description: none }, '422': {
        description: refused } } }
components: { schemas: { Zone: ${zone}, Rule: ${rule} } }`);

interface Zone {
  readonly id: number;
  readonly name: string;
  readonly rules: Map<string, string[]>;
}

/** Zones with rules of a few kinds, which only the service knows. */
function zoneService(isSharedByAll: boolean) {
  const kinds = ['ALLOW', 'DENY'];
  const make = (id: number, name: string): Zone => ({
    id,
    name,
    rules: new Map(kinds.map((kind) => [kind, [`of ${name}`]])),
  });
  const held = new Map([7, 8].map((id) => [String(id), make(id, `zone ${String(id)}`)]));
  const changed: string[] = [];
  let last = 100;
  const handle: Handler = (method, [, id, below, kind], body) => {
    const sent = (body ?? {}) as Record<string, unknown>;
    if (id === undefined) {
      if (method !== 'POST') return { status: 200, json: [...held.values()].map(plain) };
      if (typeof sent['name'] !== 'string') return { status: 422 };
      last += 1;
      const made = { ...make(last, sent['name']), rules: new Map<string, string[]>() };
      held.set(String(made.id), made);
      return { status: 201, json: plain(made) };
    }
    const own = held.get(id);
    if (own === undefined) return { status: 404 };
    if (below === undefined && method === 'DELETE') held.delete(id);
    if (below === undefined)
      return method === 'DELETE' ? { status: 204 } : { status: 200, json: plain(own) };
    const of = isSharedByAll ? (held.get('7') ?? own) : own;
    const name = kind ?? sent['kind'];
    if (kind === undefined && method !== 'POST')
      return { status: 200, json: [...of.rules].map(([each, words]) => ({ kind: each, words })) };
    if (typeof name !== 'string' || !kinds.includes(name))
      return { status: 422, json: { error: `Unsupported kind '${String(name)}'` } };
    if (kind !== undefined) return { status: 200, json: { kind, words: of.rules.get(kind) ?? [] } };
    if (!Array.isArray(sent['words'])) return { status: 422, json: { error: 'words is missing' } };
    if (of.id < 100) changed.push(name);
    of.rules.set(name, sent['words'] as string[]);
    return { status: 201 };
  };
  return { handle, held, changed };
}

const plain = ({ id, name }: Zone) => ({ id, name });

describe('a name below a record of the run', () => {
  test('is one that other records have below them, and goes with its record', async () => {
    const { handle, held, changed } = zoneService(false);
    const { shut, left } = await run(zones, handle);
    expect(shut).toEqual([]);
    expect(changed).toEqual([]);
    expect([...held.keys()]).toEqual(['7', '8']);
    expect(left).toEqual([]);
  });

  test('is not used where it is the record of others that every parent shows', async () => {
    const { handle, changed } = zoneService(true);
    const { shut } = await run(zones, handle);
    expect(shut).toContain('addRule');
    expect(changed).toEqual([]);
  });
});

const flow = `{ type: object, required: [name], properties: { id: { type: string, format: uuid },
    name: ${text}, tags: { type: array, items: ${text} } } }`;
const flowRef = '{ $ref: "#/components/schemas/Flow" }';
const flowsThatDocument = (made: string) =>
  contractOf(`
paths:
  /flows:
    get: { operationId: listFlows, parameters: [{ name: limit, in: query, schema: { type: integer,
        minimum: 1, maximum: 3 } }], responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${flowRef} }`)} } } }
    post: { operationId: addFlow, requestBody: { required: true, ${json(flowRef)} },
        responses: { '${made}': { description: made, ${json(flowRef)} }, '422': {
        description: refused } } }
  /flows/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { operationId: getFlow, responses: { '200': { description: ok, ${json(flowRef)} },
        '404': { description: none } } }
    delete: { operationId: dropFlow, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Flow: ${flow} } }`);
const flows = flowsThatDocument('201');

/** Names that a run sends, and that others may have chosen too. */
const commonNames = [
  'null',
  ' ',
  'a',
  '漢字とかな',
  '',
  '<b>"bold"</b> & 50%25 more',
  'naïve façade',
];

interface Flow {
  readonly id: string;
  readonly name: string;
}

/** Flows by name; `found` answers the record that stands for a name in the place of a new one. */
function flowService(found: (held: readonly Flow[], name: string) => Flow | undefined) {
  const held = new Map(commonNames.map((name) => [crypto.randomUUID() as string, name] as const));
  const others = [...held.keys()];
  let answersFound = 200;
  const handle: Handler = (method, [, id], body) => {
    const all = [...held].map(([one, name]): Flow => ({ id: one, name }));
    if (id !== undefined) {
      const name = held.get(id);
      if (name === undefined) return { status: 404 };
      if (method === 'DELETE') held.delete(id);
      return method === 'DELETE' ? { status: 204 } : { status: 200, json: { id, name } };
    }
    if (method !== 'POST') return { status: 200, json: all.slice(0, 3) };
    const name = (body as { name?: unknown } | undefined)?.name;
    if (typeof name !== 'string') return { status: 422 };
    const same = found(all, name);
    if (same !== undefined && answersFound === 200) return { status: 200, json: same };
    const made = { id: crypto.randomUUID() as string, name };
    held.set(made.id, name);
    return { status: 201, json: same ?? made };
  };
  return {
    handle,
    others,
    held,
    makesAnyway: () => {
      answersFound = 201;
    },
  };
}

describe('a create that answers with another record than a new one', () => {
  test('leaves alone what it finds by its name, where only 201 is documented', async () => {
    const service = flowService((held, name) => held.find((one) => one.name === name));
    await run(flows, service.handle);
    expect(service.others.filter((id) => !service.held.has(id))).toEqual([]);
  });

  test('leaves alone what it finds where new ones get 201, which is not documented', async () => {
    const service = flowService((held, name) => held.find((one) => one.name === name));
    await run(flowsThatDocument('200'), service.handle);
    expect(service.others.filter((id) => !service.held.has(id))).toEqual([]);
  });

  test.each(['201', '200'])(
    'leaves alone a record that was created before the run, where all answer %s',
    async (status) => {
      const service = flowService((held, name) => held.find((one) => one.name === name));
      const beforeRun = Date.now() - 3_600_000;
      await run(flowsThatDocument(status), (method, path, body) => {
        const answered = service.handle(method, path, body);
        const { id } = (answered.json ?? {}) as Partial<Flow>;
        if (id === undefined || answered.status > 201) return answered;
        const at = service.others.includes(id) ? beforeRun : Date.now();
        const shown = { ...(answered.json as Flow), created_at: new Date(at).toISOString() };
        return { status: method === 'POST' ? Number(status) : answered.status, json: shown };
      });
      expect(service.others.filter((id) => !service.held.has(id))).toEqual([]);
      const stay = [...service.held.keys()].filter((id) => !service.others.includes(id));
      expect(stay).toEqual([]);
    },
  );

  test('is new where every record shows the same creation time', async () => {
    const service = flowService(() => undefined);
    const { left } = await run(flows, (method, path, body) => {
      const answered = service.handle(method, path, body);
      if (answered.status !== 201) return answered;
      return { status: 201, json: { created: '2024-01-01T00:00:00Z', ...(answered.json as Flow) } };
    });
    expect([...service.held.keys()]).toEqual(service.others);
    expect(left).toEqual([]);
  });

  test.each(['filter', 'search'])(
    'leaves alone what POST /flows/%s showed before',
    async (verb) => {
      const shown = ok(`{ type: array, items: ${flowRef} }`);
      const contract = contractOf(`
paths:
  /flows:
    post: { operationId: addFlow, requestBody: { required: true, ${json(flowRef)} },
        responses: { '200': { description: made, ${json(flowRef)} } } }
  /flows/${verb}:
    post: { operationId: findFlows, requestBody: { ${json(`{ type: object, properties: {
        name: ${text}, limit: { type: integer, maximum: 100 } } }`)} }, responses: { ${shown} } }
  /flows/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { operationId: getFlow, responses: { '200': { description: ok, ${json(flowRef)} },
        '404': { description: none } } }
    delete: { operationId: dropFlow, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Flow: ${flow} } }`);
      // Each name has one flow, and no answer says whether it is a new one.
      const service = flowService((held, name) => held.find((one) => one.name === name));
      await run(contract, (method, path, body) => {
        const answered = service.handle(method, path, body);
        if (method === 'POST' && path[1] === verb) {
          const { name } = (body ?? {}) as Partial<Flow>;
          const all = [...service.held].map(([id, each]) => ({ id, name: each }));
          return {
            status: 200,
            json: all.filter((one) => name === undefined || one.name === name),
          };
        }
        return method === 'POST' && answered.status === 201
          ? { ...answered, status: 200 }
          : answered;
      });
      expect(service.others.filter((id) => !service.held.has(id))).toEqual([]);
      expect([...service.held.keys()].filter((id) => !service.others.includes(id))).toEqual([]);
    },
  );

  test('is among what the run leaves, as records that no answer shows', async () => {
    let first: Flow | undefined;
    const service = flowService((held) => {
      const own = held.find(({ id }) => id === first?.id);
      return own;
    });
    service.makesAnyway();
    const { left } = await run(flows, (method, path, body) => {
      const before = new Set(service.held.keys());
      const answered = service.handle(method, path, body);
      const [made] = [...service.held.keys()].filter((id) => !before.has(id));
      if (made !== undefined) first ??= { id: made, name: service.held.get(made) ?? '' };
      return answered;
    });
    const stay = [...service.held.keys()].filter((id) => !service.others.includes(id));
    expect(stay.length).toBeGreaterThan(0);
    expect(JSON.stringify(left)).toMatch(/records? of POST \/flows, identifiers unknown|appeared/);
  });
});

test('what an action on an own record made, as its 201 says, is among what is left', async () => {
  const job = '{ $ref: "#/components/schemas/Job" }';
  const contract = contractOf(`
paths:
  /jobs:
    get: { operationId: listJobs, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${job} }`)} } } }
    post: { operationId: addJob, requestBody: { required: true, ${json(job)} }, responses: {
        '201': { description: made, ${json(job)} } } }
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: ${text} }]
    get: { operationId: getJob, responses: { '200': { description: ok, ${json(job)} }, '404': {
        description: none } } }
    delete: { operationId: dropJob, responses: { '204': { description: gone }, '404': {
        description: none } } }
  /jobs/{id}/set_state:
    parameters: [{ name: id, in: path, required: true, schema: ${text} }]
    post: { operationId: setState, requestBody: { required: true,
        ${json(`{ type: object, required: [data], properties: { data: ${text} } }`)} },
        responses: { '200': { description: accepted }, '201': { description: made }, '404': {
        description: none } } }
  /jobs/{id}/cancel:
    parameters: [{ name: id, in: path, required: true, schema: ${text} }]
    post: { operationId: cancelJob, responses: { '200': { description: done }, '404': {
        description: none } } }
components: { schemas: { Job: { type: object, required: [name], properties: { id: ${text},
    name: ${text} } } } }`);
  const jobs = new Map<string, unknown>();
  const artifacts: string[] = [];
  const { left } = await run(contract, (method, [, id, act], body) => {
    if (id === undefined) {
      if (method !== 'POST') return { status: 200, json: [...jobs.values()] };
      const made = { ...(body as object), id: crypto.randomUUID() };
      jobs.set(made.id, made);
      return { status: 201, json: made };
    }
    if (!jobs.has(id)) return { status: 404 };
    if (act === 'set_state') artifacts.push(id);
    if (act !== undefined) return { status: act === 'set_state' ? 201 : 200 };
    if (method === 'DELETE') jobs.delete(id);
    return method === 'DELETE' ? { status: 204 } : { status: 200, json: jobs.get(id) };
  });
  expect([...jobs]).toEqual([]);
  expect(artifacts.length).toBeGreaterThan(0);
  expect(left).toMatchObject([{ operation: 'setState', count: artifacts.length }]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectsOf, textOf, without, type JsonObject } from '../json.ts';
import type { CensusRecord, Kind, Service } from '../service.ts';

/**
 * The kinds with a list of their own: `POST /NAME/filter`, and what creates them besides `POST
 * /NAME/`.
 */
const lists: Readonly<Record<string, readonly string[]>> = {
  flows: [],
  deployments: [],
  flow_runs: [
    'POST /deployments/{id}/create_flow_run',
    'POST /deployments/{id}/create_flow_run/bulk',
    'POST /deployments/{id}/schedule',
  ],
  task_runs: [],
  variables: [],
  work_pools: [],
  work_queues: ['POST /work_pools/{work_pool_name}/queues'],
  // The data of a state becomes an artifact.
  artifacts: ['POST /flow_runs/{id}/set_state', 'POST /task_runs/{id}/set_state'],
  concurrency_limits: [],
  'v2/concurrency_limits': [],
  saved_searches: ['PUT /saved_searches/'],
  automations: [],
  block_types: ['POST /block_types/install_system_block_types'],
  block_schemas: ['POST /block_types/install_system_block_types'],
  block_documents: [],
  logs: [],
};

/**
 * Prefect: flows and their runs, deployments, work pools, variables and more, with bulk deletions
 * by POST.
 */
export const prefect: Service = {
  name: 'prefect',
  title: 'Prefect server',
  version: '3.8.8',
  install: { from: 'pypi', requirements: 'prefect.txt' },
  start: ({ installed, data, ports }) => ({
    program: join(installed, 'bin/prefect'),
    args: ['server', 'start', '--no-services', '--host', '127.0.0.1', '--port', String(ports[0])],
    env: {
      PREFECT_HOME: join(data, 'prefect'),
      PREFECT_SERVER_ANALYTICS_ENABLED: 'false',
      PREFECT_SERVER_UI_ENABLED: 'false',
    },
  }),
  ready: { path: '/api/ready' },
  document: async ({ data }, api) => {
    const file = join(data, 'prefect.json');
    writeFileSync(file, (await api.send('GET', '/openapi.json')).text);
    return file;
  },
  basePath: '/api',
  auth: { headers: {} },
  examples: {
    '*': {
      name: 'nightly',
      work_pool_name: 'nightly',
      tag: 'nightly',
      key: 'nightly',
      flow_name: 'nightly',
      deployment_name: 'nightly',
      id_or_name: 'nightly',
    },
  },
  kinds: kinds(),
  seed,
  census,
};

function kinds(): Kind[] {
  const listed = Object.entries(lists).map(([name, more]) => ({
    name,
    createdBy: [`POST /${name}/`, ...more],
  }));
  return [...listed, { name: 'setting', createdBy: ['PUT /admin/storage'] }];
}

const ordinary = ['nightly', 'hourly', 'weekly', 'monthly', 'yearly'];

/** Names that anybody might choose, a program that makes values too. */
const common = ['amber', 'cedar', 'linden', 'null', '漢字とかな'];

async function seed(api: Api): Promise<void> {
  const create = async (path: string, body: JsonObject): Promise<string> =>
    textOf(await api.ask('POST', `/api/${path}/`, body), 'id');
  for (const name of ordinary) {
    const flow = await create('flows', { name });
    const deployment = await create('deployments', { name, flow_id: flow });
    await create('flow_runs', { flow_id: flow, deployment_id: deployment, name: `run-${name}` });
    await create('task_runs', { flow_run_id: null, task_key: name, dynamic_key: '0' });
    await create('variables', { name, value: name });
    await create('work_pools', { name, type: 'process' });
    await create('work_queues', { name });
    await create('artifacts', { key: name, type: 'markdown', data: name });
    await create('concurrency_limits', { tag: name, concurrency_limit: 3 });
    await create('v2/concurrency_limits', { name, limit: 3 });
    await api.ask('PUT', '/api/saved_searches/', { name });
    const trigger = {
      type: 'event',
      posture: 'Reactive',
      threshold: 1,
      within: 0,
      expect: ['never.happens'],
    };
    await create('automations', { name, trigger, actions: [{ type: 'do-nothing' }] });
    await api.ask('POST', '/api/logs/', [
      { name, level: 20, message: name, timestamp: '2026-01-01T00:00:00Z' },
    ]);
  }
  await seedCommon(api);
}

/** Limits are named in bodies, and taken and given back by name. */
async function seedCommon(api: Api): Promise<void> {
  for (const name of common) {
    await api.ask('POST', '/api/concurrency_limits/', { tag: name, concurrency_limit: 9 });
    await api.ask('POST', '/api/v2/concurrency_limits/', { name, limit: 9 });
    await api.ask('POST', '/api/v2/concurrency_limits/increment', { names: [name], slots: 4 });
    await api.ask('POST', '/api/flows/', { name });
    await api.ask('PUT', '/api/saved_searches/', { name });
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const records: CensusRecord[] = [];
  for (const name of Object.keys(lists))
    for (const entry of await all(api, name)) records.push(...recordOf(name, entry));
  const storage = await api.ask('GET', '/api/admin/storage');
  return [...records, { kind: 'setting', id: 'storage', names: ['storage'], content: storage }];
}

const pageSize = 200;

async function all(api: Api, name: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (;;) {
    const page = objectsOf(
      await api.ask('POST', `/api/${name}/filter`, { limit: pageSize, offset: found.length }),
    );
    found.push(...page);
    if (page.length < pageSize) return found;
  }
}

/**
 * How late a run is changes by itself. The queue that a pool is created with is a part of the pool.
 */
const byThemselves = ['estimated_run_time', 'estimated_start_time_delta'];

function recordOf(kind: string, entry: JsonObject): CensusRecord[] {
  if (kind === 'work_queues' && entry['name'] === 'default') return [];
  // The list of the newer interface shows the limits of the older one too.
  const isOlder = textOf(entry, 'name').startsWith('tag:');
  if (kind === 'v2/concurrency_limits' && isOlder) return [];
  const id = textOf(entry, 'id');
  return [
    {
      kind,
      id,
      names: [id, textOf(entry, 'name'), textOf(entry, 'slug'), textOf(entry, 'tag')],
      content: without(entry, ...byThemselves),
    },
  ];
}

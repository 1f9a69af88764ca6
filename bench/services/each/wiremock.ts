import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, type Json } from '../json.ts';
import type { CensusRecord, Service } from '../service.ts';

const version = '3.13.2';

/**
 * An identifier that the examples of the document have: others may have taken it from there too.
 */
const exampleId = '76ada7b0-49ae-4229-91c4-396a36f18e09';

/** WireMock: stubs, the request journal, scenarios, files and the settings of the whole server. */
export const wiremock: Service = {
  name: 'wiremock',
  title: 'WireMock',
  version,
  install: {
    from: 'maven',
    artifact: `org.wiremock:wiremock-standalone:${version}`,
    sha256: 'd097b19bd483c5038479b13a5c71e9faf8f2f5106584f0c120a7770ab0bdb367',
    extract: ['swagger/wiremock-admin-api.json'],
  },
  start: ({ installed, data, ports }) => ({
    program: 'java',
    args: [
      '-jar',
      join(installed, 'wiremock-standalone.jar'),
      '--bind-address',
      '127.0.0.1',
      '--port',
      String(ports[0]),
      '--root-dir',
      join(data, 'root'),
      '--disable-banner',
    ],
  }),
  ready: { path: '/__admin/health' },
  document: ({ installed }) => join(installed, 'wiremock-admin-api.json'),
  basePath: '',
  auth: { headers: {} },
  examples: { '*': { stubMappingId: exampleId, fileId: 'orders.txt' } },
  kinds: [
    {
      name: 'stub',
      createdBy: [
        'POST /__admin/mappings',
        'POST /__admin/mappings/import',
        'PUT /__admin/mappings/{stubMappingId}',
        'POST /__admin/recordings/stop',
        'POST /__admin/recordings/snapshot',
      ],
    },
    { name: 'request', createdBy: [], notLeft: 'an entry of the journal' },
    { name: 'scenario', createdBy: [], notLeft: 'a part of a stub' },
    { name: 'file', createdBy: ['PUT /__admin/files/{fileId}'] },
    { name: 'setting', createdBy: ['POST /__admin/settings'] },
  ],
  seed,
  census,
};

async function seed(api: Api): Promise<void> {
  const stub = (url: string, more: { readonly [name: string]: Json } = {}): Json => ({
    request: { method: 'GET', url },
    response: { status: 200, body: url },
    ...more,
  });
  await api.ask('POST', '/__admin/mappings', stub('/some/thing', { id: exampleId }));
  for (const name of ['orders', 'users', 'carts', 'prices', 'stock']) {
    await api.ask('POST', '/__admin/mappings', stub(`/${name}`, { metadata: { team: name } }));
    await api.ask(
      'POST',
      '/__admin/mappings',
      stub(`/${name}/next`, {
        scenarioName: name,
        requiredScenarioState: 'Started',
        newScenarioState: 'moved',
      }),
    );
    await api.ask('PUT', `/__admin/files/${name}.txt`, `the body of ${name}`);
    for (const path of [`/${name}`, `/${name}/next`, `/${name}/unknown`])
      await api.send('GET', path);
  }
  await api.ask('POST', '/__admin/settings', { fixedDelay: 3 });
}

async function census(api: Api): Promise<CensusRecord[]> {
  const list = async (
    path: string,
    member: string,
  ): Promise<readonly { readonly [name: string]: Json }[]> =>
    objectsOf(objectOf(await api.ask('GET', path))[member]);
  const files = await api.ask('GET', '/__admin/files');
  const names = Array.isArray(files) ? files.map((name: Json) => textOf(name)) : [];
  const texts = await Promise.all(
    names.map((name) => api.send('GET', `/__admin/files/${encodeURIComponent(name)}`)),
  );
  return [
    ...(await list('/__admin/mappings', 'mappings')).map((stub): CensusRecord => ({
      kind: 'stub',
      id: textOf(stub, 'id'),
      names: [textOf(stub, 'id'), textOf(stub, 'name')],
      content: stub,
    })),
    ...(await list('/__admin/requests', 'requests')).map((entry) =>
      recordOf('request', textOf(entry, 'id'), textOf(entry['request'], 'url')),
    ),
    ...(await list('/__admin/scenarios', 'scenarios')).map((scenario) =>
      recordOf('scenario', textOf(scenario, 'name'), { state: scenario['state'] ?? null }),
    ),
    ...names.map((name, at) => recordOf('file', name, texts[at]?.text ?? null)),
    recordOf('setting', 'global settings', await api.ask('GET', '/__admin/settings')),
    recordOf('setting', 'recording', await api.ask('GET', '/__admin/recordings/status')),
  ];
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}

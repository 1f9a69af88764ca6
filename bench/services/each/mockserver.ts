import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, type Json } from '../json.ts';
import type { CensusRecord, Service } from '../service.ts';

const version = '5.15.0';

/** MockServer: expectations, the requests that it recorded, and the ports that it is bound to. */
export const mockserver: Service = {
  name: 'mockserver',
  title: 'MockServer',
  version,
  install: {
    from: 'maven',
    artifact: `org.mock-server:mockserver-netty-no-dependencies:${version}`,
    sha256: '866bd44bfda37a3dc7d95f89c3abb34175dab5014326cd74b3e03fd023eddebf',
    extract: ['org/mockserver/openapi/mock-server-openapi-embedded-model.yaml'],
  },
  start: ({ installed, ports }) => ({
    program: 'java',
    args: [
      '-Dmockserver.localBoundIP=127.0.0.1',
      '-jar',
      join(installed, 'mockserver-netty-no-dependencies.jar'),
      '-serverPort',
      String(ports[0]),
    ],
  }),
  ready: { method: 'PUT', path: '/mockserver/status' },
  // The document refers to a meta-schema on the network: an object stands in its place.
  document: ({ installed, data }) => {
    const file = join(data, 'mockserver.yaml');
    const text = readFileSync(join(installed, 'mock-server-openapi-embedded-model.yaml'), 'utf8');
    writeFileSync(
      file,
      text.replaceAll(
        /\$ref: ["']?http:\/\/json-schema\.org\/draft-04\/schema#?["']?/g,
        'type: object',
      ),
    );
    return file;
  },
  basePath: '',
  auth: { headers: {} },
  kinds: [
    { name: 'expectation', createdBy: ['PUT /mockserver/expectation', 'PUT /mockserver/openapi'] },
    { name: 'request', createdBy: [], notLeft: 'an entry of the journal' },
    { name: 'port', createdBy: ['PUT /mockserver/bind'] },
  ],
  seed,
  census,
};

async function seed(api: Api): Promise<void> {
  for (const name of ['orders', 'users', 'carts', 'prices', 'stock']) {
    const httpRequest = { method: 'GET', path: `/${name}` };
    await api.ask('PUT', '/mockserver/expectation', {
      id: `${name}-by-hand`,
      httpRequest,
      httpResponse: { statusCode: 200, body: name },
    });
    for (const path of [`/${name}`, `/${name}/unknown`]) await api.send('GET', path);
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const retrieve = async (type: string): Promise<readonly { readonly [name: string]: Json }[]> =>
    objectsOf(await api.ask('PUT', `/mockserver/retrieve?type=${type}&format=JSON`));
  const { ports } = objectOf(await api.ask('PUT', '/mockserver/status'));
  return [
    ...(await retrieve('ACTIVE_EXPECTATIONS')).map((expectation) =>
      recordOf('expectation', textOf(expectation, 'id'), expectation),
    ),
    ...requestsOf(await retrieve('REQUESTS')),
    ...(Array.isArray(ports) ? ports : []).map((port: Json) => recordOf('port', textOf(port), {})),
  ];
}

/**
 * The requests of the seed are the only ones to their paths, and are told by them: an entry has no
 * identifier.
 */
function requestsOf(entries: readonly { readonly [name: string]: Json }[]): CensusRecord[] {
  const paths = new Set(
    entries.map((entry) => `${textOf(entry, 'method')} ${textOf(entry, 'path')}`),
  );
  return [...paths].map((path) => recordOf('request', path, {}));
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}

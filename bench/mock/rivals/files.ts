import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '../../../src/json/parse-yaml.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../src/json/value.ts';

/** The contract that every rival serves. */
export const petStore: string = fileURLToPath(
  new URL('../../../openapi/petstore.v1.yaml', import.meta.url),
);

/**
 * What each rival reads its records or its answers from: the same animals for all of them, those of
 * the repository's fixtures.
 */
export interface RivalFiles {
  /** A JSON array of the animals. */
  readonly records: string;
  /**
   * A module of json-server: from a module, and not from a JSON file, it keeps its records in
   * memory.
   */
  readonly jsonServer: string;
  /** A folder of WireMock with stubs that answer what the contract's operations answer. */
  readonly wiremock: string;
  /**
   * The environment of Mockoon with its CRUD route over the animals; needs the folder in which
   * Mockoon is installed.
   */
  mockoon(installed: string): string;
}

/** Writes them into a folder that is removed when the process ends. */
export function writeRivalFiles(): RivalFiles {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-rivals-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const animals = readAnimals();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const text = stringifyJson(animals);
  return {
    records: write('records.json', text),
    jsonServer: write('json-server.cjs', `module.exports = () => ({ pets: ${text} });\n`),
    wiremock: writeStubs(join(folder, 'wiremock'), animals),
    mockoon: (installed) =>
      write('mockoon.json', JSON.stringify(mockoonEnvironment(installed, text))),
  };
}

function readAnimals(): readonly JsonValue[] {
  const reading = parseYaml(
    readFileSync(new URL('../../../fixtures/pets.yaml', import.meta.url), 'utf8'),
  );
  if (!reading.ok) throw new Error(reading.problem.message);
  return (reading.value as JsonObject)['pets'] as readonly JsonValue[];
}

/** WireMock reads no contract: this is what its user writes for three operations. */
function writeStubs(root: string, animals: readonly JsonValue[]): string {
  mkdirSync(join(root, 'mappings'), { recursive: true });
  const [first] = animals;
  const stub = (request: JsonObject, status: number, body: JsonValue): JsonObject => ({
    request: { headers: { Authorization: { equalTo: 'Bearer demo-key' } }, ...request },
    response: {
      status,
      headers: { 'Content-Type': 'application/json' },
      body: stringifyJson(body),
    },
  });
  const mappings = [
    stub({ method: 'GET', urlPath: '/v1/pets' }, 200, animals.slice(0, 20)),
    stub({ method: 'GET', urlPathPattern: '/v1/pets/[0-9]+' }, 200, first ?? null),
    stub({ method: 'POST', urlPath: '/v1/pets' }, 201, first ?? null),
    {
      ...stub(
        { method: 'ANY', urlPathPattern: '/v1/.*', headers: { Authorization: { absent: true } } },
        401,
        { code: 'unauthorized', message: 'An API key is required.', status: 401 },
      ),
      priority: 10,
    },
  ];
  writeFileSync(join(root, 'mappings', 'pets.json'), stringifyJson({ mappings }));
  return root;
}

/** As much of Mockoon's builder as is used here. */
interface MockoonBuilder {
  BuildEnvironment(options: object): object;
  BuildDatabucket(options: object): { readonly id: string };
  BuildCRUDRoute(hasResponse: boolean, options: object): { readonly uuid: string };
}

function mockoonEnvironment(installed: string, records: string): object {
  const build = createRequire(join(installed, 'package.json'))(
    '@mockoon/commons',
  ) as MockoonBuilder;
  const bucket = build.BuildDatabucket({ name: 'pets', value: records });
  const route = build.BuildCRUDRoute(true, { endpoint: 'pets', databucketID: bucket.id });
  return {
    ...build.BuildEnvironment({ hasContentTypeHeader: true }),
    name: 'Pet Store',
    endpointPrefix: 'v1',
    data: [bucket],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
  };
}

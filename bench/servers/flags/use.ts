import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

export interface Settings {
  readonly on: boolean;
  readonly offVariation: number;
  readonly fallthrough: { readonly variation?: number };
  readonly targets: readonly { readonly variation: number; readonly values: string[] }[];
  readonly version: number;
  readonly lastModified: number;
  readonly _summary: { readonly targets: number };
}

type Texts = '_id' | 'key' | 'name' | 'description' | 'role' | 'email' | 'token' | 'comment';
type Numbers = '_version' | 'creationDate' | 'totalCount' | 'date' | 'variation';

/** What any record or list may have. */
export type Row = Readonly<Record<Texts, string>> &
  Readonly<Record<Numbers, number>> & {
    readonly tags: readonly string[];
    readonly archivedDate: number | null;
    readonly variations: readonly { readonly _id: string }[];
    readonly environments: Readonly<Record<string, Settings>>;
    readonly value: unknown;
    readonly reason: { readonly kind: string };
    readonly items: readonly Row[];
    readonly _links: Readonly<Record<'next' | 'self', { readonly href: string } | undefined>>;
  };

type Answer = Got<Row>;
type Asked = Promise<Answer>;

/** Sends `METHOD path`, with the path behind that of the API, or a whole one. */
export async function ask(client: Client, what: string, json?: unknown, as = 'first'): Asked {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(what) ?? [];
  const target = path.startsWith('/') ? path : `/api/v2/${path}`;
  return client.ask<Row>(method, target, json === undefined ? { as } : { as, json });
}

/** Sends the request with another access token. */
export const askWith = (client: Client, what: string, token: string, json?: unknown): Asked => {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(what) ?? [];
  const headers = { Authorization: token };
  return client.ask<Row>(
    method,
    `/api/v2/${path}`,
    json === undefined ? { headers } : { headers, json },
  );
};

export const get = async (client: Client, path: string): Promise<Row> =>
  (await ask(client, `GET ${path}`)).body;

export const itemsOf = async (client: Client, path: string): Promise<readonly Row[]> =>
  (await get(client, path)).items ?? [];

export const keysOf = async (client: Client, path: string): Promise<string> =>
  (await itemsOf(client, path)).map(({ key }) => key).join();

/** The path behind the address of the next page. */
export const nextOf = ({ _links }: Row): string | undefined =>
  _links.next === undefined ? undefined : pathOf(_links.next.href);

/** A new project with the environments `test` and `production`; its key. */
export async function newProject(client: Client, more: object = {}, as?: string): Promise<string> {
  const key = unique('proj');
  await ask(client, 'POST projects', { key, name: `Project ${key}`, ...more }, as);
  return key;
}

/** A flag in a project, with the path to it. */
export interface Made {
  readonly project: string;
  readonly path: string;
  readonly flag: Row;
  /** The ids of its variations. */
  readonly ids: readonly string[];
}

/** A new flag in this project, or in a new one. */
export async function newFlag(client: Client, more: object = {}, where?: string): Promise<Made> {
  const project = where ?? (await newProject(client));
  const key = unique('flag');
  const json = { key, name: `Flag ${key}`, ...more };
  const { body: flag } = await ask(client, `POST flags/${project}`, json);
  const ids = (flag.variations ?? []).map(({ _id }) => _id);
  return { project, path: `flags/${project}/${flag.key}`, flag, ids };
}

/** Flags of a new project, in the order of their creation. */
export async function newFlags(client: Client, ...flags: readonly object[]): Promise<Made[]> {
  const project = await newProject(client);
  const made: Made[] = [];
  for (const more of flags) made.push(await newFlag(client, more, project));
  return made;
}

/** Sends instructions about the environment `test`. */
export const instruct = (client: Client, { path }: Made, ...instructions: object[]): Asked =>
  ask(client, `PATCH ${path}`, { environmentKey: 'test', instructions });

export const patch = (
  client: Client,
  { path }: { readonly path: string },
  ...json: object[]
): Asked => ask(client, `PATCH ${path}`, json);

export const on = { kind: 'turnFlagOn' };

/** The settings of a flag in `test`, or in another environment. */
export async function settings(client: Client, { path }: Made, key = 'test'): Promise<Settings> {
  const found = (await get(client, path)).environments[key];
  if (found === undefined) throw new Error(`The flag has nothing in ${key}.`);
  return found;
}

/** What a flag serves to a context in `test`. */
export async function serve(
  client: Client,
  made: Made,
  more: object = {},
): Promise<Row | undefined> {
  const context = { key: 'kim', ...more };
  const path = `POST projects/${made.project}/environments/test/evaluate`;
  const { body } = await ask(client, path, { context });
  return (body.items ?? []).find(({ key }) => key === made.flag.key);
}

/** A new segment in `test`, and a flag with a rule that serves its first variation to it. */
export async function newSegment(
  client: Client,
  more: object = {},
): Promise<{ readonly made: Made; readonly path: string }> {
  const made = await newFlag(client, { defaults: { onVariation: 1, offVariation: 1 } });
  const key = unique('seg');
  const path = `segments/${made.project}/test`;
  await ask(client, `POST ${path}`, { key, name: 'Segment', ...more });
  const clauses = [{ attribute: 'key', op: 'segmentMatch', values: [key] }];
  await instruct(client, made, on, { kind: 'addRule', clauses, variationId: made.ids[0] });
  return { made, path: `${path}/${key}` };
}

/** What the audit log has about a flag, the newest first. */
export const logOf = ({ project, flag }: Made): string =>
  `auditlog?resource=proj/${project}:flag/${flag.key}`;

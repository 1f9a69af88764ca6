import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

type Texts = '.tag' | 'id' | 'name' | 'path_display' | 'client_modified' | 'rev' | 'content_hash';

/** What a file, a folder or a deleted entry may have. */
export type Row = Readonly<Record<Texts, string>> & { readonly size: number };

/** What the answer to a function may have. */
export interface Body
  extends
    Row,
    Readonly<Record<'contents' | 'cursor' | 'url' | 'expires' | 'shared_folder_id', string>> {
  readonly metadata: Row;
  readonly entries: readonly Row[];
  readonly has_more: boolean;
  readonly matches?: readonly { readonly metadata: Row }[];
  readonly links: readonly unknown[];
  readonly used: number;
  readonly allocation: { readonly used: number };
  readonly users: readonly { readonly user: { readonly email: string } }[];
  readonly paths_to_tags: readonly { readonly tags: readonly unknown[] }[];
}

export type Answer = Promise<Got<Body>>;

interface From {
  readonly as?: string;
  /** A shared folder in which paths begin. */
  readonly root?: string;
}

/** Calls a function. */
export function call(client: Client, name: string, json: object = {}, from: From = {}): Answer {
  const { as = 'first', root } = from;
  const headers: Record<string, string> = root === undefined ? {} : { 'Loftbay-Path-Root': root };
  return client.ask<Body>('POST', `/2/${name}`, { as, json, headers });
}

export const files = (client: Client, name: string, json: object, from?: From): Answer =>
  call(client, `files/${name}`, json, from);

/** A path in the root that nothing is at. */
export const newPath = (extension = ''): string => `/${unique('Plan')}${extension}`;

export const upload = (client: Client, path: string, more: object = {}, from?: From): Answer =>
  files(client, 'upload', { path, contents: 'Draft', ...more }, from);

/** A new file in the root. */
export async function newFile(client: Client, more: object = {}): Promise<Row & { path: string }> {
  const path = newPath('.txt');
  return { ...(await upload(client, path, more)).body, path };
}

export const overwrite = (client: Client, path: string): Answer =>
  upload(client, path, { contents: 'Second', mode: { '.tag': 'overwrite' } });

/** A new file whose contents were overwritten, with its first revision. */
export async function rewritten(client: Client): Promise<{ path: string; rev: string }> {
  const { path, rev } = await newFile(client);
  await overwrite(client, path);
  return { path, rev };
}

/** The path of a new folder with files at these places of it. */
export async function newFolder(client: Client, ...names: readonly string[]): Promise<string> {
  const path = newPath();
  await files(client, 'create_folder', { path });
  for (const name of names) await upload(client, `${path}/${name}`);
  return path;
}

export const move = (client: Client, from_path: string, to_path: string): Answer =>
  files(client, 'move', { from_path, to_path });

/** Copies to a new path. */
export const copy = async (client: Client, from_path: string): Promise<Row> =>
  (await files(client, 'copy', { from_path, to_path: newPath() })).body.metadata;

export const remove = (client: Client, path: string): Answer => files(client, 'delete', { path });

export const metadata = (client: Client, path: string): Answer =>
  files(client, 'get_metadata', { path });

export const isGone = async (client: Client, path: string): Promise<boolean> =>
  (await metadata(client, path)).status === 409;

export const revisions = async (client: Client, path: string): Promise<readonly Row[]> =>
  (await files(client, 'list_revisions', { path })).body.entries;

/** All pages of a function that can be continued. */
export async function allPages(client: Client, name: string, json: object): Promise<Body[]> {
  const pages = [(await files(client, name, json)).body];
  const next = name.replace(/(\/continue)?$/, '/continue');
  for (let last = pages[0]; last?.has_more === true && pages.length < 50; last = pages.at(-1))
    pages.push((await files(client, next, { cursor: last.cursor })).body);
  return pages;
}

/** Names of all entries in a folder, in their order. */
export async function namesIn(client: Client, path: string, more: object = {}): Promise<string[]> {
  const pages = await allPages(client, 'list_folder', { path, ...more });
  return pages.flatMap(({ entries }) => entries.map(({ name }) => name));
}

/** Names of what a search finds, in their order. */
export async function found(client: Client, query: string, options = {}): Promise<string[]> {
  const pages = await allPages(client, 'search', { query, options });
  return pages.flatMap(({ matches = [] }) => matches.map((one) => one.metadata.name));
}

/** A new shared link for a path, with settings. */
export const newLink = (client: Client, path: string, settings: object = {}): Answer =>
  call(client, 'sharing/create_shared_link', { path, settings });

export const readLink = (client: Client, url: string, from?: From): Answer =>
  call(client, 'sharing/get_shared_link_metadata', { url }, from);

/** Adds members to a shared folder, by their email. */
export function invite(
  client: Client,
  shared_folder_id: string,
  roles: Readonly<Record<string, string>>,
  from?: From,
): Answer {
  const members = Object.entries(roles).map(([email, role]) => ({
    ...{ email, access_level: { '.tag': role } },
  }));
  return call(client, 'sharing/add_folder_members', { shared_folder_id, members }, from);
}

/** The id and the path of a new shared folder with Ivo as a member. */
export async function newShared(client: Client, role = 'editor'): Promise<[string, string]> {
  const path = await newFolder(client);
  const { body } = await call(client, 'sharing/share_folder', { path });
  await invite(client, body.shared_folder_id, { 'ivo@harbor.example': role });
  return [body.shared_folder_id, path];
}

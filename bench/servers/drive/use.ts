import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

/** What a file, a folder or a deleted entry may have. */
export interface Row {
  readonly '.tag': string;
  readonly id: string;
  readonly name: string;
  readonly path_lower: string;
  readonly path_display: string;
  readonly client_modified: string;
  readonly rev: string;
  readonly size: number;
  readonly content_hash: string;
}

/** What the answer to a function may have. */
export interface Body {
  readonly metadata: Row;
  readonly contents: string;
  readonly entries: readonly Row[];
  readonly cursor: string;
  readonly has_more: boolean;
  readonly matches: readonly { readonly metadata: Row }[];
  readonly links: readonly { readonly url: string }[];
  readonly url: string;
  readonly expires?: string;
  readonly link_permissions: { readonly resolved_visibility: { readonly '.tag': string } };
  readonly used: number;
  readonly allocation: { readonly used: number };
  readonly shared_folder_id: string;
  readonly users: readonly { readonly user: { readonly email: string } }[];
  readonly paths_to_tags: readonly { readonly tags: readonly unknown[] }[];
}

export type Answer = Got<Body & Row>;

interface From {
  readonly as?: string;
  /** A shared folder in which paths begin. */
  readonly root?: string;
}

/** Calls a function. */
export function call(
  client: Client,
  name: string,
  json: object = {},
  { as = 'first', root }: From = {},
): Promise<Answer> {
  const headers: Record<string, string> = root === undefined ? {} : { 'Loftbay-Path-Root': root };
  return client.ask<Body & Row>('POST', `/2/${name}`, { as, json, headers });
}

export const files = (client: Client, name: string, json: object, from?: From): Promise<Answer> =>
  call(client, `files/${name}`, json, from);

export const sharing = (client: Client, name: string, json: object, from?: From): Promise<Answer> =>
  call(client, `sharing/${name}`, json, from);

/** A path in the root that nothing is at. */
export const newPath = (extension = ''): string => `/${unique('Plan')}${extension}`;

export const upload = (client: Client, path: string, more: object = {}, from?: From) =>
  files(client, 'upload', { path, contents: 'Draft', ...more }, from);

const overwriting = { mode: { '.tag': 'overwrite' } };

export const overwrite = (client: Client, path: string, contents: string) =>
  upload(client, path, { contents, ...overwriting });

/** A new file in the root. */
export const newFile = async (client: Client, more: object = {}): Promise<Row> =>
  (await upload(client, newPath('.txt'), more)).body;

/** The path of a new folder with files at these places of it. */
export async function newFolder(client: Client, ...names: readonly string[]): Promise<string> {
  const path = newPath();
  await files(client, 'create_folder', { path });
  for (const name of names) await upload(client, `${path}/${name}`);
  return path;
}

export const move = (client: Client, from_path: string, to_path: string): Promise<Answer> =>
  files(client, 'move', { from_path, to_path });

export const copy = async (client: Client, from_path: string, to_path: string): Promise<Row> =>
  (await files(client, 'copy', { from_path, to_path })).body.metadata;

export const remove = (client: Client, path: string): Promise<Answer> =>
  files(client, 'delete', { path });

export const metadata = (client: Client, path: string): Promise<Answer> =>
  files(client, 'get_metadata', { path });

export const isGone = async (client: Client, path: string): Promise<boolean> =>
  (await metadata(client, path)).status === 409;

export const revisions = async (client: Client, path: string): Promise<readonly Row[]> =>
  (await files(client, 'list_revisions', { path })).body.entries;

/** All pages from this one on. */
export async function allPages(client: Client, first: Promise<Answer>): Promise<Body[]> {
  const pages = [(await first).body];
  for (let last = pages[0]; last?.has_more === true && pages.length < 50; last = pages.at(-1))
    pages.push((await files(client, 'list_folder/continue', { cursor: last.cursor })).body);
  return pages;
}

/** Names of all entries in a folder, in their order. */
export async function namesIn(
  client: Client,
  path: string,
  more: object = {},
): Promise<readonly string[]> {
  const pages = await allPages(client, files(client, 'list_folder', { path, ...more }));
  return pages.flatMap(({ entries }) => entries.map(({ name }) => name));
}

/** A cursor for what changes in a folder from now on. */
export async function cursorOf(client: Client, path: string): Promise<string> {
  const pages = await allPages(client, files(client, 'list_folder', { path }));
  return pages.at(-1)?.cursor ?? '';
}

/** What has changed since the cursor was given. */
export async function changesSince(client: Client, cursor: string): Promise<readonly Row[]> {
  const pages = await allPages(client, files(client, 'list_folder/continue', { cursor }));
  return pages.flatMap(({ entries }) => entries);
}

/** Names of what a search finds, in their order. */
export async function found(
  client: Client,
  query: string,
  options: object = {},
): Promise<readonly string[]> {
  const { body } = await files(client, 'search', { query, options });
  const names = body.matches.map((one) => one.metadata.name);
  let { cursor, has_more: hasMore } = body;
  while (hasMore) {
    const next = (await files(client, 'search/continue', { cursor })).body;
    names.push(...next.matches.map((one) => one.metadata.name));
    ({ cursor, has_more: hasMore } = next);
  }
  return names;
}

/** A new shared link for a path, with settings. */
export const newLink = (client: Client, path: string, settings: object = {}): Promise<Answer> =>
  sharing(client, 'create_shared_link', { path, settings });

export const readLink = (client: Client, url: string, from?: From): Promise<Answer> =>
  sharing(client, 'get_shared_link_metadata', { url }, from);

export const addresses = {
  ivo: 'ivo@harbor.example',
  mei: 'mei@harbor.example',
  greta: 'greta@harbor.example',
} as const;

/** Adds a member to a shared folder. */
export const addMember = (
  client: Client,
  shared_folder_id: string,
  [email, role]: readonly [string, string],
  from?: From,
): Promise<Answer> => {
  const members = [{ email, access_level: { '.tag': role } }];
  return sharing(client, 'add_folder_members', { shared_folder_id, members }, from);
};

interface Shared {
  readonly path: string;
  readonly id: string;
}

/** A new shared folder with one file, and with Ivo as a member. */
export async function newShared(client: Client, role = 'editor'): Promise<Shared> {
  const path = await newFolder(client, 'note.txt');
  const id = (await sharing(client, 'share_folder', { path })).body.shared_folder_id;
  await addMember(client, id, [addresses.ivo, role]);
  return { path, id };
}

import { createHash } from 'node:crypto';
import { text, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Call, Gone, Item, Link, Revision, Root, Service, SharedFolder } from './store.ts';

export type { Call, Root } from './store.ts';

/** A union of the service: its tag, and under that what the tag says more of. */
function unionOf([tag = '', ...rest]: readonly string[]): Json {
  return rest.length === 0 ? { '.tag': tag } : { '.tag': tag, [tag]: unionOf(rest) };
}

export const done = (json: Json): Answer => ({ status: 200, json });

export const nothing: Answer = { status: 200, json: null };

export function failWith(status: number, ...tags: string[]): never {
  throw new Refused({
    status,
    json: { error_summary: `${tags.join('/')}/`, error: unionOf(tags) },
  });
}

/** Refuses a request with 409. */
export const fail = (...tags: string[]): never => failWith(409, ...tags);

/** Refuses the form of a request. */
function bad({ path }: ServiceRequest, message: string): never {
  const bytes = `Error in call to API function "${path.slice(3)}": ${message}`;
  throw new Refused({ status: 400, headers: { 'Content-Type': 'text/plain' }, bytes });
}

/** The arguments, in which the rule has no fault. */
export function readBody({ incoming }: Pick<Call, 'incoming'>, rule: Rule): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch {
    return bad(incoming, 'request body: could not decode input as JSON');
  }
  const fault = rule(body, 'body');
  return fault === undefined ? (body as Json) : bad(incoming, `request ${fault}`);
}

/** A path of something that is written. */
export const newPath = text(2, 1024, /^(\/[^/]+)+$/);
/** A path or an id. */
export const anyPath = text(2, 1024, /^((\/[^/]+)+|id:[A-Za-z0-9_-]+)$/);
/** A path or an id of a folder, the empty one of the root as well. */
export const folderPath = text(0, 1024, /^((\/[^/]+)*|id:[A-Za-z0-9_-]+)$/);

/** A union whose tag is one of these, with members. */
export const tagged =
  (tags: readonly string[], members: Readonly<Record<string, Rule>> = {}): Rule =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `${name} must be an object.`;
    const union = value as Json;
    const tag = union['.tag'];
    if (typeof tag !== 'string' || !tags.includes(tag))
      return `${name}['.tag'] must be one of ${tags.join(', ')}.`;
    return members[tag]?.(union[tag], `${name}.${tag}`);
  };

export const tagOf = (value: unknown): string => String((value as Json)['.tag']);

export function time(moment: number, { varies }: Pick<Service, 'varies'>): string {
  const zone = varies('times-with-offset') ? '+00:00' : 'Z';
  return `${new Date(moment).toISOString().slice(0, 19)}${zone}`;
}

export const baseOf = ({ folder }: Root): string => folder?.item.key ?? '';

/** The path with the letters that its names were given with. */
export function displayOf({ home, key }: Pick<Item, 'home' | 'key'>): string {
  const names = key.split('/');
  const keyAt = (at: number): string => names.slice(0, at + 1).join('/');
  return names.map((name, at) => home.items.get(keyAt(at))?.name ?? name).join('/');
}

/** A path without the names of the shared folder that it begins in. */
function within(path: string, root: Root): string {
  const names = path.split('/');
  return ['', ...names.slice(baseOf(root).split('/').length)].join('/');
}

export const hashOf = (contents: string): string =>
  createHash('sha256').update(contents).digest('hex');

/** The shared folder that an item is or lies in. */
export const folderOf = ({ home, key }: Item, { folders }: Service): SharedFolder | undefined =>
  folders.find(({ item }) => item.home === home && `${key}/`.startsWith(`${item.key}/`));

/** What files and folders have in common. */
function common(item: Item, { service, root }: Call): Json {
  const { id, home, key, name } = item;
  const shown = service.has('display-stale-in-moved-folder') ? item.display : displayOf(item);
  const [path_lower, path_display] = [key, shown].map((path) =>
    home === root.home ? within(path, root) : path,
  );
  const folder = folderOf(item, service);
  const kind = folder?.item === item ? 'shared_folder_id' : 'parent_shared_folder_id';
  const sharing = folder === undefined ? {} : { sharing_info: { [kind]: folder.id } };
  const isMore = service.varies('more-members');
  const more = isMore ? { is_downloadable: true, property_groups: [] } : {};
  return { ...{ name, id, path_lower, path_display }, ...sharing, ...more };
}

export const currentOf = ({ revisions }: Item): Revision => revisions.at(-1) as Revision;

/** A file as it is, or as it was at a revision. */
export function showFile(item: Item, call: Call, revision = currentOf(item)): Json {
  const { has, varies } = call.service;
  const { contents, rev, client_modified: client, server_modified: server } = revision;
  const hashed = has('hash-of-first-contents') ? item.revisions[0]?.contents : contents;
  return {
    ...{ '.tag': 'file', ...common(item, call), rev },
    ...{ client_modified: time(client, { varies }), server_modified: time(server, { varies }) },
    size: has('size-in-characters') ? contents.length : Buffer.byteLength(contents),
    content_hash: hashOf(hashed ?? ''),
  };
}

/** The metadata of a file or a folder. */
export const show = (item: Item, call: Call): Json =>
  item.kind === 'file' ? showFile(item, call) : { '.tag': 'folder', ...common(item, call) };

/** The metadata of what is not there any more. */
export function showGone({ key, display }: Gone, { root }: Call): Json {
  const name = display.slice(display.lastIndexOf('/') + 1);
  const paths = { path_lower: within(key, root), path_display: within(display, root) };
  return { '.tag': 'deleted', name, ...paths };
}

/** Keeps what comes next under a cursor. */
export function keep(call: Call, kind: string, next: (call: Call) => Answer): string {
  const { service, account, root } = call;
  const cursor = service.newId(`AAG${kind[0] ?? ''}`);
  service.cursors.set(cursor, { kind, account, root: root.folder?.id, next });
  return cursor;
}

/** Goes on where a cursor of this kind ends. */
export function goOn(call: Call, kind: string, cursor: unknown): Answer {
  const { service, account, root } = call;
  const found = service.cursors.get(String(cursor));
  const isIts = found?.account === account && found.root === root.folder?.id;
  if (found === undefined || found.kind !== kind || !isIts) return fail('reset');
  return found.next(call);
}

/** A page of what was found, in which `show` writes the rows. */
export function pageOf<T>(
  call: Call,
  { kind, rows, limit }: { kind: string; rows: readonly T[]; limit: number },
  showRows: (rows: readonly T[], call: Call) => Json,
): Answer {
  const size = call.service.varies('pages-are-short') ? Math.ceil(limit / 2) : limit;
  const rest = rows.slice(size);
  const next = (later: Call): Answer => pageOf(later, { kind, rows: rest, limit }, showRows);
  const more = rest.length > 0 ? { cursor: keep(call, kind, next) } : {};
  return done({ ...showRows(rows.slice(0, size), call), has_more: rest.length > 0, ...more });
}

/** Whether a link leads to what is still there. */
export const isAlive = ({ item }: Link): boolean => item.home.items.get(item.key) === item;

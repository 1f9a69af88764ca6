import * as api from './call.ts';
import { remove, type Gone, type Item, type Revision, type Service } from './store.ts';

type Call = api.Call;

const levelOf = (key: string): number => key.split('/').length;

/** What lies in a folder; the empty key is that of the root. */
export const isIn = (key: string, folder: string): boolean => key.startsWith(`${folder}/`);

/** What lies in a folder, as deep as it is. */
export const inside = (home: Item['home'], folder: string): Item[] =>
  [...home.items.values()].filter(({ key }) => isIn(key, folder));

/** What a path or an id names, if it is there. */
export function find({ root, service }: Call, path: string): Item | undefined {
  const { has, accounts } = service;
  const base = api.baseOf(root);
  if (path.startsWith('id:')) {
    const homes = has('id-of-other-account') ? accounts : [root.home];
    const all = homes.flatMap(({ items }) => [...items.values()]);
    return all.find((one) => one.id === path && (isIn(one.key, base) || one.home !== root.home));
  }
  const found = root.home.items.get(base + path.toLowerCase());
  const isCased = has('path-case-sensitive') && found !== undefined;
  return isCased && !api.displayOf(found).endsWith(path) ? undefined : found;
}

/** What a path or an id names; `tag` is the one of the refusal. */
export const lookUp = (call: Call, path: unknown, tag: string): Item =>
  find(call, String(path)) ?? api.fail(tag, 'not_found');

export function lookUpFile(call: Call, path: unknown, tag: string): Item {
  const item = lookUp(call, path, tag);
  return item.kind === 'file' ? item : api.fail(tag, 'not_file');
}

export function needWriter({ root, service }: Call, tag: string): void {
  if (!root.canWrite && !service.has('viewer-writes')) api.fail(tag, 'no_write_permission');
}

/** What was at a path, if that is not there any more. */
export const goneAt = ({ root }: Call, path: unknown): Gone | undefined =>
  root.home.gone.get(api.baseOf(root) + String(path).toLowerCase());

/** The folder at a path, undefined for the root. */
export function folderAt(call: Call, path: unknown): Item | undefined {
  const folder = path === '' ? undefined : lookUp(call, path, 'path');
  return folder?.kind === 'file' ? api.fail('path', 'not_folder') : folder;
}

/** Where something is written: its key, and the names below the root of the request. */
export interface Place {
  readonly key: string;
  readonly names: readonly string[];
}

const nameOf = ({ names }: Place): string => names.at(-1) ?? '';

/** The keys of the folders on the way to a place. */
function wayTo({ names }: Place, { root }: Call): string[] {
  const base = api.baseOf(root);
  const keyAt = (at: number): string => `${base}/${names.slice(0, at + 1).join('/')}`;
  return names.slice(0, -1).map((_name, at) => keyAt(at).toLowerCase());
}

/** Refuses a path where nothing can be. */
export function placeAt(call: Call, path: unknown, tag: string): Place {
  const { root, service } = call;
  needWriter(call, tag);
  const names = String(path).split('/').slice(1);
  if (names.some((one) => /[. ]$/.test(one))) api.fail(tag, 'disallowed_name');
  const place = { key: api.baseOf(root) + String(path).toLowerCase(), names };
  const isBlocked = wayTo(place, call).some((key) => root.home.items.get(key)?.kind === 'file');
  if (isBlocked && !service.has('file-as-folder')) api.fail(tag, 'conflict', 'file_ancestor');
  return place;
}

export const at = ({ root }: Call, { key }: Place): Item | undefined => root.home.items.get(key);

/** The place with the first free number behind its name. */
function numbered(call: Call, place: Place, kind: Item['kind']): Place {
  const { has } = call.service;
  const name = nameOf(place);
  const isWhole = kind === 'folder' || has('number-behind-extension');
  const [, stem = name, extension = ''] = isWhole ? [] : (/^(.+?)(\.[^.]*)?$/s.exec(name) ?? []);
  for (let number = 1; ; number += 1) {
    const names = [...place.names.slice(0, -1), `${stem} (${String(number)})${extension}`];
    const key = `${api.baseOf(call.root)}/${names.join('/')}`.toLowerCase();
    if (!call.root.home.items.has(key)) return { key, names };
    if (has('autorename-tries-once')) return place;
  }
}

/** A place where nothing is, another one if that is wanted. */
export function freePlace(
  call: Call,
  place: Place,
  { tag, kind, autorename }: { tag: string; kind: Item['kind']; autorename: unknown },
): Place {
  const there = at(call, place);
  if (there === undefined) return place;
  const other = autorename === true ? numbered(call, place, kind) : place;
  return other === place ? api.fail(tag, 'conflict', there.kind) : other;
}

/** Puts an item to a place, where it may have been before. */
function put({ service, root }: Call, item: Item, place: { key: string; name: string }): void {
  const { items, gone } = root.home;
  Object.assign(item, place, { changed: service.change() });
  items.set(place.key, item);
  gone.delete(place.key);
  if (item.display === '') item.display = api.displayOf(item);
}

/** Makes the folders on the way to a place that are not there. */
function makeWay(call: Call, place: Place): void {
  for (const [depth, key] of wayTo(place, call).entries()) {
    if (call.root.home.items.has(key)) continue;
    put(call, newItem(call, 'folder'), { key, name: place.names[depth] ?? '' });
  }
}

function newItem({ service, root }: Call, kind: Item['kind'], id = service.newId('id:')): Item {
  const place = { key: '', name: '', display: '', changed: 0 };
  return { id, home: root.home, kind, ...place, revisions: [], tags: [], shared: undefined };
}

/** Creates a file or a folder; a deleted file comes back with its id and its revisions. */
export function create(call: Call, place: Place, kind: Item['kind']): Item {
  const old = call.root.home.gone.get(place.key)?.file;
  makeWay(call, place);
  const item = kind === 'file' && old !== undefined ? old : newItem(call, kind);
  put(call, Object.assign(item, { display: '' }), { key: place.key, name: nameOf(place) });
  return item;
}

/** Gives a file new contents. */
export function write({ service }: Call, file: Item, given: Omit<Revision, 'rev'>): void {
  const isKept = service.has('rev-kept-by-overwrite') && file.revisions.length > 0;
  const rev = isKept ? api.currentOf(file).rev : service.newRev();
  file.revisions = [...file.revisions, { ...given, rev }];
  file.changed = service.change();
}

function forget(item: Item, service: Service, isDeleted: boolean): void {
  const { home, key } = item;
  const file = isDeleted && item.kind === 'file' ? item : undefined;
  home.gone.set(key, { key, display: api.displayOf(item), changed: service.change(), file });
}

/** Deletes an item with what lies in it. */
export function discard({ service }: Call, item: Item): void {
  const { has, links, folders } = service;
  const { home } = item;
  const all = has('deleted-folder-keeps-contents') ? [item] : [item, ...inside(home, item.key)];
  for (const one of all) forget(one, service, true);
  for (const one of all) {
    home.items.delete(one.key);
    if (one.shared !== undefined) remove(folders, one.shared);
    Object.assign(one, { tags: [], shared: undefined });
  }
  if (!has('links-survive-deletion'))
    for (const link of [...links]) if (all.includes(link.item)) remove(links, link);
}

/** Moves an item with what lies in it. */
export function relocate(call: Call, item: Item, place: Place): void {
  const { service } = call;
  const { home, key: old } = item;
  const all = [item, ...inside(home, old)];
  for (const one of all) forget(one, service, false);
  if (service.has('changes-miss-moves')) for (const one of all) home.gone.delete(one.key);
  for (const one of all) home.items.delete(one.key);
  makeWay(call, place);
  for (const one of all) {
    const name = one === item ? nameOf(place) : one.name;
    put(call, one, { key: place.key + one.key.slice(old.length), name });
  }
  item.display = api.displayOf(item);
  if (service.has('move-loses-revisions'))
    for (const one of all) one.revisions = one.revisions.slice(-1);
}

/** Gives an item the same name with other letters. */
export function recase({ service }: Call, item: Item, place: Place): void {
  item.name = nameOf(place);
  item.display = api.displayOf(item);
  for (const one of [item, ...inside(item.home, item.key)]) one.changed = service.change();
}

/** Copies an item with what lies in it. */
export function duplicate(call: Call, item: Item, place: Place, server_modified: number): Item {
  const { service } = call;
  const depth = levelOf(item.key) + (service.has('copy-of-folder-is-flat') ? 1 : Infinity);
  const all = [item, ...inside(item.home, item.key)].filter(({ key }) => levelOf(key) <= depth);
  makeWay(call, place);
  const copies = all.map((one) => {
    const copy = newItem(call, one.kind, service.has('copy-keeps-id') ? one.id : undefined);
    const name = one === item ? nameOf(place) : one.name;
    put(call, copy, { key: place.key + one.key.slice(item.key.length), name });
    if (service.has('copy-has-tags')) copy.tags = one.tags;
    if (one.kind === 'file') write(call, copy, { ...api.currentOf(one), server_modified });
    return copy;
  });
  return copies[0] ?? item;
}

/** What lies in a folder or did, directly or as deep as it is. */
export function listed<T extends Item | Gone>(
  all: Iterable<T>,
  folder: string,
  { recursive, has }: { recursive: boolean } & Pick<Service, 'has'>,
): T[] {
  const depth = levelOf(folder) + (recursive ? Infinity : 1);
  return [...all].filter(({ key }) => {
    const isPrefix = has('folder-by-prefix') && key !== folder && key.startsWith(folder);
    return (isIn(key, folder) || isPrefix) && levelOf(key) <= depth;
  });
}

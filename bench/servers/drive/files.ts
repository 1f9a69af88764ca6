import { dateTime, fields, flag, listOf, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { toSecond, type Item } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

const wanted = fields({ path: api.anyPath, include_deleted: flag }, ['path']);

export function getMetadata(call: Call): Answer {
  const { path, include_deleted: isAny } = api.readBody(call, wanted);
  const gone = isAny === true ? tree.goneAt(call, path) : undefined;
  const there = tree.find(call, String(path));
  if (there === undefined && gone !== undefined) return api.done(api.showGone(gone, call));
  return api.done(api.show(there ?? api.fail('path', 'not_found'), call));
}

const newFolder = fields({ path: api.newPath, autorename: flag }, ['path']);

export function createFolder(call: Call): Answer {
  const { path, autorename } = api.readBody(call, newFolder);
  const place = tree.placeAt(call, path, 'path');
  const free = tree.freePlace(call, place, { tag: 'path', kind: 'folder', autorename });
  return api.done({ metadata: api.show(tree.create(call, free, 'folder'), call) });
}

const contents = text(0, 20_000);
const newFile = fields(
  {
    ...{ path: api.newPath, contents, autorename: flag },
    mode: api.tagged(['add', 'overwrite', 'update'], { update: text(1, 64) }),
    ...{ client_modified: dateTime, content_hash: text(64, 64, /^[0-9a-f]+$/) },
  },
  ['path', 'contents'],
);

/** The place that an upload writes to, or the file that has its contents already. */
function target(call: Call, body: Json): tree.Place | Item {
  const { has } = call.service;
  const place = tree.placeAt(call, body['path'], 'path');
  const { mode = { '.tag': 'add' }, autorename } = body;
  const there = tree.at(call, place);
  const tag = api.tagOf(mode);
  if (there?.kind === 'folder' && tag !== 'add') return api.fail('path', 'conflict', 'folder');
  if (tag === 'overwrite') return place;
  if (tag === 'update') {
    const rev = there === undefined ? undefined : api.currentOf(there).rev;
    if (rev === (mode as Json)['update'] || has('update-ignores-rev')) return place;
    return api.fail('path', 'conflict', 'file');
  }
  if (there?.kind === 'file' && has('add-overwrites')) return place;
  const isSame = there?.kind === 'file' && api.currentOf(there).contents === body['contents'];
  if (there !== undefined && isSame) return there;
  return tree.freePlace(call, place, { tag: 'path', kind: 'file', autorename });
}

export function upload(call: Call): Answer {
  const body = api.readBody(call, newFile);
  const { has } = call.service;
  const written = String(body['contents']);
  const hash = body['content_hash'] ?? api.hashOf(written);
  if (hash !== api.hashOf(written)) return api.fail('content_hash_mismatch');
  const place = target(call, body);
  if ('id' in place) return api.done(api.show(place, call));
  const file = tree.at(call, place) ?? tree.create(call, place, 'file');
  const given = has('client-modified-ignored') ? undefined : body['client_modified'];
  const now = toSecond();
  const client_modified = given === undefined ? now : toSecond(Date.parse(String(given)));
  tree.write(call, file, { contents: written, client_modified, server_modified: now });
  return api.done(api.show(file, call));
}

const download = fields({ path: text(2, 1024, /^((\/[^/]+)+|id:[A-Za-z0-9_-]+|rev:[0-9a-f]+)$/) }, [
  'path',
]);

export function downloadFile(call: Call): Answer {
  const path = String(api.readBody(call, download)['path']);
  const rev = path.startsWith('rev:') ? path.slice(4) : undefined;
  const all = tree.inside(call.root.home, api.baseOf(call.root));
  const isOf = (file: Item): boolean => file.revisions.some((one) => one.rev === rev);
  const file =
    rev === undefined
      ? tree.lookUpFile(call, path, 'path')
      : (all.find(isOf) ?? api.fail('path', 'not_found'));
  const found = file.revisions.find((one) => one.rev === rev) ?? api.currentOf(file);
  const shown = call.service.has('old-revision-is-current') ? api.currentOf(file) : found;
  return api.done({ metadata: api.showFile(file, call, found), contents: shown.contents });
}

const relocation = { from_path: api.anyPath, to_path: api.newPath };
const both = ['from_path', 'to_path'];
const relocated = fields({ ...relocation, autorename: flag }, both);

interface Way {
  readonly item: Item;
  readonly place: tree.Place;
}

function wayOf(call: Call, body: Json): Way {
  tree.needWriter(call, 'to');
  const item = tree.lookUp(call, body['from_path'], 'from_lookup');
  const key = api.baseOf(call.root) + String(body['to_path']).toLowerCase();
  if (tree.isIn(key, item.key) && !call.service.has('moved-into-itself'))
    api.fail('duplicated_or_nested_paths');
  return { item, place: tree.placeAt(call, body['to_path'], 'to') };
}

function move(call: Call, body: Json): Item {
  const { item, place } = wayOf(call, body);
  const { service } = call;
  const isHere = place.key === item.key && place.names.at(-1) !== item.name;
  if (isHere && !service.has('change-of-case-refused')) {
    tree.recase(call, item, place);
    return item;
  }
  const { autorename } = body;
  const free = tree.freePlace(call, place, { tag: 'to', kind: item.kind, autorename });
  const all = [item, ...tree.inside(item.home, item.key)];
  const outer = api.folderOf({ ...item, key: free.key }, service);
  if (outer !== undefined && all.some((one) => one.shared !== undefined))
    api.fail('cant_nest_shared_folder');
  tree.relocate(call, item, free);
  return item;
}

export function moveItem(call: Call): Answer {
  const item = move(call, api.readBody(call, relocated));
  return api.done({ metadata: api.show(item, call) });
}

export function copyItem(call: Call): Answer {
  const body = api.readBody(call, relocated);
  const { item, place } = wayOf(call, body);
  const { autorename } = body;
  const free = tree.freePlace(call, place, { tag: 'to', kind: item.kind, autorename });
  return api.done({ metadata: api.show(tree.duplicate(call, item, free, toSecond()), call) });
}

const deletion = { path: api.anyPath, parent_rev: text(1, 64) };

/** Deletes what a path names, and answers what it was. */
function erase(call: Call, body: Json): Json {
  tree.needWriter(call, 'path_write');
  const { path, parent_rev: rev } = body;
  const { has } = call.service;
  const gone = tree.goneAt(call, path);
  if (gone !== undefined && has('deleted-again')) return api.showGone(gone, call);
  const item = tree.lookUp(call, path, 'path_lookup');
  const isOther = item.kind === 'folder' || api.currentOf(item).rev !== rev;
  if (rev !== undefined && isOther && !has('parent-rev-ignored'))
    api.fail('path_write', 'conflict', item.kind);
  const metadata = api.show(item, call);
  tree.discard(call, item);
  return metadata;
}

export const deleteItem = (call: Call): Answer =>
  api.done({ metadata: erase(call, api.readBody(call, fields(deletion, ['path']))) });

/** Does an action for each entry, in their order, and answers what became of each. */
function batch(call: Call, entries: unknown, action: (entry: Json) => Json): Answer {
  const { has } = call.service;
  const results: Json[] = [];
  for (const entry of entries as readonly Json[]) {
    const isStopped = has('batch-stops-at-failure') && results.at(-1)?.['.tag'] === 'failure';
    try {
      if (isStopped) api.fail('too_many_write_operations');
      results.push({ '.tag': 'success', success: action(entry) });
    } catch (error) {
      if (!(error instanceof Refused) || error.answer.status !== 409) throw error;
      const { error: failure } = error.answer.json as Json;
      results.push({ '.tag': 'failure', failure });
    }
  }
  return api.done({ '.tag': 'complete', entries: results });
}

const bounds = { min: 1, max: 100 };

export function deleteBatch(call: Call): Answer {
  const rule = fields({ entries: listOf(fields(deletion, ['path']), bounds) }, ['entries']);
  return batch(call, api.readBody(call, rule)['entries'], (entry) => erase(call, entry));
}

export function moveBatch(call: Call): Answer {
  const entries = listOf(fields(relocation, both), bounds);
  const body = api.readBody(call, fields({ entries, autorename: flag }, ['entries']));
  const autorename = call.service.has('batch-forgets-autorename') ? false : body['autorename'];
  const one = (entry: Json): Json => api.show(move(call, { ...entry, autorename }), call);
  return batch(call, body['entries'], one);
}

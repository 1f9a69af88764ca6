import { fields, listOf, text, whole } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { toSecond, type Item } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

/** The file at a path, or the one that was deleted there. */
function fileOrDeleted(call: Call, path: unknown): { file: Item; isDeleted: boolean } {
  const deleted = tree.goneAt(call, path)?.file;
  if (deleted !== undefined) return { file: deleted, isDeleted: true };
  return { file: tree.lookUpFile(call, path, 'path'), isDeleted: false };
}

const revisions = fields({ path: api.anyPath, limit: whole(1, 100) }, ['path']);

export function listRevisions(call: Call): Answer {
  const { path, limit = 10 } = api.readBody(call, revisions);
  const { has } = call.service;
  const { file, isDeleted } = fileOrDeleted(call, path);
  const all = has('revisions-oldest-first') ? file.revisions : file.revisions.toReversed();
  const entries = all.slice(0, Number(limit)).map((one) => api.showFile(file, call, one));
  const json = { is_deleted: isDeleted, entries, has_more: all.length > Number(limit) };
  return api.done(json);
}

const restoring = fields({ path: api.newPath, rev: text(1, 64) }, ['path', 'rev']);

export function restore(call: Call): Answer {
  const { path, rev } = api.readBody(call, restoring);
  const { has } = call.service;
  tree.needWriter(call, 'path');
  const { file, isDeleted } = fileOrDeleted(call, path);
  const found = file.revisions.find((one) => one.rev === rev) ?? api.fail('invalid_revision');
  if (isDeleted) tree.create(call, tree.placeAt(call, path, 'path'), 'file');
  if (has('restore-drops-later'))
    file.revisions = file.revisions.slice(0, file.revisions.indexOf(found) + 1);
  tree.write(call, file, { ...found, server_modified: toSecond() });
  if (has('restore-brings-rev-back')) file.revisions = [...file.revisions.slice(0, -1), found];
  return api.done(api.showFile(file, call));
}

const tag = text(1, 32, /^[A-Za-z0-9_]+$/);
const tagging = fields({ path: api.anyPath, tag_text: tag }, ['path', 'tag_text']);
const longest = 20;

export function addTag(call: Call): Answer {
  const { path, tag_text: given } = api.readBody(call, tagging);
  tree.needWriter(call, 'path');
  const { has } = call.service;
  const item = tree.lookUp(call, path, 'path');
  const name = String(given).toLowerCase();
  if (item.tags.includes(name) && !has('tag-twice')) return api.nothing;
  if (item.tags.length >= longest) api.fail('too_many_tags');
  item.tags = [...item.tags, name];
  return api.nothing;
}

export function removeTag(call: Call): Answer {
  const { path, tag_text: given } = api.readBody(call, tagging);
  tree.needWriter(call, 'path');
  const item = tree.lookUp(call, path, 'path');
  const name = String(given).toLowerCase();
  const isThere = item.tags.includes(name);
  if (!isThere) api.fail('tag_not_present');
  item.tags = item.tags.filter((one) => one !== name);
  return api.nothing;
}

const paths = fields({ paths: listOf(api.anyPath, { min: 1, max: 50 }) }, ['paths']);

export function getTags(call: Call): Answer {
  const given = api.readBody(call, paths)['paths'] as readonly string[];
  const own = { '.tag': 'user_generated_tag' };
  const all = given.map((path) => ({
    path,
    tags: tree.lookUp(call, path, 'path').tags.map((one) => ({ ...own, tag_text: one })),
  }));
  return api.done({ paths_to_tags: all });
}

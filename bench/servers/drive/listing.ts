import { fields, flag, listOf, text, whole } from '../serving/fields.ts';
import { compare, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import type { Gone, Item } from './store.ts';
import * as tree from './tree.ts';

type Call = api.Call;

/** How far a listing of a folder is, or the changes in it. */
interface State extends Readonly<Record<'recursive' | 'deleted' | 'isChanges', boolean>> {
  /** The one of the root is undefined. */
  readonly folder: Item | undefined;
  readonly limit: number;
  readonly after: string | undefined;
  /** The last change that the client knows, and that which it knows at the end of the pages. */
  readonly since: number;
  readonly until: number;
}

/** What a listing has, or what changed since the last. */
function entriesOf(call: Call, { folder, ...state }: State): { at: string; json: Json }[] {
  const { root, service } = call;
  const { has } = service;
  const { isChanges, deleted, since } = state;
  const isWhole = isChanges && has('changes-of-whole-home');
  const place = (isWhole ? undefined : folder?.key) ?? api.baseOf(root);
  const recursive = state.recursive || isWhole;
  const isFresh = ({ changed }: Item | Gone): boolean => !isChanges || changed > since;
  const { items, gone } = root.home;
  const there = tree.listed(items.values(), place, { recursive, has }).filter(isFresh);
  const isTold = isChanges ? !has('changes-miss-deletions') : deleted || has('deleted-listed');
  const left = isTold ? tree.listed(gone.values(), place, { recursive, has }).filter(isFresh) : [];
  const found = [...there, ...left].map((one) => ({
    at: has('capitals-first') ? one.display : one.key,
    json: 'id' in one ? api.show(one, call) : api.showGone(one, call),
  }));
  return found.toSorted((a, b) => compare(a.at, b.at));
}

function page(call: Call, state: State): Answer {
  const { has, varies } = call.service;
  const { limit, after } = state;
  const all = entriesOf(call, state).filter((one) => after === undefined || one.at > after);
  const size = varies('pages-are-short') ? Math.ceil(limit / 2) : limit;
  const skipped = after !== undefined && has('page-skips-entry') ? 1 : 0;
  const shown = all.slice(skipped, size + skipped);
  const isFull = has('full-page-has-more') && shown.length === size;
  const hasMore = all.length > size + skipped || isFull;
  const last = shown.at(-1)?.at ?? after;
  const next = hasMore
    ? { ...state, after: last }
    : { ...state, isChanges: true, after: undefined, since: state.until };
  const entries = shown.map((one) => one.json);
  return api.done({ entries, cursor: keepList(call, next), has_more: hasMore });
}

function keepList(call: Call, state: State): string {
  return api.keep(call, 'list', (later) => {
    const { has, lastChange } = later.service;
    const { folder, isChanges, after } = state;
    if (folder !== undefined && folder.home.items.get(folder.key) !== folder) api.fail('reset');
    const until = isChanges && after === undefined ? lastChange() : state.until;
    const recursive = state.recursive && !has('recursive-lost-on-continue');
    return page(later, { ...state, until, recursive });
  });
}

const listing = fields(
  { path: api.folderPath, recursive: flag, include_deleted: flag, limit: whole(1, 2000) },
  ['path'],
);

export function listFolder(call: Call): Answer {
  const body = api.readBody(call, listing);
  const { path, recursive = false, include_deleted: deleted = false, limit = 500 } = body;
  return page(call, {
    ...{ folder: tree.folderAt(call, path), recursive: recursive === true, limit: Number(limit) },
    deleted: deleted === true,
    ...{ isChanges: false, after: undefined, since: 0, until: call.service.lastChange() },
  });
}

const cursor = fields({ cursor: text(1, 2000) }, ['cursor']);

export const continueListing = (call: Call): Answer =>
  api.goOn(call, 'list', api.readBody(call, cursor)['cursor']);

interface Match {
  readonly item: Item;
  readonly type: string;
}

/** Whether an item has the text in its name, in its contents, or in both. */
function matchOf(item: Item, query: string, isNamesOnly: boolean, call: Call): Match | undefined {
  const { has } = call.service;
  const fold = (given: string): string => (has('search-minds-case') ? given : given.toLowerCase());
  const isNamed = fold(item.name).includes(fold(query));
  const contents = isNamesOnly || item.kind === 'folder' ? '' : api.currentOf(item).contents;
  const isFound = fold(contents).includes(fold(query));
  const type = isNamed && isFound ? 'filename_and_content' : isNamed ? 'filename' : 'file_content';
  return isNamed || isFound ? { item, type } : undefined;
}

function hasExtension(item: Item, extensions: readonly string[], call: Call): boolean {
  const isLoose = call.service.has('extension-without-dot');
  const ends = extensions.map((one) => `${isLoose ? '' : '.'}${one.toLowerCase()}`);
  return item.kind === 'file' && ends.some((one) => item.name.toLowerCase().endsWith(one));
}

const searchOptions = {
  ...{ path: api.folderPath, max_results: whole(1, 1000), filename_only: flag },
  file_extensions: listOf(text(1, 20), { max: 20 }),
  order_by: api.tagged(['relevance', 'last_modified_time']),
};
const search = fields({ query: text(1, 1000), options: fields(searchOptions, []) }, ['query']);

const showMatches = (matches: readonly Match[], call: Call): Json => ({
  matches: matches
    .filter(({ item }) => item.home.items.get(item.key) === item)
    .map(({ item, type }) => ({ match_type: { '.tag': type }, metadata: api.show(item, call) })),
});

export function searchFiles(call: Call): Answer {
  const body = api.readBody(call, search);
  const options = (body['options'] ?? {}) as Json;
  const { path = '', filename_only: isNamesOnly, file_extensions: extensions } = options;
  const { has } = call.service;
  const folder = tree.folderAt(call, path);
  const place = (has('search-beyond-path') ? undefined : folder?.key) ?? api.baseOf(call.root);
  const found = tree
    .inside(call.root.home, place)
    .filter((one) => extensions === undefined || hasExtension(one, extensions as [], call))
    .map((one) => matchOf(one, String(body['query']), isNamesOnly === true, call))
    .filter((one) => one !== undefined)
    .toSorted((a, b) => compare(a.item.key, b.item.key));
  const isTimed = api.tagOf(options['order_by'] ?? { '.tag': '' }) === 'last_modified_time';
  const rank = ({ item, type }: Match): number => {
    if (!isTimed) return type === 'file_content' ? 1 : 0;
    const changed = item.kind === 'file' ? api.currentOf(item).server_modified : 0;
    return has('oldest-found-first') ? changed : -changed;
  };
  const rows = found.toSorted((a, b) => rank(a) - rank(b));
  const limit = Number(options['max_results'] ?? 100);
  return api.pageOf(call, { kind: 'search', rows, limit }, showMatches);
}

export const continueSearch = (call: Call): Answer =>
  api.goOn(call, 'search', api.readBody(call, cursor)['cursor']);

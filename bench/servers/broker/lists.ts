import type { Answer } from '../serving/serve.ts';
import { compare } from '../serving/requests.ts';
import { fail, flagOf, numberOf, pattern, type Call, type Json } from './call.ts';

/** The value at a path of names with dots. */
const valueAt = (entry: Json, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Json)[name]
          : undefined,
      entry,
    );

/** Whether an entry has this name, by the parameters name and use_regex. */
function filterOf(call: Call): (entry: Json) => boolean {
  const { has } = call.service;
  const wanted = call.incoming.query.get('name');
  const isRegex = flagOf(call, 'use_regex') && !has('regex-as-text');
  if (wanted === null) return () => true;
  if (isRegex) {
    if (pattern(wanted, 'name') !== undefined)
      fail(call.service, 400, 'name is no regular expression');
    return ({ name }) => new RegExp(wanted).test(String(name));
  }
  const fold = (text: string): string => (has('name-case-sensitive') ? text : text.toLowerCase());
  return ({ name }) => fold(String(name)).includes(fold(wanted));
}

/** The entry with the members that columns selects. */
function selected(entry: Json, columns: readonly string[], call: Call): Json {
  const chosen: Record<string, unknown> = {};
  for (const column of columns) {
    const value = valueAt(entry, column);
    const [first = '', second] = column.split('.');
    if (value === undefined) continue;
    if (second === undefined || call.service.has('nested-columns-whole'))
      chosen[first] = entry[first];
    else if (!columns.includes(first))
      chosen[first] = { ...(chosen[first] as object | undefined), [second]: value };
  }
  return chosen;
}

function sorted(entries: readonly Json[], call: Call, sorts: readonly string[]): Json[] {
  const { service, incoming } = call;
  const by = incoming.query.get('sort');
  if (by === null) return [...entries];
  if (!sorts.includes(by)) return fail(service, 400, 'sort is no member of the entries');
  const isText = service.has('numbers-sorted-as-texts');
  const valueOf = (entry: Json): unknown => {
    const value = valueAt(entry, by) ?? null;
    return isText && value !== null ? String(value) : value;
  };
  return entries.toSorted((a, b) => compare(valueOf(a), valueOf(b)));
}

/** A list of entries that are in the order of their names, as the parameters want it. */
export function list(call: Call, all: readonly Json[], sorts: readonly string[]): Answer {
  const { service, incoming } = call;
  const { has } = service;
  const given = { page: numberOf(call, 'page', 1), size: numberOf(call, 'page_size', 1, 500) };
  const { page = 1, size = 100 } = given;
  const isReversed = flagOf(call, 'sort_reverse');
  const columns = (incoming.query.get('columns') || undefined)?.split(',');
  const reverse = (entries: Json[]): Json[] => (isReversed ? entries.reverse() : entries);
  const select = (entries: readonly Json[]): readonly Json[] =>
    columns === undefined ? entries : entries.map((entry) => selected(entry, columns, call));
  const inPages = has('reverse-within-page');
  const filtered = sorted(all.filter(filterOf(call)), call, sorts);
  const found = inPages ? filtered : reverse(filtered);
  if (given.page === undefined && given.size === undefined)
    return { status: 200, json: select(inPages ? reverse(found) : found) };
  const pages = found.length / size;
  const count = Math.max(1, has('page-count-rounded-down') ? Math.floor(pages) : Math.ceil(pages));
  if (page > Math.max(1, Math.ceil(pages))) fail(service, 400, `there are ${String(count)} pages`);
  const start = (page - 1) * size - (page > 1 && has('second-page-overlaps') ? 1 : 0);
  const entries = found.slice(start, start + size);
  const items = select(inPages ? reverse(entries) : entries);
  const json = {
    items,
    item_count: items.length,
    filtered_count: found.length,
    total_count: has('total-count-filtered') ? found.length : all.length,
    page,
    page_size: size,
    page_count: count,
  };
  return { status: 200, json };
}

import * as rule from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { inOrder, readFilter, readSort, type Sort, type Test } from './filter.ts';
import { addRecord, type Base, type Rec } from './store.ts';
import { fieldOf, tables, type TableName, type View } from './tables.ts';
import { recordsOf, show, valueOf } from './values.ts';
import { clearable, writeFields } from './write.ts';

type Call = api.Call;

/** An operation on any of the tables. */
type OnTable = (call: Call, table: TableName) => Answer;

const { anObject, done, fail, findBase, invalid } = api;
const { fields, flag, listOf, oneOf, text } = rule;

/** The view of this name or id. */
function viewOf(wanted: string, base: Base, table: TableName): View {
  const { views } = tables[table];
  const at = views.findIndex(({ name }, index) =>
    [name, base.viewIds[table][index]].includes(wanted),
  );
  return views[at] ?? invalid(`There is no view ${wanted}.`);
}

/** The records of a table that are archived or are not. */
const openOf = (base: Base, table: TableName, isArchived = false): readonly Rec[] =>
  recordsOf(base, table).filter(({ archived }) => archived === isArchived);

/** Those of the records that pass, in order. */
const listBy =
  (call: Call, sorts: readonly Sort[], test: Test = () => true) =>
  (all: readonly Rec[]): readonly Rec[] => {
    const records = call.service.varies('newest-first') ? all.toReversed() : all;
    return inOrder(records.filter(test), sorts, call);
  };

const idsOf = (records: readonly Rec[]): string[] => records.map(({ id }) => id);
const isDown = (direction?: unknown): boolean => String(direction).startsWith('desc');

/** The sorts in the query. */
function sortsIn({ incoming: { query } }: Call, table: TableName): Sort[] {
  return ['0', '1'].flatMap((at) => {
    const property = query.get(`sort[${at}][field]`);
    const direction = query.get(`sort[${at}][direction]`) ?? 'asc';
    if (!['asc', 'desc'].includes(direction)) invalid('A direction must be asc or desc.');
    return property === null ? [] : [readSort({ property, isDown: isDown(direction) }, table)];
  });
}

export const list: OnTable = (call, table) => {
  const { has } = call.service;
  const { query } = call.incoming;
  const base = findBase(call, 'read');
  const names = query.getAll('fields[]');
  const odd = names.find((name) => fieldOf(table, name) === undefined);
  if (odd !== undefined) fail(422, 'UNKNOWN_FIELD_NAME', `There is no field ${odd}.`);
  const isArchived = query.get('archived') ?? 'false';
  if (!['true', 'false'].includes(isArchived)) invalid('archived must be true or false.');
  const wanted = query.get('view');
  const view: Partial<View> = wanted === null ? {} : viewOf(wanted, base, table);
  const own = (view.sorts ?? []).map(({ property, direction }) => ({
    property,
    isDown: isDown(direction),
  }));
  const asked = sortsIn(call, table);
  const isOwn = asked.length === 0 || (has('view-order-wins') && own.length > 0);
  const isTested = view.filter !== undefined && !has('view-filter-ignored');
  const test = isTested ? readFilter(view.filter, table, call) : undefined;
  const most = api.wholeOf(call, 'maxRecords', Infinity, Infinity);
  const size = api.wholeOf(call, 'pageSize', 100, 100);
  const isEach = has('max-records-per-page');
  const listed = listBy(call, isOwn ? own : asked, test);
  const page = api.pageOf(call, {
    key: `${base.id} ${table} ${isArchived}`,
    size: isEach ? Math.min(size, most) : size,
    token: query.get('offset') ?? undefined,
    all: () => openOf(base, table, isArchived === 'true'),
    list: (all) => listed(all).slice(0, isEach ? Infinity : most),
  });
  const chosen = names.length === 0 ? undefined : names;
  const shown = page.items.map((one) => show(one, call, chosen));
  return done({ records: shown, ...api.offsetOf(page) });
};

const sort = { property: text(0, Infinity), direction: oneOf(['ascending', 'descending']) };
const queryForm = fields(
  {
    ...{ filter: anObject, sorts: listOf(fields(sort, ['property']), { max: 3 }) },
    ...{ page_size: rule.whole(1, 100), start_cursor: text(0, Infinity), archived: flag },
  },
  [],
);

export const query: OnTable = (call, table) => {
  const { has } = call.service;
  const base = findBase(call, has('foreign-base-queried') ? 'nothing' : 'read');
  const body = api.readBody(call, queryForm);
  const { filter, archived: isArchived = false } = body;
  const sorts = ((body['sorts'] ?? []) as { property: string; direction?: string }[]).map((one) =>
    readSort({ property: one.property, isDown: isDown(one.direction) }, table),
  );
  const test = filter === undefined ? undefined : readFilter(filter, table, call);
  const isAll = has('archived-in-query') && isArchived === false;
  const { items, next } = api.pageOf(call, {
    key: `${base.id} ${table} ${String(isArchived)} query`,
    size: Number(body['page_size'] ?? 50),
    token: body['start_cursor'] as string | undefined,
    all: () => (isAll ? recordsOf(base, table) : openOf(base, table, isArchived === true)),
    list: listBy(call, sorts, test),
    isQuery: true,
  });
  const results = items.map((one) => show(one, call));
  return done({ results, has_more: next !== undefined, next_cursor: next ?? null });
};

export const get: OnTable = (call, table) =>
  done(show(api.findRecord(call, findBase(call, 'read'), table), call));

interface Entry {
  readonly id?: string;
  readonly fields: Json;
}

/** The entries in the body of a batch, and the fields to merge on. */
function readBatch(call: Call, isId: 'no' | 'yes' | 'if'): { entries: Entry[]; on: string[] } {
  const max = call.service.has('eleven-records-accepted') ? 11 : 10;
  const entry = { fields: anObject, ...(isId === 'no' ? {} : { id: text(0, Infinity) }) };
  const records = listOf(fields(entry, isId === 'yes' ? ['id', 'fields'] : ['fields']), {
    min: 1,
    max,
  });
  const fieldsToMergeOn = listOf(text(0, Infinity), { min: 1, max: 3, unique: true });
  const performUpsert = fields({ fieldsToMergeOn }, ['fieldsToMergeOn']);
  const isUpsert = isId === 'if' ? { performUpsert } : {};
  const body = api.readBody(call, fields({ records, ...isUpsert }, ['records']));
  const upsert = isId === 'if' ? (body['performUpsert'] as { fieldsToMergeOn: string[] }) : null;
  return { entries: body['records'] as Entry[], on: upsert?.fieldsToMergeOn ?? [] };
}

export const create: OnTable = (call, table) => {
  const base = findBase(call, 'write');
  const { entries } = readBatch(call, 'no');
  const fresh = new Set<string>();
  const { created } = api.transact(call, [base, table, 'create-half-done'], () => ({
    created: entries.map((one) => createOne(call, [base, table], { given: one.fields, fresh })),
  }));
  return done({ records: created.map((one) => show(one, call)) });
};

function createOne(
  call: Call,
  [base, table]: readonly [Base, TableName],
  { given, fresh }: { readonly given: Json; readonly fresh: Set<string> },
): Rec {
  const record = addRecord(call.service, base, table);
  fresh.add(record.id);
  try {
    writeFields({ record, given, fresh, call });
  } catch (error) {
    base.records[table].delete(record.id);
    throw error;
  }
  record.firstHours = record.fields['Hours'];
  return record;
}

/** The record that an upsert fits; undefined for none. */
function fitting(call: Call, [base, table]: readonly [Base, TableName], given: Json, on: string[]) {
  const { service } = call;
  for (const name of on) {
    const kind = fieldOf(table, name)?.kind ?? fail(422, 'UNKNOWN_FIELD_NAME', `No field ${name}.`);
    if (!['text', 'number', 'select', 'date'].includes(kind) || (given[name] ?? '') === '')
      invalid(`Cannot merge on ${name}.`);
  }
  const used = service.has('upsert-second-field-ignored') ? on.slice(0, 1) : on;
  const found = openOf(base, table).filter((one) =>
    used.every((name) => valueOf(one, name, service) === given[name]),
  );
  if (found.length > 1 && !service.has('upsert-takes-first'))
    invalid('More than one record has these values.');
  return found[0];
}

const refuseArchived = (): never =>
  fail(422, 'RECORD_ARCHIVED', 'The record is archived. Restore it first.');

/** Updates or replaces the records of a batch. */
const updateBy =
  (isWhole: boolean): OnTable =>
  (call, table) => {
    const { has } = call.service;
    const isLet = has('reader-upserts') && call.incoming.bytes.includes('performUpsert');
    const base = findBase(call, isLet ? 'read' : 'write');
    const { entries, on } = readBatch(call, isWhole ? 'yes' : 'if');
    const [fresh, seen] = [new Set<string>(), new Set<Rec>()];
    const enter = ({ id, fields: given }: Entry): Rec => {
      if (id === undefined && on.length === 0) invalid('A record has no id.');
      const record =
        id === undefined
          ? fitting(call, [base, table], given, on)
          : (base.records[table].get(id) ?? api.none());
      if (record === undefined) return createOne(call, [base, table], { given, fresh });
      if (seen.has(record) || fresh.has(record.id)) invalid('A record is there twice.');
      seen.add(record);
      if (record.archived) refuseArchived();
      if (has('patch-clears-rest') && !isWhole)
        for (const name of clearable(record))
          if (!/^(Name|Email|Project|Assignees)$/.test(name)) delete record.fields[name];
      writeFields({ record, given, fresh, call }, isWhole && !has('put-merges'));
      return record;
    };
    const { written, ...changes } = api.transact(call, [base, table, 'update-half-done'], () => {
      const all = entries.map(enter);
      const created = all.filter(({ id }) => fresh.has(id));
      return { written: all, created, changed: all.filter(({ id }) => !fresh.has(id)) };
    });
    const order = recordsOf(base, table);
    const shown = has('answer-reordered') ? order.filter((one) => written.includes(one)) : written;
    const created = has('upsert-all-created') ? written : changes.created;
    const ids = { createdRecords: idsOf(created), updatedRecords: idsOf(changes.changed) };
    const records = shown.map((one) => show(one, call));
    return done({ records, ...(on.length > 0 ? ids : {}) });
  };

export const update = updateBy(false);
export const replace = updateBy(true);

const patchForm = fields({ fields: anObject, archived: flag }, []);

export const patchOne: OnTable = (call, table) => {
  const { has } = call.service;
  const base = findBase(call, 'write');
  const record = api.findRecord(call, base, table);
  const body = api.readBody(call, patchForm);
  if (body['fields'] === undefined && body['archived'] === undefined) invalid('Nothing to change.');
  const { changed } = api.transact(call, [base, table], () => {
    const isArchived = (body['archived'] ?? record.archived) as boolean;
    const isBoth = isArchived && record.archived && body['fields'] !== undefined;
    if (isBoth && !has('archived-changed')) refuseArchived();
    if (record.archived && !isArchived && has('restore-loses-links'))
      Object.assign(record.fields, { Project: [], Assignees: [] });
    const given = (body['fields'] ?? {}) as Json;
    writeFields({ record, given, fresh: new Set(), call });
    record.archived = isArchived;
    return { changed: [record] };
  });
  return done(changed.map((one) => show(one, call))[0]);
};

export const remove: OnTable = (call, table) => {
  const base = findBase(call, 'write');
  const ids = call.incoming.query.getAll('records[]');
  if (ids.length < 1 || ids.length > 10 || new Set(ids).size < ids.length)
    invalid('records[] must have 1 to 10 ids, each once.');
  const all = base.records;
  const { destroyed } = api.transact(call, [base, table, 'delete-half-done'], () => ({
    destroyed: ids.map((id) => {
      const record = all[table].get(id) ?? api.none();
      all[table].delete(id);
      if (table === 'projects' && call.service.has('project-deletes-tasks'))
        for (const task of recordsOf(base, 'tasks'))
          if ((task.fields['Project'] as unknown[] | undefined)?.includes(id) === true)
            all.tasks.delete(task.id);
      return record;
    }),
  }));
  return done({ records: idsOf(destroyed).map((id) => ({ id, deleted: true })) });
};

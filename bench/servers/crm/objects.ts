import { fields, listOf } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { associate } from './associations.ts';
import * as api from './call.ts';
import { shownByDefault } from './definitions.ts';
import { isWon, newRow, stageOf, type ObjectType, type Row } from './store.ts';
import { celebrate, nextValues, type Target } from './values.ts';

type Call = api.Call;

const isWonNow = ({ portal }: Call, row: Row): boolean =>
  row.type === 'deals' && isWon(stageOf(portal, row.values.get('dealstage')));

const association = fields(
  { to: fields({ id: api.id, objectType: api.id }, ['id', 'objectType']) },
  ['to'],
);
const created = { properties: api.record, associations: listOf(association) };
const creation = fields(created, ['properties']);
export const entryCreation = fields({ ...created, objectWriteTraceId: api.id }, [
  ...['properties'],
]);
const change = fields({ properties: api.record }, ['properties']);

/** The records that the associations of a body name. */
function partners(call: Call, type: ObjectType, body: Json): Row[] {
  const given = (body['associations'] ?? []) as { to: { id: string; objectType: string } }[];
  return given.map(({ to }) => {
    const row = call.portal.rows.find(
      (one) => api.isIt(one, to.id) && one.type === to.objectType && one.archivedAt === null,
    );
    if (row === undefined || row.type === type)
      return api.bad('associations', `There is no ${to.objectType} ${to.id} to associate with.`);
    api.need(call, api.scope(row.type, 'write'));
    return row;
  });
}

/** Creates a record of a body, with its associations. */
export function addRow(call: Call, type: ObjectType, body: Json, target: Target = {}): Row {
  const { portal, service } = call;
  const others = partners(call, type, body);
  const values = nextValues(call, type, body['properties'] as Json, target);
  const row = newRow(service, type);
  for (const [name, value] of values) row.values.set(name, value);
  row.firstStage = values.get('dealstage');
  portal.rows.push(row);
  for (const other of others) associate(call, row, other);
  if (isWonNow(call, row)) celebrate(call, row);
  return row;
}

/** Merges the properties of a body into those of a record. */
export function changeRow(call: Call, row: Row, body: Json): void {
  const wasWon = isWonNow(call, row);
  const values = nextValues(call, row.type, body['properties'] as Json, { row });
  row.values.clear();
  for (const [name, value] of values) row.values.set(name, value);
  if (!call.service.has('updated-at-still')) row.updatedAt = call.service.now();
  if (!wasWon && isWonNow(call, row)) celebrate(call, row);
}

/** Archives a record, which then is associated with nothing. */
export function archiveRow({ portal, service }: Call, row: Row): void {
  row.archivedAt = service.now();
  if (service.has('archived-stays-associated')) return;
  portal.links = portal.links.filter(({ from, to }) => from !== row && to !== row);
}

/** The properties that the answer to a body shows. */
export const shownAfter = (type: ObjectType, body: Json): api.Shown => ({
  properties: [...shownByDefault[type], ...Object.keys(body['properties'] as Json)],
});

interface Operations {
  readonly list: (call: Call) => Answer;
  readonly create: (call: Call) => Answer;
  readonly get: (call: Call) => Answer;
  readonly update: (call: Call) => Answer;
  readonly archive: (call: Call) => Answer;
}

/** The record that the path names, by its id or by a unique property. */
function rowIn(call: Call, type: ObjectType, isArchived = false): Row {
  const key = call.incoming.params['id'] ?? '';
  const property = call.incoming.query.get('idProperty');
  if (property !== null) return api.findBy(call, type, [key, property], isArchived);
  return api.find(call, type, key, isArchived);
}

/** The operations on records of a type. */
export function operationsOn(type: ObjectType): Operations {
  const [read, write] = [api.scope(type, 'read'), api.scope(type, 'write')];
  return {
    list: (call) => {
      api.need(call, read);
      const isArchived = api.flagOf(call, 'archived');
      const shown = api.shownBy(call);
      const own = call.portal.rows.filter((one) => one.type === type);
      const isShown = (row: Row): boolean => (row.archivedAt !== null) === isArchived;
      const { rows, paging } = api.pageOf(call, own, isShown);
      const results = rows.map((row) => api.show(call, row, shown));
      return { status: 200, json: { results, ...paging } };
    },
    create: (call) => {
      api.need(call, write);
      const body = api.readBody(call, creation);
      const row = addRow(call, type, body);
      return { status: 201, json: api.show(call, row, shownAfter(type, body)) };
    },
    get: (call) => {
      api.need(call, read);
      const shown = api.shownBy(call);
      const row = rowIn(call, type, api.flagOf(call, 'archived'));
      return { status: 200, json: api.show(call, row, shown) };
    },
    update: (call) => {
      api.need(call, write);
      const row = rowIn(call, type);
      const body = api.readBody(call, change);
      changeRow(call, row, body);
      return { status: 200, json: api.show(call, row, shownAfter(type, body)) };
    },
    archive: (call) => {
      api.need(call, write);
      const key = call.incoming.params['id'] ?? '';
      const { has } = call.service;
      const isGone = ({ id, archivedAt }: Row): boolean => id === key && archivedAt !== null;
      if (type === 'contacts' && has('archived-again-204') && call.portal.rows.some(isGone))
        return { status: 204 };
      archiveRow(call, api.find(call, type, key));
      return { status: 204 };
    },
  };
}

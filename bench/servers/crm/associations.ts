import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { linked, type Link, type Row } from './store.ts';

type Call = api.Call;

const joins = ({ from, to }: Link, a: Row, b: Row): boolean =>
  (from === a && to === b) || (from === b && to === a);

/** Associates two records; a contact leaves the company that it had. */
export function associate({ portal, service }: Call, from: Row, to: Row): void {
  const { has } = service;
  const isThere = portal.links.some((one) => joins(one, from, to));
  if (isThere && !has('associated-twice')) return;
  const [contact, company] = from.type === 'contacts' ? [from, to] : [to, from];
  const isPlace = contact.type === 'contacts' && company.type === 'companies';
  if (isPlace && !has('second-company-added'))
    for (const other of linked(portal, contact, 'companies', service))
      if (other !== company) dissociate(portal, contact, other);
  portal.links.push({ from, to });
}

function dissociate(portal: Call['portal'], a: Row, b: Row): void {
  portal.links = portal.links.filter((one) => !joins(one, a, b));
}

/** The record that the path names first. */
function fromIn(call: Call, right: 'read' | 'write'): Row {
  const [type, to] = [api.typeIn(call, 'objectType'), api.typeIn(call, 'toObjectType')];
  api.need(call, api.scope(type, right), api.scope(to, right));
  return api.find(call, type, call.incoming.params['objectId'] ?? '');
}

const toIn = (call: Call): Row =>
  api.find(call, api.typeIn(call, 'toObjectType'), call.incoming.params['toObjectId'] ?? '');

export function listAssociations(call: Call): Answer {
  const from = fromIn(call, 'read');
  const type = api.typeIn(call, 'toObjectType');
  return { status: 200, json: { results: api.associationsOf(call, from, type) } };
}

export function createAssociation(call: Call): Answer {
  const [from, to] = [fromIn(call, 'write'), toIn(call)];
  if (from.type === to.type) api.bad('toObjectType', 'Records of one type are not associated.');
  associate(call, from, to);
  return { status: 200, json: { id: to.id, type: api.labelOf(from.type, to.type) } };
}

export function archiveAssociation(call: Call): Answer {
  const [from, to] = [fromIn(call, 'write'), toIn(call)];
  dissociate(call.portal, from, to);
  return { status: 204 };
}

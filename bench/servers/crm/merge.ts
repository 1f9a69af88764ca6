import { fields } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import { associate } from './associations.ts';
import * as api from './call.ts';
import { lifecycle, shownByDefault } from './definitions.ts';
import type { Row } from './store.ts';

type Call = api.Call;

const merge = fields({ primaryObjectId: api.id, objectIdToMerge: api.id }, [
  ...['primaryObjectId', 'objectIdToMerge'],
]);

/** The values of the primary contact, and those of the other where it has none. */
function mergeValues({ service }: Call, primary: Row, other: Row): void {
  const isOthers = service.has('merged-values-win');
  const emails = [primary.values.get('email'), other.values.get('email')] as const;
  const at = (row: Row): number =>
    lifecycle.findIndex((one) => one === row.values.get('lifecyclestage'));
  const furthest = lifecycle[Math.max(at(primary), at(other))];
  for (const [name, value] of other.values)
    if (isOthers || !primary.values.has(name)) primary.values.set(name, value);
  if (furthest !== undefined) primary.values.set('lifecyclestage', furthest);
  const kept = primary.values.get('email');
  for (const one of [...emails, ...other.emails])
    if (one !== undefined && one !== kept) primary.emails.push(one);
}

export function mergeContacts(call: Call): Answer {
  api.need(call, api.scope('contacts', 'write'));
  const { portal, service } = call;
  const body = api.readBody(call, merge);
  const primary = api.find(call, 'contacts', String(body['primaryObjectId']));
  const other = api.find(call, 'contacts', String(body['objectIdToMerge']));
  if (primary === other) api.bad('objectIdToMerge', 'A contact is not merged with itself.');
  mergeValues(call, primary, other);
  const partners = portal.links
    .filter(({ from, to }) => from === other || to === other)
    .map(({ from, to }) => (from === other ? to : from));
  const hasCompany = portal.links.some(
    ({ from, to }) =>
      (from === primary && to.type === 'companies') ||
      (to === primary && from.type === 'companies'),
  );
  portal.links = portal.links.filter(({ from, to }) => from !== other && to !== other);
  for (const one of service.has('merge-loses-associations') ? [] : partners)
    if (one.type !== 'companies' || !hasCompany) associate(call, primary, one);
  if (!service.has('merged-id-lost')) primary.mergedIds.push(other.id, ...other.mergedIds);
  portal.rows = portal.rows.filter((one) => one !== other);
  primary.updatedAt = service.now();
  const properties = [...shownByDefault.contacts, 'merged_record_ids', 'additional_emails'];
  return { status: 200, json: api.show(call, primary, { properties }) };
}

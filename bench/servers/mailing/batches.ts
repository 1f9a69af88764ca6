import { fields, flag, listOf, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { findList, judge, Query, readBody, type Call } from './call.ts';
import { add, change, changed, newMember, show } from './members.ts';
import { hashOf, type Member, type Status } from './store.ts';

const entry = fields({ email_address: text(0, Infinity), status: text(0, Infinity) }, [
  'email_address',
]);

const batch = fields({ members: listOf(entry, { min: 1, max: 500 }), update_existing: flag }, [
  'members',
]);

/** Adds or changes each of the members, and tells which were not possible. */
export function postBatch(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const list = findList(call);
  const body = readBody(call, batch);
  new Query(call).flag('skip_merge_validation');
  const isUpdate = body['update_existing'] === true || has('batch-updates-unasked');
  const [created, updated, seen] = [new Set<Member>(), new Set<Member>(), new Set<string>()];
  const errors: Json[] = [];
  for (const given of body['members'] as Json[]) {
    const email_address = String(given['email_address']);
    const refuse = (error_code: string, error: string): void => {
      errors.push({ email_address, error, error_code });
    };
    const hash = hashOf(email_address, service);
    const member = list.members.get(hash);
    const isAgain = seen.has(hash);
    seen.add(hash);
    if (isAgain && !has('batch-repeats-taken'))
      refuse('ERROR_DUPLICATE', 'The address is twice in the request.');
    else if (member !== undefined && !isUpdate && !isAgain)
      refuse('ERROR_CONTACT_EXISTS', 'The list has this address already.');
    else
      try {
        judge(given, member === undefined ? newMember(service) : changed);
        if (member === undefined) created.add(add(given, given['status'] as Status, list, call));
        else updated.add(change(member, given, call, true));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refuse('ERROR_GENERIC', (error.answer.json as { detail: string }).detail);
      }
    if (errors.length > 0 && has('batch-stops-at-error')) break;
  }
  const write = (members: Set<Member>): Json[] => [...members].map((one) => show(one, call));
  return {
    status: 200,
    json: {
      new_members: write(created),
      updated_members: write(updated),
      errors,
      total_created: created.size,
      total_updated: updated.size,
      error_count: errors.length,
      _links: [],
    },
  };
}

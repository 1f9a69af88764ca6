import { fields, flag, listOf, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { add, change, changed, newMember, show } from './members.ts';
import { hashOf, type Member, type Status } from './store.ts';

const entry = { email_address: text(0, Infinity), status: text(0, Infinity) };
const members = listOf(fields(entry, ['email_address']), { min: 1, max: 500 });
const batch = fields({ members, update_existing: flag }, ['members']);

/** The reason why what is called refuses the request, if it does. */
function reasonOf(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return (error.answer.json as { readonly detail: string }).detail;
  }
}

/** Adds or changes each of the members, and tells which were not possible. */
export function postBatch(call: api.Call): Answer {
  const { service } = call;
  const { has } = service;
  const list = api.findList(call);
  const body = api.readBody(call, batch);
  new api.Query(call).flag('skip_merge_validation');
  const isUpdate = body['update_existing'] === true || has('batch-updates-unasked');
  const [created, updated, seen] = [new Set<Member>(), new Set<Member>(), new Set<string>()];
  const errors: Json[] = [];
  const enter = (given: Json, member: Member | undefined): void => {
    api.judge(given, member === undefined ? newMember(service) : changed);
    if (member === undefined) created.add(add(given, given['status'] as Status, list, call));
    else updated.add(change(member, given, call, true));
  };
  for (const given of body['members'] as Json[]) {
    const email_address = String(given['email_address']);
    const hash = hashOf(email_address, service);
    const [member, isAgain] = [list.members.get(hash), seen.has(hash)];
    seen.add(hash);
    let [error_code, error]: [string, string | undefined] = ['ERROR_DUPLICATE', 'Twice here.'];
    if (member !== undefined && !isUpdate && !isAgain)
      [error_code, error] = ['ERROR_CONTACT_EXISTS', 'The list has this address already.'];
    else if (!isAgain || has('batch-repeats-taken'))
      [error_code, error] = ['ERROR_GENERIC', reasonOf(() => enter(given, member))];
    if (error === undefined) continue;
    errors.push({ email_address, error, error_code });
    if (has('batch-stops-at-error')) break;
  }
  const write = (all: Set<Member>): Json[] => [...all].map((one) => show(one, call));
  const [total_created, total_updated, error_count] = [created.size, updated.size, errors.length];
  const totals = { total_created, total_updated, error_count };
  const json = { new_members: write(created), updated_members: write(updated), errors, ...totals };
  return { status: 200, json };
}

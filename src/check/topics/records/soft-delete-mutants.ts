import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import { saysGone } from '../../../contract/words/names.ts';
import { readJson } from '../../../http/media-type.ts';
import { emptyBody } from '../../../http/message.ts';

import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { queryOf, withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { editFieldsShown, fieldsShown } from '../../mutants/open-bodies.ts';
import { keepsReadable } from '../../mutants/soft-deletions.ts';
import { type ActionPlace, actions, pick } from '../../mutants/state-edits.ts';
import { isMarkedAsGone } from '../../reading/removed-record.ts';

const mutant = mutantsOf('state');

interface ShownPlace extends Place {
  readonly shown: Parameter;
}

/** The lists that show deleted records if they are asked for. */
function lists(contract: Contract): ShownPlace[] {
  return contract.resources.flatMap((resource) => {
    const shown = protocolsOf(contract, resource).softDelete?.shown;
    const operation = resource.operations.list;
    return shown === undefined || operation === undefined ? [] : [{ operation, shown }];
  });
}

function restores(contract: Contract): Place[] {
  return contract.resources.flatMap((resource) => {
    const operation = protocolsOf(contract, resource).softDelete?.restore;
    return operation === undefined ? [] : [{ operation }];
  });
}

/** The reads that show a deleted record, marked as such, to any request. */
function reads(contract: Contract): ActionPlace[] {
  return actions(contract, 'read').filter(({ resource }) => keepsReadable(contract, resource));
}

/** Mutations of deletions that can be undone (AIP-164). */
export const softDeleteMutants: readonly Mutator[] = [
  mutant('lists-soft-deleted', {
    rule: 'A list shows deleted records although the request does not ask for them.',
    where: lists,
    says: 'shows deleted records',
    request: (request, { shown: { name } }) => {
      if (request.method !== 'GET' || queryOf(request, name) !== undefined) return undefined;
      const joint = request.target.includes('?') ? '&' : '?';
      return { ...request, target: `${request.target}${joint}${encodeURIComponent(name)}=true` };
    },
  }),
  mutant('hides-soft-deleted', {
    rule: 'A list shows no deleted records although the request asks for them.',
    where: lists,
    says: 'shows no deleted records',
    request: (request, { shown }) => withoutQuery(request, [shown.name]),
  }),
  mutant('restores-live', {
    rule: 'Restoring what is not deleted succeeds.',
    where: restores,
    says: 'restores what is not deleted',
    status: 409,
    answer: async (_refusal, _place, { request, service }) => {
      const target = request.target.replace(/:undelete(?=\?|$)/, '');
      const read = { ...request, method: 'GET', target, body: emptyBody };
      const { response } = await service.respond(read);
      return response?.status === 200 ? response : undefined;
    },
  }),
  mutant('unmarks-deleted', {
    rule: 'A read shows a deleted record as it was before its deletion.',
    where: reads,
    says: 'shows a deleted record without a mark',
    body: (body, place) => {
      const record = fieldsShown(body, place);
      if (record === undefined || !isMarkedAsGone(record)) return undefined;
      return editFieldsShown(body, place, (fields) => pick(fields, (name) => !saysGone(name)));
    },
  }),
  mutant('hides-deleted', {
    rule: 'A read finds no record that was deleted softly.',
    where: reads,
    says: 'finds no deleted record',
    // Without a flag that asks for it, the standard says it with SHOULD.
    warns: ({ operation }) => !operationSays(operation, 'shows-deleted'),
    answer: async (response, place, { request, service }) => {
      const record = fieldsShown(readJson(response), place);
      if (record === undefined || !isMarkedAsGone(record)) return undefined;
      const [path = ''] = request.target.split('?');
      const none = await service.respond({ ...request, target: `${path}-none` });
      return none.response?.status === 404 ? none.response : undefined;
    },
  }),
];

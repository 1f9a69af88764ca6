import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import type { Resource } from '../../contract/model.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { ResourceRole } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { findMissingParent, missingAmong } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { act, replace, update } from './update.ts';
import {
  besideDeleted,
  keepingDeleted,
  listingDeleted,
  readingDeleted,
  restoring,
} from './deleted.ts';
import { clear, read, remove } from './remove.ts';
import { startingEmpty } from './starting-empty.ts';
import { table } from './table.ts';
import { taking } from './taking.ts';
import { tallying } from './tallying.ts';
import { tried } from './tried.ts';
import { createMany } from './create-many.ts';
import { ending } from './ending.ts';
import { comparing } from './comparing.ts';
import { create } from './create.ts';
import { expanding } from './expanding.ts';
import { withFile } from './files.ts';
import { including } from './including.ts';
import { askedInBody } from './asked-in-body.ts';
import { inState } from './in-state.ts';
import { link } from './linkage.ts';
import { strayLinkage } from './linked.ts';
import { following } from './following.ts';
import { linking, showStart } from './linking.ts';
import { count, list } from './list.ts';
import { showOpenList } from './open-list.ts';
import { withOccurrences } from './occurring.ts';
import { withParts } from './open-parts.ts';
import { withRecordHeaders } from './record-headers.ts';
import { readMany } from './read-many.ts';
import { projected } from './projected.ts';

/** The behaviour of each action. */
export const behaviours: Readonly<Record<ResourceRole['action'], Behaviour>> = {
  list: belowParents(askedInBody(including(expanding(projected(linking(listingDeleted(list))))))),
  create: belowParents(
    inState(comparing(tried(tallying(linking(startingEmpty(besideDeleted(createOneOrMany))))))),
  ),
  read: belowParents(including(expanding(projected(linking(readingDeleted(read)))))),
  replace: belowParents(
    inState(comparing(tried(tallying(following(linking(startingEmpty(replace))))))),
  ),
  update: belowParents(inState(comparing(tried(tallying(following(linking(update))))))),
  delete: belowParents(inState(tried(tallying(ending(keepingDeleted(remove)))))),
  act: belowParents(inState(tallying(following(linking(taking(restoring(act))))))),
  clear: belowParents(tallying(clear)),
  count: belowParents(listingDeleted(count)),
  'create-many': belowParents(inState(tallying(createMany))),
  link: belowParents(inState(tallying(link))),
  'read-many': belowParents(readMany),
  table: belowParents(listingDeleted(table)),
  'replace-many': belowParents(inState(tallying(createMany))),
};

/** A create takes one record, or a list of them if its body may hold one. */
function createOneOrMany(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<Reply | Fault> {
  const batch = request.plan.role?.batch;
  const items = batch && valueAt(request.body ?? null, batch.records);
  const behave = items !== undefined && isJsonArray(items) ? createMany : create;
  return behave(request, resource, store);
}

/** Answers 404 for paths below a record that does not exist. */
function belowParents(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    if (resource.parents.length === 0) return behave(request, resource, store);
    return findMissingParent(request, resource, store).then(
      (missing) => missing ?? behave(request, resource, store),
    );
  };
}

/**
 * Responds for an operation that belongs to no resource; with the documented error if its path is
 * below a missing record, or if its linkage names one.
 */
export function answerBelow(request: ValidRequest, store: Store): MaybePromise<Reply | Fault> {
  const answered = answerOrMissing(request, store);
  return completions.reduce<MaybePromise<Reply | Fault>>(
    (reply, complete) => whenReady(reply, (made) => complete(made, request, store)),
    answered,
  );
}

/** What the response of such an operation has from the records, one after the other. */
const completions = [withRecordHeaders, withOccurrences, withFile, withParts] as const;

function answerOrMissing(request: ValidRequest, store: Store): MaybePromise<Reply | Fault> {
  const { above, operation } = request.plan;
  if (
    above.length === 0 ||
    above.some(({ resource }) => resource !== undefined && hidesIdentifiers(resource)) ||
    !operation.responses.some(({ status }) => status === '404' || status === '4XX')
  )
    return answerItself(request);
  const missing = missingAmong(
    parentTexts(request, { parents: above }),
    { parents: above },
    { session: request.session, store },
  );
  const refused = whenReady(missing, (fault) => fault ?? strayLinkage(request, store));
  return whenReady(refused, (fault) => fault ?? answerItself(request));
}

function answerItself(request: ValidRequest): Reply | Fault {
  return showOpenList(request) ?? showStart(answerFromContract(request), request);
}

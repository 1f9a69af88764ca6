import type { Resource } from '../../contract/model.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray } from '../../json/value.ts';
import type { MaybePromise, Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { ResourceRole } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { findMissingParent } from '../records/find-record.ts';
import { act } from './act.ts';
import { clear } from './clear.ts';
import { createMany } from './create-many.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { read, remove } from './remove.ts';
import { replace } from './replace.ts';
import { update } from './update.ts';

/** The behaviour of each action. */
export const behaviours: Readonly<Record<ResourceRole['action'], Behaviour>> = {
  list: belowParents(list),
  create: belowParents(createOneOrMany),
  read: belowParents(read),
  replace: belowParents(replace),
  update: belowParents(update),
  delete: belowParents(remove),
  act: belowParents(act),
  clear: belowParents(clear),
  'create-many': belowParents(createMany),
  'replace-many': belowParents(createMany),
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

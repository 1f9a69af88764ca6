import type { Behaviour } from '../model/behaviour.ts';
import type { ResourceRole } from '../model/operation-plan.ts';
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
  create: belowParents(create),
  read: belowParents(read),
  replace: belowParents(replace),
  update: belowParents(update),
  delete: belowParents(remove),
  act: belowParents(act),
  clear: belowParents(clear),
  'create-many': belowParents(createMany),
  'replace-many': belowParents(createMany),
};

/** Answers 404 for paths below a record that does not exist. */
function belowParents(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    if (resource.parents.length === 0) return behave(request, resource, store);
    return findMissingParent(request, resource, store).then(
      (missing) => missing ?? behave(request, resource, store),
    );
  };
}

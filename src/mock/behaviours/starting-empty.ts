import { isJsonObject } from '../../json/value.ts';
import type { Convention } from '../phases.ts';
import { textOf } from '../records/find-record.ts';
import { filesIn, itemUrl } from '../records/show/item-url.ts';
import { markNoFiles } from './files.ts';
import { markNoParts, partsIn } from './open-parts.ts';

/**
 * A new record has no files, where the contract documents that they may be missing, and no parts
 * without identifiers until somebody adds them.
 */
export const startingEmpty: Convention = (plan, resource) => {
  if (plan.derive(filesIn).length === 0 && plan.derive(partsIn).length === 0) return undefined;
  return {
    after: async ({ status, body = null, state = body }, on): Promise<undefined> => {
      const id =
        isJsonObject(state) && status === 201 ? state[resource.identifier.field] : undefined;
      const url = id === undefined ? undefined : itemUrl(on.request, resource, textOf(id));
      if (url === undefined) return;
      await markNoFiles(url, on);
      await markNoParts(url, on);
    },
  };
};

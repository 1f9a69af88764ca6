import type { EffectReading, Operation } from '../model.ts';
import { plainPath } from '../infer/conventions/path-styles.ts';
import { dotted, readCalls } from './call.ts';
import { formsOf } from './kinds.ts';
import { ordinaryOf } from './ordinary.ts';
import { tellsSuccess, withSuccess } from './success.ts';

/**
 * The operations of a service whose paths are calls, such as `POST /channels.rename` or `POST
 * /part/removeByIds`, each on the path and with the method that an ordinary service would have:
 * PATCH on `/channels/{channel}`, DELETE on `/part/{id}`. What names the record stands in the query
 * or the body of a call; it becomes the path parameter. Operations that are no calls stay as they
 * are.
 */
export function openCalls(
  operations: readonly Operation[],
  effects: ReadonlyMap<Operation, EffectReading>,
): readonly Operation[] {
  const readers = new Set(
    operations.flatMap((one) => (effects.get(one)?.effect === 'reads' ? one.id : [])),
  );
  const told = withSuccess(operations);
  const forms = formsOf(readCalls(told), { operations: told, readers });
  return told.map((operation) => {
    const form = forms.get(operation);
    return form === undefined ? operation : ordinaryOf(operation, form);
  });
}

/** Whether operations may be calls, or have refusals to tell from their successes. */
export function mayBeCalls(operations: readonly Operation[]): boolean {
  return (
    readCalls(operations).filter(
      ({ does, operation }) => does !== undefined || dotted.test(plainPath(operation.path)),
    ).length > 1 || tellsSuccess(operations)
  );
}

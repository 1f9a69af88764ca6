import type { Contract, Operation } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { suggestId } from '../../nearest-word.ts';
import type { Handler, Handlers } from './handler.ts';

/**
 * The handler of each operation, by its id. Throws a VouchError ('handler-invalid') for a name
 * without an operation, for two handlers of one operation, and for what is no function.
 */
export function findHandlers(
  handlers: Handlers,
  { operations }: Pick<Contract, 'operations'>,
): ReadonlyMap<string, Handler> {
  const found = new Map<string, Handler>();
  for (const [name, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    const operation = operations.find((one) => one.id === name || addressOf(one) === name);
    if (operation === undefined) throw unknown(name, operations);
    if (typeof handler !== 'function')
      throw new VouchError('handler-invalid', `The handler of ${name} is no function.`, {
        hint: 'Write ({ request, next }) => ({ body: … }).',
      });
    if (found.has(operation.id))
      throw new VouchError('handler-invalid', `${operation.id} has two handlers.`, {
        hint: `One is named ${operation.id}, the other ${addressOf(operation)}: remove one.`,
      });
    found.set(operation.id, handler);
  }
  return found;
}

function addressOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function unknown(name: string, operations: readonly Operation[]): VouchError {
  return new VouchError('handler-invalid', `The contract has no operation ${name}.`, {
    hint: suggestId(name, operations),
  });
}

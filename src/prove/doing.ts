import type { Operation } from '../contract/model.ts';
import type { Deviation, Respond, Service } from './deviation.ts';

/**
 * A deviation of what one operation does with what it was sent: `act` is asked only for that
 * operation.
 */
export function doing(
  operator: string,
  { operation }: { readonly operation: Operation },
  words: string,
  act: (service: Service, fired: () => void) => Respond,
): Deviation {
  return {
    operator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) => {
      const deviant = act(service, fired);
      return (request) =>
        service.operationOf(request) === operation ? deviant(request) : service.respond(request);
    },
  };
}

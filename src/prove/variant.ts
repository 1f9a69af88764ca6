import type { Respond, Service } from '../check/mutants/mutant.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';

/** Another behaviour that conforms to the contract: a finding under it is a false positive. */
export interface Variant {
  readonly id: string;
  readonly rule: string;
  /** How many records it starts with, instead of the usual number. */
  readonly seedRecords?: number;
  /** Whether a second identity takes part in the run, as for a mutation. */
  readonly second?: true;
  readonly plant: (service: Service) => Respond;
}

/** Changes every response, regardless of its status. */
export function everyAnswer(
  service: Service,
  edit: (response: HttpResponse, request: HttpRequest) => HttpResponse,
): Respond {
  return async (request) => {
    const reply = await service.respond(request);
    return reply.response === undefined
      ? reply
      : { ...reply, response: edit(reply.response, request) };
  };
}

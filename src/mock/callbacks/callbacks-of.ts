import { headerValue, type HttpResponse } from '../../http/message.ts';
import { makeSeed } from '../make-seed.ts';
import type { MockOptions } from '../mock.ts';
import { valuesOf } from '../request/read-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { CallbackRequest } from './callback-request.ts';
import { makeCallbacks } from './make-callbacks.ts';

/**
 * What the service has to send because a request ended in this answer: nothing where the answer is no
 * success. Never throws.
 */
export function callbacksOf(
  context: RequestContext,
  response: HttpResponse,
  options: Pick<MockOptions, 'seed' | 'makeId'>,
): readonly CallbackRequest[] {
  if (response.status < 200 || response.status > 299) return none;
  const { operation } = context.routed.plan;
  try {
    // What a callback asks for calls nobody back: a mock that is told to call itself would never
    // end.
    return operation.callbacks.length === 0 ||
      headerValue(context.request.headers, 'vouch-callback') !== undefined
      ? none
      : makeAll(context, response, options);
  } catch (error) {
    // The operation has taken effect already: a callback that cannot be made must not turn its
    // answer into a failure.
    return [
      {
        kind: 'unsendable',
        name: 'callbacks',
        operation: operation.id,
        reason: `cannot be made: ${error instanceof Error ? error.message : String(error)}`,
      },
    ];
  }
}

const none: readonly CallbackRequest[] = [];

function makeAll(
  { routed, request, view, preferences, now }: RequestContext,
  response: HttpResponse,
  { seed, makeId }: Pick<MockOptions, 'seed' | 'makeId'>,
): CallbackRequest[] {
  const { operation, role } = routed.plan;
  const body = view.body();
  return makeCallbacks({
    operation,
    resource: role?.resource,
    request,
    target: routed.target,
    path: routed.path,
    parameters: valuesOf(view.parameters()),
    body: body.kind === 'value' ? body.value : undefined,
    response,
    seed: makeSeed(preferences.seed ?? seed, operation.id, request),
    making: { now, makeId },
  });
}

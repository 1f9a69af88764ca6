import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { Refuse } from '../errors/write-error-response.ts';
import type { ChosenError, MockOptions } from '../mock.ts';
import { makeFault } from '../model/reply.ts';
import type { OperationFinder } from '../route/find-operation.ts';
import { forMethod } from './for-method.ts';
import { codeOf } from './show-status.ts';

/** The response with an error that somebody chose, written as every error of the contract is. */
export function chosenError(
  request: HttpRequest,
  { status, message }: ChosenError,
  parts: {
    readonly finder: OperationFinder;
    readonly refuse: Refuse;
    readonly options: Pick<MockOptions, 'clock'>;
  },
): HttpResponse {
  const routed = parts.finder.find(request);
  const operation = routed.kind === 'answered' ? undefined : routed.plan?.operation;
  const [path = ''] = request.target.split('?', 1);
  return forMethod(
    request.method,
    parts.refuse(makeFault('internal', codeOf(status), message), {
      operation,
      path,
      now: parts.options.clock(),
      status,
    }),
  );
}

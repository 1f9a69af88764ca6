import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { missingAmong } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';

/**
 * Responds for an operation that belongs to no resource; with the documented error if its path is
 * below a missing record.
 */
export function answerBelow(request: ValidRequest, store: Store): MaybePromise<Reply | Fault> {
  const { above, operation } = request.plan;
  if (
    above.length === 0 ||
    above.some(({ resource }) => resource !== undefined && hidesIdentifiers(resource)) ||
    !operation.responses.some(({ status }) => status === '404' || status === '4XX')
  )
    return answerFromContract(request);
  const missing = missingAmong(
    parentTexts(request, { parents: above }),
    { parents: above },
    { session: request.session, store },
  );
  return whenReady(missing, (fault) => fault ?? answerFromContract(request));
}

import type { HttpResponse } from '../../http/message.ts';
import type { AnswerContent } from '../plan/answer-plan.ts';
import type { ValidRequest } from '../behaviour.ts';
import type { Fault } from '../errors/fault.ts';
import type { Refuse } from '../errors/problem.ts';
import type { Reply } from './reply.ts';
import type { Shown } from './show-status.ts';
import type { Visit } from '../arrival/visit.ts';
import { writeReply } from './write-reply.ts';

/** Writes the answers to one request. */
export class Responder {
  readonly #visit: Visit;
  readonly #refuse: Refuse;
  /** The fault that was answered last, unless it was only shown. */
  refused: Fault | undefined;

  constructor(visit: Visit, refuse: Refuse) {
    this.#visit = visit;
    this.#refuse = refuse;
  }

  /** The answer to a fault; `status` where that is not the fault's to say. */
  refuse(fault: Fault, status?: number): HttpResponse {
    const { arrival, now } = this.#visit;
    if (status === undefined) this.refused = fault;
    return this.#refuse(fault, {
      operation: arrival.plan.operation,
      path: arrival.target.path,
      now,
      ...(status === undefined ? {} : { status }),
    });
  }

  /** The answer for a reply; `offContract` where it is meant to break the contract. */
  write(
    reply: Reply,
    content: AnswerContent | undefined,
    { seed, offContract = false }: { readonly seed: () => string; readonly offContract?: boolean },
  ): HttpResponse {
    const { arrival, now } = this.#visit;
    const plan = arrival.plan.answerPlan(reply.status);
    const written = writeReply(reply, { plan, content, seed, now, offContract });
    return 'kind' in written ? this.refuse(written) : written;
  }

  /** The answer for what was taken out of the contract. */
  show(shown: Shown, { requestSeed: seed }: ValidRequest): HttpResponse {
    if (shown.kind === 'fault') return this.refuse(shown);
    if (shown.kind === 'error') return this.refuse(shown.fault, shown.status);
    return this.write(shown.reply, shown.content, { seed });
  }
}

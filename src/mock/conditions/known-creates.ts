import { idempotencyKey } from '../../contract/idempotency-key.ts';
import { headerValue } from '../../http/message.ts';
import { whenReady, type Soon } from '../../store/soon.ts';
import type { Reply } from '../answer/reply.ts';
import type { ValidRequest } from '../behaviour.ts';
import { makeFault, type Fault } from '../errors/fault.ts';

/** So many keys of one session are known before the oldest of them is forgotten. */
const mostKnown = 1_000;

interface Known {
  readonly body: Uint8Array;
  readonly reply: Reply;
}

/**
 * The creates that came under a key which the contract declares for them, and what they were answered: one that comes again with the same
 * body is answered the same, and makes no second record.
 */
export class KnownCreates {
  readonly #sessions = new Map<string, Map<string, Known>>();

  /** Creates, unless the key came before. To be asked in the turn of the create: the same may come twice at once. */
  once(request: ValidRequest, create: () => Soon<Reply | Fault>): Soon<Reply | Fault> {
    const name = idempotencyKey(request.plan.operation)?.name;
    const key = name === undefined ? undefined : headerValue(request.request.headers, name);
    if (name === undefined || key === undefined || key === '') return create();
    const place = `${request.plan.operation.id} ${[...request.path.values()].join('/')} ${key}`;
    const { body } = request.request;
    const known = this.#sessions.get(request.session)?.get(place);
    if (known !== undefined) return Buffer.from(known.body).equals(body) ? known.reply : makeFault('conflict', 'conflict', `The ${name} ${key} came before with another body. Send another key with another request.`);
    return whenReady(create(), (reply) => {
      if (reply.kind === 'reply') this.#keep(request.session, place, { body, reply });
      return reply;
    });
  }

  /** Forgets the keys of one session, or of all: their records are no more. */
  forget(session?: string): void {
    if (session === undefined) this.#sessions.clear();
    else this.#sessions.delete(session);
  }

  #keep(session: string, place: string, known: Known): void {
    const own = this.#sessions.get(session) ?? new Map<string, Known>();
    this.#sessions.set(session, own);
    own.set(place, known);
    const [oldest] = own.keys();
    if (own.size > mostKnown && oldest !== undefined) own.delete(oldest);
  }
}

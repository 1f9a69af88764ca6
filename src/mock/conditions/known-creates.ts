import { hash } from 'node:crypto';
import { idempotencyKey } from '../../contract/model/operation.ts';
import { headerValue } from '../../http/message.ts';
import { jsonBytes } from '../../json/value.ts';
import { RecentMap } from '../../store/recent-map.ts';
import { whenReady, type MaybePromise } from '../../store/store.ts';
import type { Reply } from '../model/reply.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { makeFault, type Fault } from '../model/fault.ts';

/**
 * So many bytes of answers are known, over all sessions, before the oldest of them is forgotten.
 */
const mostBytes = 16 * 1024 * 1024;
/** Each counts for so many at least: no more than a thousand keys are known. */
const leastBytes = Math.floor(mostBytes / 1_000);

interface Known {
  readonly session: string;
  /** A digest of the body: a megabyte must not be held for the sake of its key. */
  readonly digest: string;
  readonly reply: Reply;
  /** About what it takes in memory. */
  readonly bytes: number;
}

/**
 * The creates that came under a key which the contract declares for them, and what they were
 * answered: one that comes again with the same body is answered the same, and makes no second
 * record.
 */
export class KnownCreates {
  readonly #known = new RecentMap<string, Known>(mostBytes, ({ bytes }) => bytes);

  /**
   * Creates, unless the key came before. To be asked in the turn of the create: the same may come
   * twice at once.
   */
  once(
    request: ValidRequest,
    create: () => MaybePromise<Reply | Fault>,
  ): MaybePromise<Reply | Fault> {
    const name = idempotencyKey(request.plan.operation)?.name;
    const key = name === undefined ? undefined : headerValue(request.request.headers, name);
    if (name === undefined || key === undefined || key === '') return create();
    const { session } = request;
    const place = JSON.stringify([
      session,
      request.plan.operation.id,
      ...request.path.values(),
      key,
    ]);
    const digest = hash('sha256', request.request.body);
    const known = this.#known.get(place);
    if (known !== undefined)
      return known.digest === digest
        ? known.reply
        : makeFault(
            'conflict',
            'conflict',
            `The ${name} ${key} came before with another body. Send another key with ` +
              'another request.',
          );
    return whenReady(create(), (reply) => {
      if (reply.kind === 'reply')
        this.#known.set(place, { session, digest, reply, bytes: bytesOf(reply, place) });
      return reply;
    });
  }

  /** Forgets the keys of one session, or of all: their records are no more. */
  forget(session?: string): void {
    if (session === undefined) return this.#known.clear();
    const own = [...this.#known.entries()].filter(([, known]) => known.session === session);
    for (const [place] of own) this.#known.delete(place);
  }
}

function bytesOf({ body = null, bytes, state = null }: Reply, place: string): number {
  const held = jsonBytes(body) + (state === body ? 0 : jsonBytes(state)) + (bytes?.length ?? 0);
  return Math.max(leastBytes, held + place.length);
}

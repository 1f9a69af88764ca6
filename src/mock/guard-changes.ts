import { hash } from 'node:crypto';
import type { Resource } from '../contract/model.ts';
import { idempotencyKey } from '../contract/model/operation.ts';
import { headerValue, headerValues, type HttpResponse } from '../http/message.ts';
import { jsonBytes } from '../json/value.ts';
import { RecentMap } from '../store/recent-map.ts';
import { type MaybePromise, type Store, whenReady } from '../store/store.ts';
import type { ValidRequest } from './model/behaviour.ts';
import { type Fault, makeFault } from './model/fault.ts';
import type { Reply } from './model/reply.ts';
import { findRecord } from './records/find-record.ts';
import { entityTag } from './records/record-fields.ts';

/**
 * Lets work on one thing wait for earlier work on it, so that reading and writing back are not torn
 * apart.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  /** Work on everything that is under way, or waits to begin. */
  #alone: Promise<unknown> | undefined;

  /**
   * Does the work after all earlier work under this key is over, whether that succeeded or not; at
   * once where there is none. Work that is over at once has nobody wait for it.
   */
  take<Result>(key: string, work: () => MaybePromise<Result>): MaybePromise<Result> {
    // Nearly always nothing is under way, and to look a new text up is to hash it.
    const before = this.#last.size === 0 ? this.#alone : (this.#last.get(key) ?? this.#alone);
    const turn = before === undefined ? work() : before.then(work, work);
    if (!(turn instanceof Promise)) return turn;
    this.#last.set(key, turn);
    const leave = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Does work on everything: after all earlier work is over, and before all later work begins. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.allSettled([...this.#last.values(), this.#alone]).then(work);
    // What comes now has to wait for this, and with it for whatever is there under its key.
    this.#last.clear();
    this.#alone = turn;
    try {
      return await turn;
    } finally {
      if (this.#alone === turn) this.#alone = undefined;
    }
  }
}

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

const changes: ReadonlySet<string> = new Set(['replace', 'update', 'delete']);

/**
 * Whether a request changes its record only under a condition (RFC 9110, section 13.1), and the
 * contract says what it gets where that fails.
 */
export function hasCondition({ plan, request: { headers } }: ValidRequest): boolean {
  if (plan.role === undefined || !changes.has(plan.role.action)) return false;
  return (
    conditions.some((name) => headerValues(headers, name).length > 0) &&
    plan.operation.responses.some(({ status }) => status === '412')
  );
}

const conditions = ['if-match', 'if-none-match'] as const;

/**
 * Why the record's state does not allow the change; undefined where it does, or where there is no
 * such record: that is for the change to say.
 */
export function brokenCondition(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<Fault | undefined> {
  const [match, noneMatch] = conditions.map((name) =>
    headerValues(request.request.headers, name),
  ) as [string[], string[]];
  return whenReady(findRecord(request, resource, store), (found) => {
    if (found.kind === 'fault') return undefined;
    const tag = entityTag(found.record);
    if (match.length > 0 && !listsTag(match, tag))
      return failed(
        'If-Match names another state than the record is in: its entity tag is now ' +
          `"${tag}". Read it again, and send the tag that it has.`,
      );
    if (noneMatch.length > 0 && listsTag(noneMatch, tag))
      return failed(
        `If-None-Match rules out the state that the record is in: its entity tag is "${tag}".`,
      );
    return undefined;
  });
}

function failed(message: string): Fault {
  return makeFault('precondition', 'precondition_failed', message);
}

/**
 * The reply that stands for an answer which the client has already (RFC 9110, section 13.1.2);
 * undefined where it has not, or where the contract documents no 304.
 */
export function unchanged(
  { plan, request: { method, headers } }: ValidRequest,
  answer: HttpResponse,
): Reply | undefined {
  if (
    answer.status !== 200 ||
    (method !== 'GET' && method !== 'HEAD') ||
    plan.answerPlan(304).response?.status !== '304'
  )
    return undefined;
  const [tag, known] = [
    headerValue(answer.headers, 'etag'),
    headerValues(headers, 'if-none-match'),
  ];
  if (tag === undefined || known.length === 0 || !listsTag(known, tag)) return undefined;
  return { kind: 'reply', status: 304, body: undefined, headers: [['ETag', tag]] };
}

/**
 * Whether one of the tags that a condition lists is that of a state, or `*`; how they are quoted,
 * and whether they are weak, is no matter.
 */
function listsTag(listed: readonly string[], tag: string): boolean {
  return listed
    .flatMap((field) => field.split(','))
    .some((text) => text.trim() === '*' || bareTag(text) === bareTag(tag));
}

function bareTag(text: string): string {
  return text.trim().replace(/^W\//, '').replaceAll('"', '');
}

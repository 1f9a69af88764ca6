import type { Parameter } from '../contract/model.ts';
import { lastWord } from '../contract/infer/conventions/path-styles.ts';
import { bodySchema, idempotencyKey } from '../contract/model/operation.ts';
import { isWithin, type RepeatKey, repeatKeys } from '../contract/words/read-repeats.ts';
import { headerValue, headerValues, type HttpResponse } from '../http/message.ts';
import { isJsonObject, jsonBytes } from '../json/value.ts';
import { digest } from '../platform.ts';
import { RecentMap } from '../store/recent-map.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import type { OperationPlan, ValidRequest } from './model/request.ts';
import { type Fault, makeFault, type Reply } from './model/reply.ts';
import type { Convention } from './phases.ts';
import { parentTexts } from './records/parent-fields.ts';
import { parameterKey } from './request/read-request.ts';
import { findRecord } from './records/find-record.ts';
import { entityTag } from './records/record-fields.ts';

/**
 * A mutex per key: work under a key waits for earlier work, so that a read and the following write
 * are not separated.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  /** Exclusive work that runs or waits. */
  #alone: Promise<unknown> | undefined;

  /**
   * Runs the work after all earlier work under this key is finished, successful or not;
   * synchronously if there is none. Synchronous work blocks no other work.
   */
  take<Result>(key: string, work: () => MaybePromise<Result>): MaybePromise<Result> {
    // Usually nothing is running, and looking up a text requires hashing it.
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

  /** Runs exclusive work: after all earlier work is finished, and before all later work. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.allSettled([...this.#last.values(), this.#alone]).then(work);
    // Later work waits for this, and therefore also for all earlier work under its key.
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
 * The maximum size of cached responses in bytes, over all sessions; the oldest are dropped first.
 */
const maxBytes = 16 * 1024 * 1024;

/** The minimum size that each entry counts for: at most a thousand keys are cached. */
const minBytes = Math.floor(maxBytes / 1_000);

interface Known {
  readonly session: string;
  /** A digest of the body, because storing a megabyte per key would take too much memory. */
  readonly digest: string;
  readonly reply: Reply;
  /** The approximate size in memory. */
  readonly bytes: number;
}

/**
 * Creates with a declared idempotency key, and their responses: a repeated key with the same body
 * gets the same response, and creates no second record.
 */
export class KnownCreates {
  readonly #known = new RecentMap<string, Known>(maxBytes, ({ bytes }) => bytes);

  /**
   * Creates, unless the key is known. Call it within the mutex of the create: equal requests may be
   * concurrent.
   */
  once(
    request: ValidRequest,
    create: () => MaybePromise<Reply | Fault>,
  ): MaybePromise<Reply | Fault> {
    const found = keyOf(request);
    if (found === undefined) return create();
    const { name, key, within } = found;
    const { session } = request;
    const place = JSON.stringify([session, request.plan.operation.id, ...within, key]);
    // Of a member, the contract says that the first response comes again, whatever else is sent.
    const bodyDigest = found.isMember ? '' : digest(request.request.body);
    const known = this.#known.get(place);
    if (known !== undefined)
      return known.digest === bodyDigest
        ? known.reply
        : makeFault(
            'key-reuse',
            'conflict',
            `The ${name} ${key} came before with another body. Send another key with ` +
              'another request.',
          );
    return whenReady(create(), (reply) => {
      if (reply.kind === 'reply')
        this.#known.set(place, {
          session,
          digest: bodyDigest,
          reply,
          bytes: bytesOf(reply, place),
        });
      return reply;
    });
  }

  /** Removes the keys of one session, or of all: their records no longer exist. */
  forget(session?: string): void {
    if (session === undefined) return this.#known.clear();
    const own = [...this.#known.entries()].filter(([, known]) => known.session === session);
    for (const [place] of own) this.#known.delete(place);
  }
}

/** The key of a request for one record. */
interface CreateKey {
  readonly name: string;
  readonly key: string;
  /** The values of the path within which it is the key of one request. */
  readonly within: readonly string[];
  /** Whether it is a member of the body. */
  readonly isMember: boolean;
}

/** The key of a request: in its header or its query, or in a member that descriptions call so. */
function keyOf(request: ValidRequest): CreateKey | undefined {
  const parameter = idempotencyKey(request.plan.operation);
  const key = parameter && keyIn(request, parameter);
  if (parameter !== undefined && key !== undefined && key !== '')
    return { name: parameter.name, key, within: [...request.path.values()], isMember: false };
  const { body = null } = request;
  if (!isJsonObject(body)) return undefined;
  for (const { name, fact } of request.plan.derive(repeatKeysOf)) {
    const value = body[name];
    if (typeof value !== 'string' || value === '') continue;
    return { name, key: value, within: withinOf(request, fact), isMember: true };
  }
  return undefined;
}

/** The members of a create that mark repetitions, and that no record shows. */
function repeatKeysOf({ operation, role }: OperationPlan): readonly RepeatKey[] {
  const schema = bodySchema(operation);
  const shown = role?.resource.record.flatten().properties;
  return schema === undefined
    ? []
    : repeatKeys(operation, schema).filter(({ name }) => shown?.has(name) !== true);
}

/** The records above the new one, if a key counts within one of them alone. */
function withinOf(request: ValidRequest, fact: RepeatKey['fact']): readonly string[] {
  const resource = request.plan.role?.resource;
  const nouns = resource?.parents.flatMap((parent) => parent.resource?.collectionPath ?? []) ?? [];
  const isApart = nouns.some((path) => isWithin(fact, lastWord(path)));
  return resource !== undefined && isApart ? parentTexts(request, resource) : [];
}

/** The value of a key in the header or the query. */
function keyIn({ request, parameters }: ValidRequest, parameter: Parameter): string | undefined {
  if (parameter.in === 'header') return headerValue(request.headers, parameter.name);
  const key = parameters.get(parameterKey(parameter));
  return typeof key === 'string' ? key : undefined;
}

function bytesOf({ body = null, bytes, state = null }: Reply, place: string): number {
  const held = jsonBytes(body) + (state === body ? 0 : jsonBytes(state)) + (bytes?.length ?? 0);
  return Math.max(minBytes, held + place.length);
}

/**
 * A conditional change (RFC 9110, section 13.1), where the contract documents the failure. The
 * change itself reports a missing record.
 */
export const conditional: Convention = ({ operation }) => {
  if (operation.responses.every(({ status }) => status !== '412')) return undefined;
  return {
    before: (on) => {
      const { headers } = on.request.request;
      const match = headerValues(headers, 'if-match');
      const noneMatch = headerValues(headers, 'if-none-match');
      if (match.length === 0 && noneMatch.length === 0) return undefined;
      return whenReady(findRecord(on), (found) =>
        found.kind === 'fault'
          ? undefined
          : brokenCondition(entityTag(found.record), match, noneMatch),
      );
    },
  };
};

/** Why the record's state does not allow the change; undefined if it does. */
function brokenCondition(
  tag: string,
  match: readonly string[],
  noneMatch: readonly string[],
): Fault | undefined {
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
}

function failed(message: string): Fault {
  return makeFault('precondition', 'precondition_failed', message);
}

/**
 * The reply for a client that has the current response already (RFC 9110, section 13.1.2);
 * undefined if it does not, or if the contract documents no 304.
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

/** Whether a condition lists the tag of a state, or `*`; quotes and weakness are ignored. */
function listsTag(listed: readonly string[], tag: string): boolean {
  return listed
    .flatMap((field) => field.split(','))
    .some((text) => text.trim() === '*' || bareTag(text) === bareTag(tag));
}

function bareTag(text: string): string {
  return text.trim().replace(/^W\//, '').replaceAll('"', '');
}

import { stringifyJson } from '../../json/value.ts';
import type { FixtureCollection } from '../fixture-collection.ts';
import { freezeRecord, parseStored } from '../field-values.ts';
import { type Change, SessionOverlay, type SessionChanges } from '../overlay.ts';
import type { RedisLink, RedisReply } from './redis-link.ts';

/** Requests the changes of a session since a version of an epoch. */
export type AskChanges = (epoch: string, version: string) => Promise<RedisReply>;

/**
 * What one session changed, as this process saw it in Redis last. `sync` brings it up to date by
 * what has changed since, so that reading a session that has not changed costs one short answer.
 */
export class RedisMirror {
  readonly #base: (collection: string) => FixtureCollection;
  readonly #ask: AskChanges;
  #overlays = new Map<string, SessionOverlay>();
  #epoch = '';
  #version = '0';
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(base: (collection: string) => FixtureCollection, ask: AskChanges) {
    this.#base = base;
    this.#ask = ask;
  }

  /** The collections that the session changed, as of the last `sync`. */
  get overlays(): ReadonlyMap<string, SessionOverlay> {
    return this.#overlays;
  }

  /** About how many bytes of this process's memory it takes. */
  get bytes(): number {
    return [...this.#overlays.values()].reduce((total, overlay) => total + overlay.bytes, 0);
  }

  /** Brings the mirror up to what Redis holds at the time of the call, or later. */
  async sync(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#catchUp().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // A running request may not include the latest change: all callers in the meantime share the
    // next one.
    this.#next ??= this.#running.then(ignore, ignore).then(() => {
      this.#next = undefined;
      return this.sync();
    });
    return this.#next;
  }

  async #catchUp(): Promise<void> {
    let isUpToDate = false;
    while (!isUpToDate) isUpToDate = this.#take(await this.#ask(this.#epoch, this.#version));
  }

  /** Applies one reply of the script `sync`; returns true if it is complete. */
  #take(reply: RedisReply): boolean {
    // The script defines the type of its reply.
    const [epoch, reached, version, isAnew, members, texts, gone] = reply as readonly [
      string,
      string,
      string,
      number,
      readonly string[],
      readonly (string | null)[],
      readonly string[],
    ];
    if (isAnew === 1) this.#overlays = new Map();
    for (const [index, member] of members.entries()) {
      const [overlay, id] = this.#find(member);
      overlay.lay(readChange(id, texts[index] ?? '-'));
    }
    for (const member of gone) {
      const [overlay, id] = this.#find(member);
      overlay.forget(id);
    }
    [this.#epoch, this.#version] = [epoch, reached];
    return reached === version;
  }

  #find(member: string): [SessionOverlay, id: string] {
    const [collection, id] = splitOnce(member, '\0');
    const overlay = this.#overlays.get(collection) ?? new SessionOverlay(this.#base(collection));
    this.#overlays.set(collection, overlay);
    return [overlay, id];
  }
}

function ignore(): void {
  // The callers have received the error.
}

function readChange(id: string, text: string): Change {
  if (text === '-') return { id, record: undefined, turn: undefined };
  if (text.startsWith('='))
    return { id, record: freezeRecord(parseStored(text.slice(1))), turn: undefined };
  const [turn, json] = splitOnce(text.slice(1), ':');
  return { id, record: freezeRecord(parseStored(json)), turn: Number(turn) };
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + 1)];
}

const atOnce = 1000;
/** Long enough to stage a million records; the keys of a crashed process expire. */
const stagedSeconds = '600';

/**
 * Stages a session's changes under temporary keys, a thousand at a time, for a script that applies
 * them atomically. Returns the input of that script: both keys, the version, the greatest turn and
 * the number of added records.
 */
export async function stageRestoring(
  link: RedisLink,
  key: string,
  changes: SessionChanges,
): Promise<readonly [string, string, string, string, string]> {
  const all = [...changes].flatMap(([collection, { changes: own }]) =>
    own.map((change) => ({ collection, change })),
  );
  const [recordsKey, changesKey] = [`${key}:records`, `${key}:changes`];
  for (let begin = 0; begin < all.length; begin += atOnce) {
    const part = all.slice(begin, begin + atOnce).map(({ collection, change }, index) => ({
      member: `${collection}\0${change.id}`,
      text: textOf(change),
      version: String(begin + index + 1),
    }));
    await link.command(['HSET', recordsKey, ...part.flatMap(({ member, text }) => [member, text])]);
    await link.command([
      'ZADD',
      changesKey,
      ...part.flatMap(({ member, version }) => [version, member]),
    ]);
    for (const staged of [recordsKey, changesKey])
      await link.command(['EXPIRE', staged, stagedSeconds]);
  }
  const turns = all.flatMap(({ change }) => (change.turn === undefined ? [] : [change.turn]));
  // A million turns are too many for the arguments of one call.
  const greatest = turns.reduce((max, turn) => Math.max(max, turn), 0);
  return [recordsKey, changesKey, String(all.length), String(greatest), String(turns.length)];
}

function textOf({ record, turn }: Change): string {
  if (record === undefined) return '-';
  return `${turn === undefined ? '=' : `+${String(turn)}:`}${stringifyJson(record)}`;
}

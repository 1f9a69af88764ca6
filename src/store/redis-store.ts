import { createHash, randomUUID } from 'node:crypto';
import { VouchError } from '../errors.ts';
import { type JsonObject, stringifyJson } from '../json/value.ts';
import { FixtureCollections, greaterOf } from './fixture-collection.ts';
import { SessionOverlay } from './overlay.ts';
import { RecentMap } from './recent-map.ts';
import type { RedisAddress } from './redis/redis-address.ts';
import { connectRedis, type RedisLink, type RedisReply } from './redis/redis-link.ts';
import { RedisMirror, stageRestoring } from './redis/redis-mirror.ts';
import { keyNames, type RedisScript, scripts } from './redis/redis-scripts.ts';
import { dumpCollection, planRestore, refuseLongChanges } from './session-dump.ts';
import {
  type Collection,
  type CollectionDump,
  type Fixtures,
  type Insertion,
  type Query,
  type QueryResult,
  RecordChanged,
  refuseLong,
  type SessionDump,
  type Store,
  type StoredRecord,
  type StoreLimits,
  usualLimits,
} from './store.ts';

/** The address and the scope of a shared store. */
export interface RedisStoreOptions extends StoreLimits {
  readonly address: RedisAddress;
  /**
   * What the records belong to, such as a contract's title and version: others on the same Redis do
   * not see them.
   */
  readonly realm: string;
  /** Seconds after which an unused session expires. Default: a day. */
  readonly ttl?: number;
  /** The timeout of a command in milliseconds. Default 5,000. */
  readonly patienceMs?: number;
}

/**
 * A store that several processes share. Redis stores the changes of sessions and applies them
 * atomically; each process merges them with its own fixtures, which must be the same everywhere. A
 * read sees every change that was acknowledged before. Throws a VouchError ('store-unusable') if
 * Redis cannot be reached.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  return new RedisStore(await connectRedis(options.address, options.patienceMs), options);
}

const maxChangesAtOnce = 1000;
const daySeconds = 86_400;

class RedisStore implements Store {
  readonly kind = 'redis';
  readonly #link: RedisLink;
  readonly #prefix: string;
  readonly #ttl: string;
  readonly #most: string;
  readonly #mirrors: RecentMap<string, RedisMirror>;
  readonly #maxBytes: number;
  /** What the mirrors took when they were last brought up to date, in all. */
  #bytes = 0;
  readonly recordLimit: number;
  #fixtures = new FixtureCollections();

  constructor(link: RedisLink, { address, realm, ttl, ...limits }: RedisStoreOptions) {
    this.#link = link;
    // The braces keep all keys of a realm on one node, should there be several.
    const hash = createHash('sha256').update(realm).digest('hex').slice(0, 12);
    this.#prefix = `${address.prefix}{${hash}}:`;
    this.#ttl = String(ttl ?? daySeconds);
    this.#most = String(limits.records ?? usualLimits.records);
    this.#mirrors = new RecentMap(limits.sessions ?? usualLimits.sessions);
    this.#maxBytes = limits.bytes ?? usualLimits.bytes;
    this.recordLimit = limits.record ?? usualLimits.record;
  }

  async seed(fixtures: Fixtures): Promise<void> {
    this.#fixtures = new FixtureCollections(fixtures);
    this.#mirrors.clear();
  }

  async list(collection: Collection): Promise<readonly StoredRecord[]> {
    return (await this.#overlay(collection))?.list() ?? this.#fixtures.of(collection.name).records;
  }

  async query(collection: Collection, query: Query): Promise<QueryResult | undefined> {
    return ((await this.#overlay(collection)) ?? this.#fixtures.of(collection.name)).query(query);
  }

  async get(collection: Collection, id: string): Promise<JsonObject | undefined> {
    const overlay = await this.#overlay(collection);
    return overlay === undefined ? this.#fixtures.of(collection.name).get(id) : overlay.get(id);
  }

  async insert(collection: Collection, { id, record }: StoredRecord): Promise<Insertion> {
    refuseLong({ id, record }, this.recordLimit);
    const answer = await this.#run(scripts.insert, collection.session, [
      ...this.#facts(collection, id),
      stringifyJson(record),
      this.#most,
    ]);
    return answer === 'inserted' || answer === 'full' ? answer : 'taken';
  }

  async replace(
    collection: Collection,
    { id, record }: StoredRecord,
    read?: JsonObject,
  ): Promise<boolean> {
    refuseLong({ id, record }, this.recordLimit);
    return this.#change(scripts.replace, { collection, id, read }, stringifyJson(record));
  }

  async delete(collection: Collection, id: string, read?: JsonObject): Promise<boolean> {
    return this.#change(scripts.delete, { collection, id, read });
  }

  /** Changes a record that exists; throws where it is not the one that was read. */
  async #change(
    script: RedisScript,
    { collection, id, read }: ReadPlace,
    ...more: readonly string[]
  ): Promise<boolean> {
    const fixture = read && this.#fixtures.of(collection.name).get(id);
    const reply = await this.#run(script, collection.session, [
      ...this.#facts(collection, id),
      sumOf(read),
      sumOf(fixture),
      ...more,
    ]);
    if (reply === 'changed') throw new RecordChanged(collection, id);
    return reply === 1;
  }

  async nextInteger({ session, name }: Collection): Promise<bigint> {
    return BigInt(
      String(
        await this.#run(scripts.nextInteger, session, [
          name,
          String(this.#fixtures.of(name).greatest),
        ]),
      ),
    );
  }

  async reset(session?: string): Promise<void> {
    for (const name of session === undefined ? await this.sessions() : [session])
      await this.#run(scripts.reset, name, []);
  }

  async dump(session: string): Promise<SessionDump> {
    const { overlays } = await this.#synced(session);
    const greatest = await this.#greatest(session);
    const names = [...new Set([...this.#fixtures.keys(), ...greatest.keys()])];
    const dumps = names.map((name): [string, CollectionDump] => {
      const { records, greatest: seen } = dumpCollection(
        overlays.get(name) ?? new SessionOverlay(this.#fixtures.of(name)),
      );
      return [
        name,
        { records, greatest: String(greaterOf(BigInt(seen), greatest.get(name) ?? '')) },
      ];
    });
    return { collections: Object.fromEntries(dumps) };
  }

  async restore(session: string, dump: SessionDump): Promise<void> {
    const changes = planRestore(dump, this.#fixtures);
    refuseLongChanges(changes, this.recordLimit);
    if (changes.size === 0) return this.reset(session);
    const staged = await stageRestoring(
      this.#link,
      `${this.#prefix}staged:${randomUUID()}`,
      changes,
    );
    const fits = await this.#run(scripts.restore, session, [
      ...staged,
      ...[this.#most],
      ...[...changes].flatMap(([name, { greatest }]) => [name, String(greatest)]),
    ]);
    if (fits !== 1)
      throw new VouchError(
        'store-full',
        'The snapshot adds more records than fit beside those of other sessions: ' +
          `the store may hold no more than ${this.#most}.`,
        { hint: 'Reset sessions that are done, or start the mock with a greater mock.maxRecords.' },
      );
  }

  async sessions(): Promise<readonly string[]> {
    return texts(await this.#run(scripts.sessions, '', []));
  }

  async close(): Promise<void> {
    await this.#link.close();
    this.#mirrors.clear();
    this.#fixtures = new FixtureCollections();
  }

  async #overlay({ session, name }: Collection): Promise<SessionOverlay | undefined> {
    return (await this.#synced(session)).overlays.get(name);
  }

  async #synced(session: string): Promise<RedisMirror> {
    const mirror = this.#mirrors.get(session) ?? this.#makeMirror(session);
    const before = mirror.bytes;
    await mirror.sync();
    this.#bytes += mirror.bytes - before;
    if (this.#bytes > this.#maxBytes) this.#keepOnly(session, mirror);
    return mirror;
  }

  /** Redis has the changes of sessions: other mirrors are loaded again on demand. */
  #keepOnly(session: string, mirror: RedisMirror): void {
    this.#mirrors.clear();
    this.#mirrors.set(session, mirror);
    this.#bytes = mirror.bytes;
  }

  #makeMirror(session: string): RedisMirror {
    const mirror = new RedisMirror(
      (collection) => this.#fixtures.of(collection),
      (epoch, version) =>
        this.#run(scripts.sync, session, [epoch, version, String(maxChangesAtOnce)]),
    );
    this.#mirrors.set(session, mirror);
    return mirror;
  }

  /** Facts for the scripts: Redis does not store fixtures. */
  #facts({ name: collection }: Collection, id: string): string[] {
    const base = this.#fixtures.of(collection);
    return [
      collection,
      id,
      base.position(id) === undefined ? '0' : '1',
      String(greaterOf(0n, id)),
      String(base.greatest),
    ];
  }

  async #greatest(session: string): Promise<ReadonlyMap<string, string>> {
    const pairs = texts(await this.#run(scripts.greatest, session, []));
    return new Map(
      pairs.flatMap((name, index) =>
        index % 2 === 0 ? [[name, pairs[index + 1] ?? '0'] as const] : [],
      ),
    );
  }

  #run(script: RedisScript, session: string, args: readonly string[]): Promise<RedisReply> {
    const own = ['meta', 'records', 'changes', 'gone'];
    const keys = keyNames.map(
      (name) => `${this.#prefix}${own.includes(name) ? `s:${session}:${name}` : name}`,
    );
    return this.#link.run(script, keys, [session, this.#ttl, ...args]);
  }
}

/** A record, and what a change has read of it. */
interface ReadPlace {
  readonly collection: Collection;
  readonly id: string;
  readonly read: JsonObject | undefined;
}

/** The digest that Redis makes of the text of a record; empty for none. */
function sumOf(record: JsonObject | undefined): string {
  return record === undefined ? '' : createHash('sha1').update(stringifyJson(record)).digest('hex');
}

function texts(reply: RedisReply): string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

import { wordsIn } from '../../words-in.ts';
import { createHash } from 'node:crypto';

/** A script that Redis runs in one step, by the name under which it keeps it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

/** The keys of a session, in the order in which every script gets them. */
export const keyNames = wordsIn('meta records changes gone sessions added total epochs');

/**
 * The shared part of the scripts. Each change increments the version of a session; the epoch of a
 * session changes when it is created again under the same name.
 *
 * - `records`: collection NUL id → `=JSON` in the place of a fixture, `+TURN:JSON` added, `-` a
 *   fixture that is deleted
 * - `changes`, `gone`: present and deleted records, by the version of their last change. `gone` is
 *   limited: a reader with a version below `floor` must read the whole session again.
 *
 * Integers are decimal texts, because Lua has only doubles.
 */
const prelude = `
local meta, records, changes, gone, sessions, added, total, epochs = unpack(KEYS)
local session, ttl = ARGV[1], tonumber(ARGV[2])

local function touch()
  for _, key in ipairs({meta, records, changes, gone}) do redis.call('EXPIRE', key, ttl) end
  for _, key in ipairs({sessions, added, total, epochs}) do redis.call('EXPIRE', key, 2 * ttl) end
end

local function uncount(name)
  local count = redis.call('HGET', added, name)
  if count then
    redis.call('DECRBY', total, count)
    redis.call('HDEL', added, name)
  end
end

local function metaOf(name) return string.sub(meta, 1, -6 - #session) .. name .. ':meta' end

local function prune()
  for _, name in ipairs(redis.call('SMEMBERS', sessions)) do
    if redis.call('EXISTS', metaOf(name)) == 0 then
      uncount(name)
      redis.call('SREM', sessions, name)
    end
  end
end

local function isFull(more, most)
  if tonumber(redis.call('GET', total) or '0') + more <= most then return false end
  prune()
  return tonumber(redis.call('GET', total) or '0') + more > most
end

local function begin()
  uncount(session)
  redis.call('DEL', records, changes, gone)
  local time = redis.call('TIME')
  local epoch = time[1] .. '.' .. time[2] .. '.' .. redis.call('INCR', epochs)
  redis.call('HSET', meta, 'epoch', epoch, 'version', 0, 'turn', 0, 'floor', 0)
  redis.call('SADD', sessions, session)
end

local function open()
  if redis.call('EXISTS', meta) == 0 then begin() end
end

local function isGreater(left, right)
  if #left ~= #right then return #left > #right end
  return left > right
end

local function greatest(collection, ...)
  local most = redis.call('HGET', meta, 'greatest:' .. collection) or '0'
  for _, number in ipairs({...}) do
    if number ~= '' and isGreater(number, most) then most = number end
  end
  redis.call('HSET', meta, 'greatest:' .. collection, most)
  return most
end

local function put(member, value)
  local version = redis.call('HINCRBY', meta, 'version', 1)
  redis.call('HSET', records, member, value)
  redis.call('ZADD', changes, version, member)
  redis.call('ZREM', gone, member)
end

local function remove(member)
  local version = redis.call('HINCRBY', meta, 'version', 1)
  redis.call('HDEL', records, member)
  redis.call('ZREM', changes, member)
  redis.call('ZADD', gone, version, member)
  if redis.call('ZCARD', gone) > 1000 then
    local oldest = redis.call('ZRANGE', gone, 499, 499, 'WITHSCORES')
    redis.call('HSET', meta, 'floor', oldest[2])
    redis.call('ZREMRANGEBYRANK', gone, 0, 499)
  end
end

-- The record of a member: its text, whether it stands there, and whether that is for a fixture.
local function find(member, isFixture)
  local held = redis.call('HGET', records, member)
  if not held then return nil, isFixture == '1' end
  return held, held ~= '-'
end

-- Whether a record is another one than was read: digests of texts, that of a fixture given.
local function isChanged(held, read, fixture)
  if read == '' then return false end
  if not held then return fixture ~= read end
  return redis.sha1hex(string.match(held, '^%+%d+:(.*)$') or string.sub(held, 2)) ~= read
end
`;

function script(text: string): RedisScript {
  const whole = `${prelude}${text}`;
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
}

/**
 * ARGV of the first three: session, ttl, collection, id, whether a fixture has that id, its
 * integer, the fixtures' greatest, …
 */
export const scripts = {
  /** … JSON, most records. Answers `inserted`, `taken` or `full`. */
  insert: script(`
local _, _, collection, id, isFixture, number, base, json, most = unpack(ARGV)
local member = collection .. '\\0' .. id
local _, stands = find(member, isFixture)
if stands then return 'taken' end
if isFull(1, tonumber(most)) then return 'full' end
open()
put(member, '+' .. redis.call('HINCRBY', meta, 'turn', 1) .. ':' .. json)
redis.call('INCR', total)
redis.call('HINCRBY', added, session, 1)
greatest(collection, base, number)
touch()
return 'inserted'
`),
  /**
   * … digest of the record as it was read, or empty; digest of the fixture; JSON. Returns 1, 0 if
   * the record does not exist, or `changed`.
   */
  replace: script(`
local _, _, collection, id, isFixture, number, base, read, fixture, json = unpack(ARGV)
local member = collection .. '\\0' .. id
local held, stands = find(member, isFixture)
if not stands then return 0 end
if isChanged(held, read, fixture) then return 'changed' end
open()
put(member, (held and string.match(held, '^%+%d+:') or '=') .. json)
greatest(collection, base, number)
touch()
return 1
`),
  /** … both digests, as for `replace`. Returns 1, 0 if the record does not exist, or `changed`. */
  delete: script(`
local _, _, collection, id, isFixture, number, base, read, fixture = unpack(ARGV)
local member = collection .. '\\0' .. id
local held, stands = find(member, isFixture)
if not stands then return 0 end
if isChanged(held, read, fixture) then return 'changed' end
open()
if isFixture == '1' then put(member, '-') else remove(member) end
if held and string.sub(held, 1, 1) == '+' then
  redis.call('DECR', total)
  redis.call('HINCRBY', added, session, -1)
end
greatest(collection, base, number)
touch()
return 1
`),
  /** ARGV: session, ttl, collection, the fixtures' greatest. Returns the next integer. */
  nextInteger: script(`
local _, _, collection, base = unpack(ARGV)
open()
local digits = greatest(collection, base)
local nines = string.match(digits, '9*$')
local head = string.sub(digits, 1, #digits - #nines)
local last = head == '' and '' or string.char(string.byte(head, -1) + 1)
local raised = head == '' and '1' or string.sub(head, 1, -2) .. last
local number = raised .. string.rep('0', #nines)
redis.call('HSET', meta, 'greatest:' .. collection, number)
touch()
return number
`),
  /**
   * ARGV: session, ttl, known epoch, known version, maximum changes of a kind. Returns epoch (empty
   * if the session does not exist), the reached version, the current version, whether everything is
   * sent, members, their texts, deleted members.
   */
  sync: script(`
local state = redis.call('HMGET', meta, 'epoch', 'version', 'floor')
if not state[1] then return {'', '0', '0', 1, {}, {}, {}} end
if redis.call('TTL', meta) < ttl * 0.9 then touch() end
local known, most = tonumber(ARGV[4]), tonumber(ARGV[5])
local anew = 0
if state[1] ~= ARGV[3] or known < tonumber(state[3]) then known, anew = 0, 1 end
local reached = tonumber(state[2])
local function since(key)
  if known == tonumber(state[2]) then return {} end
  local from = '(' .. string.format('%.0f', known)
  local found = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
  local members = {}
  for at = 1, #found, 2 do members[#members + 1] = found[at] end
  if #members == most then reached = math.min(reached, tonumber(found[#found])) end
  return members
end
local present, absent = since(changes), since(gone)
local texts = #present == 0 and {} or redis.call('HMGET', records, unpack(present))
return {state[1], string.format('%.0f', reached), state[2], anew, present, texts, absent}
`),
  /** ARGV: session, ttl. */
  reset: script(`
uncount(session)
redis.call('SREM', sessions, session)
redis.call('DEL', meta, records, changes, gone)
return 1
`),
  /** ARGV: session, ttl. Returns the names of all sessions. */
  sessions: script(`
prune()
return redis.call('SMEMBERS', sessions)
`),
  /** ARGV: session, ttl. Answers collections and their greatest integers in turn. */
  greatest: script(`
local found = {}
local all = redis.call('HGETALL', meta)
for at = 1, #all, 2 do
  if string.sub(all[at], 1, 9) == 'greatest:' then
    found[#found + 1] = string.sub(all[at], 10)
    found[#found + 1] = all[at + 1]
  end
end
return found
`),
  /**
   * ARGV: session, ttl, key of the staged records, key of the staged changes, version, turn, added,
   * most, then collections and their greatest integers. Puts what was staged in the place of the
   * session. Answers 1, or 0 where that is too much.
   */
  restore: script(`
local stagedRecords, stagedChanges, version, turn, count, most = unpack(ARGV, 3, 8)
local before = tonumber(redis.call('HGET', added, session) or '0')
if isFull(tonumber(count) - before, tonumber(most)) then
  redis.call('DEL', stagedRecords, stagedChanges)
  return 0
end
begin()
redis.call('HSET', meta, 'version', version, 'turn', turn)
for at = 9, #ARGV, 2 do redis.call('HSET', meta, 'greatest:' .. ARGV[at], ARGV[at + 1]) end
if redis.call('EXISTS', stagedRecords) == 1 then
  redis.call('RENAME', stagedRecords, records)
  redis.call('RENAME', stagedChanges, changes)
end
redis.call('INCRBY', total, count)
redis.call('HINCRBY', added, session, count)
touch()
return 1
`),
} as const satisfies Readonly<Record<string, RedisScript>>;

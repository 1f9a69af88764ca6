import { stringifyJson } from '../../json/stringify-json.ts';
import type { SessionChanges } from '../change-log.ts';
import type { Change } from '../overlay.ts';
import type { RedisLink } from './redis-link.ts';

const atOnce = 1000;
/**
 * Long enough to stage a million records; what is left behind by a process that ended goes away by
 * itself.
 */
const stagedSeconds = '600';

/**
 * Puts a session's changes under keys of their own, a thousand at a time, from where one script can
 * put them in place. Answers what that script asks for: both keys, the version, the greatest turn
 * and how many records are added.
 */
export async function stageRestoring(
  link: RedisLink,
  key: string,
  changes: SessionChanges,
): Promise<readonly [string, string, string, string, string]> {
  const all = [...changes].flatMap(([collection, shelf]) =>
    shelf.changes.map((change) => ({ collection, change })),
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
  const greatest = turns.reduce((most, turn) => Math.max(most, turn), 0);
  return [recordsKey, changesKey, String(all.length), String(greatest), String(turns.length)];
}

function textOf({ record, turn }: Change): string {
  if (record === undefined) return '-';
  return `${turn === undefined ? '=' : `+${String(turn)}:`}${stringifyJson(record)}`;
}

import { LocalStore } from './local-store.ts';
import type { StoreLimits } from './store-limits.ts';
import { SqliteChangeLog } from './sqlite-change-log.ts';
import type { Store } from './store.ts';

/**
 * A store that keeps what sessions change in a file, so that it is there after a restart: what was
 * acknowledged survives the sudden end of the process. Reading costs what it costs in memory.
 * Fixtures are not in the file: they are what `seed` was told last, and under what the sessions
 * changed. Throws a VouchError ('store-unusable') where the file cannot be used.
 */
export function openSqliteStore(file: string, limits: StoreLimits = {}): Store {
  return new LocalStore('sqlite', limits, new SqliteChangeLog(file));
}

import { LocalStore } from './local-store.ts';
import type { StoreLimits } from './store-limits.ts';
import type { Store } from './store.ts';

/** A store in this process's memory, which ends with it. */
export function makeMemoryStore(limits: StoreLimits = {}): Store {
  return new LocalStore('memory', limits);
}

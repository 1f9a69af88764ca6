import { LocalStore } from './local-store.ts';
import type { Store, StoreLimits } from './store.ts';

/** A store in this process's memory, which ends with it. */
export function makeMemoryStore(limits: StoreLimits = {}): Store {
  return new LocalStore('memory', limits);
}

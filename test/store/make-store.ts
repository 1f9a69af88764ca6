import type { Store, StoreLimits } from '../../src/store/store.ts';

/** Gives an empty store, which the test may leave open. */
export type MakeStore = (limits?: StoreLimits) => Promise<Store>;

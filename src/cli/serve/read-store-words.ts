import type { StoreChoice } from '../../library/open-store.ts';
import type { Io } from '../io.ts';
import { defined } from '../../json/defined.ts';

/** Where records are to be kept: by the command line, else by `VOUCH_PERSIST` or `VOUCH_STORE`. */
export function readStoreWords(
  { persist, store, maxRecords, maxBytes }: StoreChoice,
  env: Io['env'],
): StoreChoice {
  const words =
    persist === undefined && store === undefined
      ? { persist: env['VOUCH_PERSIST'], store: env['VOUCH_STORE'] }
      : { persist, store };
  return {
    ...defined({ persist: words.persist, store: words.store, maxRecords, maxBytes }),
  };
}

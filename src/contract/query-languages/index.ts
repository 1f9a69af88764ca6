import { aip160 } from './aip-160.ts';
import type { FilterLanguage, OrderLanguage } from './language.ts';
import { odataFilter } from './odata-filter.ts';
import { plainOrder, signOrder, wordOrder } from './orders.ts';
import { rsql } from './rsql.ts';

/** The languages of expressions that select records. */
export const filterLanguages: readonly FilterLanguage[] = [aip160, odataFilter, rsql];

/** The languages of orders; the last one is what is left. */
export const orderLanguages: readonly OrderLanguage[] = [wordOrder, signOrder, plainOrder];

/** The language with an id; undefined if there is none. */
export function filterLanguage(id: string): FilterLanguage | undefined {
  return filterLanguages.find((language) => language.id === id);
}

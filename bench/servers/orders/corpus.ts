import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startOrders } from './server.ts';
import { shows } from './shows.ts';
import { key } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('orders.yaml', import.meta.url);
const credentials = { first: { 'X-Api-Key': key }, anonymous: {} };

/** Orders of products, in HAL. */
export const orders: Corpus = {
  name: 'orders',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startOrders,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startLedger } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('ledger.yaml', import.meta.url);

const credentials = {
  first: { 'Access-Token': tokens.north },
  second: { 'Access-Token': tokens.east },
  anonymous: {},
  wrongKey: { 'Access-Token': 'kt-0000000000000000' },
};

/** Accounts, customers, vouchers, invoices and the periods of two companies. */
export const ledger: Corpus = {
  name: 'ledger',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startLedger,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { adminKey, tokens } from './account.ts';
import { defects, defectNames } from './defects.ts';
import { startInvoices } from './server.ts';
import { shows } from './shows.ts';
import { variantNames } from './variants.ts';

const file = new URL('invoices.yaml', import.meta.url);

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const credentials = {
  first: bearer(tokens.first),
  second: bearer(tokens.second),
  anonymous: {},
  wrongToken: bearer('wrong-token-0000'),
  admin: { ...bearer(tokens.first), 'X-Admin-Key': adminKey },
  wrongAdmin: { ...bearer(tokens.first), 'X-Admin-Key': 'wrong-key' },
  adminKeyOnly: { 'X-Admin-Key': adminKey },
};

/** Invoices for small companies. */
export const invoices: Corpus = {
  name: 'invoices',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startInvoices,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

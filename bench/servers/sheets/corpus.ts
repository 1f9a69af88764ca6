import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startSheets } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('sheets.yaml', import.meta.url);

const bearer = (token: string): { readonly Authorization: string } => ({
  Authorization: `Bearer ${token}`,
});

const credentials = {
  first: bearer(tokens.hanna),
  second: bearer(tokens.milo),
  anonymous: {},
  wrongToken: bearer('pat0000000000000.0123456789abcdef'),
};

/** Bases with tables of linked records, comments and webhooks. */
export const sheets: Corpus = {
  name: 'sheets',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startSheets,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

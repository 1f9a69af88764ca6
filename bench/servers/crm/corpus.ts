import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startCrm } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('crm.yaml', import.meta.url);

const as = (token: string) => ({ Authorization: `Bearer ${token}` });

const credentials = {
  first: as(tokens.growth),
  reader: as(tokens.dashboard),
  contactsOnly: as(tokens.newsletter),
  second: as(tokens.northern),
  anonymous: {},
  wrongToken: as('lbr-eu1-00000000-0000-4000-8000-000000000000'),
};

/** Contacts, companies, deals and tasks: properties, searches, batches, associations, merges. */
export const crm: Corpus = {
  name: 'crm',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startCrm,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

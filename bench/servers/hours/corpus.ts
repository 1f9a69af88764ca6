import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startHours } from './server.ts';
import { shows } from './shows.ts';
import { accountIds, tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('hours.yaml', import.meta.url);

const as = (token: string, account: string) => ({
  Authorization: `Bearer ${token}`,
  'X-Account-Id': account,
});

const credentials = {
  first: as(tokens.nadia, accountIds.harbor),
  member: as(tokens.oskar, accountIds.harbor),
  second: as(tokens.lena, accountIds.fell),
  anonymous: {},
  wrongToken: as('swp_00000000000000000000000000000000', accountIds.harbor),
  withoutAccount: { Authorization: `Bearer ${tokens.nadia}` },
  ofOtherAccount: as(tokens.nadia, accountIds.fell),
};

/** Time of people on projects of clients: timers, rates, budgets, timesheets, expenses, reports. */
export const hours: Corpus = {
  name: 'hours',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startHours,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startTransit } from './server.ts';
import { shows } from './shows.ts';
import { accounts, type Account } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('transit.yaml', import.meta.url);

const of = ({ key, token }: Pick<Account, 'key' | 'token'>) => ({
  'X-Api-Key': key,
  Authorization: `Bearer ${token}`,
});

const credentials = {
  first: of(accounts.nordbahn),
  second: of(accounts.hafenlinien),
  partner: of(accounts.reisewelt),
  keyOnly: { 'X-Api-Key': accounts.nordbahn.key },
  anonymous: {},
  wrongKey: of({ key: 'rk_unknown_00000000', token: 'rt_unknown_0000000000000000' }),
};

/** Stops, departures, service messages, saved journeys, alerts and bookings of a region. */
export const transit: Corpus = {
  name: 'transit',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startTransit,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startBroker } from './server.ts';
import { shows } from './shows.ts';
import { passwords } from './store.ts';
import { basic } from './use.ts';
import { variantNames } from './variants.ts';

const file = new URL('broker.yaml', import.meta.url);

const credentials = {
  first: basic('ines', passwords.ines),
  second: basic('tomas', passwords.tomas),
  anonymous: {},
  wrongKey: basic('ines', 'not-her-password'),
};

/** Virtual hosts of a message broker, with what is declared, published and permitted in them. */
export const broker: Corpus = {
  name: 'broker',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startBroker,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

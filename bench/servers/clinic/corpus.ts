import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startClinic } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('clinic.yaml', import.meta.url);

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const credentials = {
  first: bearer(tokens.linden),
  second: bearer(tokens.hafen),
  anonymous: {},
};

/** Patients, appointments, observations and prescriptions of two practices, by HL7 FHIR. */
export const clinic: Corpus = {
  name: 'clinic',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startClinic,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};

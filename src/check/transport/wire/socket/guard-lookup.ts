import { lookup as lookUp, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { VouchError } from '../../../../errors.ts';
import { isMetadataHost } from '../../../../http/host.ts';

/** Every address of a name; rejects as `dns.lookup` does. */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Throws where a host is an address to which nothing is ever sent: link-local, or where clouds give
 * away credentials.
 */
export function refuseMetadata(host: string, address = host): void {
  if (!isMetadataHost(address)) return;
  const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
  throw new VouchError(
    'refused-for-safety',
    `${leads} a link-local or metadata address, at which clouds give away credentials.`,
    {
      hint:
        'Nothing was sent there. Give the deployment’s own address, or look at ' +
        'what its name resolves to.',
    },
  );
}

/**
 * Looks a name up for a connection that is being made, and refuses it where one of its addresses
 * must not be asked. The connection goes to the very addresses that were looked at, so a name
 * cannot lead elsewhere a moment later (DNS rebinding).
 */
export function guardLookup(findAddresses: FindAddresses): LookupFunction {
  return (host, { all, family }, callback) => {
    const answer = async (): Promise<void> => {
      const addresses = await findAddresses(host);
      for (const { address } of addresses) refuseMetadata(host, address);
      const fitting =
        family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
      const [first] = fitting;
      if (first === undefined)
        throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
      if (all === true) callback(null, [...fitting]);
      else callback(null, first.address, first.family);
    };
    // An error of a lookup is a NodeJS.ErrnoException by its type, and whatever it is the socket
    // hands it on as it came.
    answer().catch((error: unknown) => callback(error as NodeJS.ErrnoException, ''));
  };
}

/** Asks the system, as every other program of the machine does. */
export function findSystemAddresses(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });
}

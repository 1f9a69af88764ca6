import { VouchError } from '../../errors.ts';
import type { TlsChoice } from '../../server/tls/tls-settings.ts';
import type { ServeOptions } from './serve.ts';
import { defined } from '../../json/defined.ts';

type TlsWords = Pick<ServeOptions, 'tls' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsClientCa'>;

/**
 * What the words about TLS come to; nothing where there are none. Throws `usage` where one of them
 * needs another.
 */
export function readTlsWords({ tls, tlsCa, tlsCert, tlsKey, tlsClientCa }: TlsWords): {
  readonly tls?: TlsChoice;
} {
  if (tls !== true && [tlsCa, tlsCert, tlsKey, tlsClientCa].every((word) => word === undefined))
    return {};
  if (tlsCert !== undefined && tlsKey === undefined)
    throw new VouchError('usage', '--tls-cert needs the key of the certificate.', {
      hint: 'Add --tls-key FILE.',
    });
  if (tlsKey !== undefined && tlsCert === undefined)
    throw new VouchError('usage', '--tls-key needs the certificate that the key belongs to.', {
      hint: 'Add --tls-cert FILE.',
    });
  return {
    tls: {
      ...(tlsCert === undefined || tlsKey === undefined
        ? {}
        : { certificate: { cert: tlsCert, key: tlsKey } }),
      ...defined({ caFile: tlsCa, clientCa: tlsClientCa }),
    },
  };
}

import { defined } from '../json/defined.ts';
import type { Mock } from '../mock/mock.ts';
import { controlPrefix } from '../server/control/control-parts.ts';
import { createAppOf, createControlApp } from '../server/create-app.ts';
import type { Journal } from '../server/journal/journal.ts';
import { listen, type Listening } from '../server/listen.ts';
import { type AppOptions, assembleParts } from '../server/serving-parts.ts';
import {
  type GivenCertificate,
  prepareTls,
  type TlsChoice,
  type TlsSettings,
} from '../server/tls/tls-settings.ts';

/** Where and how a mock is to be reached. */
export interface ServingChoice {
  readonly port: number;
  readonly host: string;
  /** Speaks TLS: `true` with a certificate made for this start, else with the one that is given. */
  readonly tls?: boolean | GivenCertificate | TlsChoice;
  /**
   * The control API on a port of its own; 0 takes any. Without it, it stands under `/__vouch/` on
   * the mock's port.
   */
  readonly controlPort?: number;
}

/** A mock that is being served. */
export interface ServedMock {
  readonly listening: Listening;
  /** Where the control API is: `http://127.0.0.1:4010/__vouch`. */
  readonly controlUrl: string;
  readonly journal: Journal;
  readonly tls: TlsSettings | undefined;
  /** Stops listening once what is in flight has been answered. */
  close(): Promise<void>;
}

/**
 * Puts a mock on its port, and the control API on its own where that is wanted. Throws as `listen`
 * and `prepareTls` do.
 */
export async function serveMock(
  mock: Mock,
  app: AppOptions,
  { port, host, tls: wanted, controlPort }: ServingChoice,
): Promise<ServedMock> {
  const tls =
    wanted === undefined || wanted === false
      ? undefined
      : await prepareTls(choiceOf(wanted), host, new Date());
  const apart = controlPort !== undefined;
  const services = apart ? { ...app.console, mockOrigin: () => listening.url } : { ...app.console };
  const parts = assembleParts(mock, {
    ...app,
    host,
    console: services,
    controlApart: apart,
    clientCertificates: tls?.clientCa !== undefined,
  });
  const common = { host, ...defined({ tls }) };
  const listening = await listen(createAppOf(parts), { ...common, port });
  const control =
    controlPort === undefined
      ? undefined
      : await listenBeside(listening, () =>
          listen(createControlApp(parts), { ...common, port: controlPort, portsToTry: 1 }),
        );
  return {
    listening,
    controlUrl: `${(control ?? listening).url}${controlPrefix}`,
    journal: parts.journal,
    tls,
    close: async () => {
      parts.ending.abort();
      await Promise.all([listening.close(), control?.close()]);
    },
  };
}

function choiceOf(wanted: true | GivenCertificate | TlsChoice): TlsChoice {
  if (wanted === true) return {};
  return 'key' in wanted ? { certificate: wanted } : wanted;
}

/** Where the second port cannot be had, the first is given back. */
async function listenBeside(first: Listening, begin: () => Promise<Listening>): Promise<Listening> {
  try {
    return await begin();
  } catch (error) {
    await first.close();
    throw error;
  }
}

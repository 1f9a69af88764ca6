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

/** The address of the mock. */
export interface ServingChoice {
  readonly port: number;
  readonly host: string;
  /** Serves HTTPS: `true` with a generated certificate, otherwise with the given one. */
  readonly tls?: boolean | GivenCertificate | TlsChoice;
  /**
   * Serves the control API on its own port; 0 picks any free port. Default: under `/__vouch/` on
   * the port of the mock.
   */
  readonly controlPort?: number;
}

/** A running mock. */
export interface ServedMock {
  readonly listening: Listening;
  /** The URL of the control API: `http://127.0.0.1:4010/__vouch`. */
  readonly controlUrl: string;
  readonly journal: Journal;
  readonly tls: TlsSettings | undefined;
  /** Stops listening after requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Serves a mock, and the control API on its own port if requested. Throws the errors of `listen`
 * and `prepareTls`.
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

/** If the second port cannot be opened, closes the first one. */
async function listenBeside(first: Listening, begin: () => Promise<Listening>): Promise<Listening> {
  try {
    return await begin();
  } catch (error) {
    await first.close();
    throw error;
  }
}

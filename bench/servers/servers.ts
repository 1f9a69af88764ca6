import { startExpress } from './express/server.ts';
import { startPlain } from './plain/server.ts';
import type { StartServer } from './server-under-test.ts';

/** The servers, by name; every one of them knows every defect. */
export const servers = { plain: startPlain, express: startExpress } as const satisfies Readonly<
  Record<string, StartServer>
>;

export type ServerName = keyof typeof servers;

export const serverNames = Object.keys(servers) as ServerName[];

import { createApp } from '../../src/server/create-app.ts';
import type { AppOptions } from '../../src/server/serving-parts.ts';
import { listen, type Listening, type ListenOptions } from '../../src/server/listen.ts';
import { fakeMock, type FakeMock } from './fake-mock.ts';

export const controlToken = 'a-token-for-tests-only';

export interface Served {
  readonly mock: FakeMock;
  readonly listening: Listening;
  readonly port: number;
}

/** A fake mock behind the whole server, on a free port. */
export async function serveFake(
  mock: FakeMock = fakeMock(),
  app: Partial<AppOptions> = {},
  options: Partial<ListenOptions> = {},
): Promise<Served> {
  const listening = await listen(createApp(mock, { controlToken, ...app }), {
    port: 0,
    ...options,
  });
  return { mock, listening, port: listening.port };
}

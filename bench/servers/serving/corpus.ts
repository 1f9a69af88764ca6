import type { ServerUnderTest } from '../server-under-test.ts';
import type { Client } from './client.ts';
import type { Start } from './plant.ts';
import type { Contract } from './read-contract.ts';

/** A service with a document, single defects, conforming variants and a client of its document. */
export interface Corpus {
  readonly name: string;
  /** The OpenAPI document. */
  readonly contract: URL;
  /** Defects by kind, each with what goes wrong. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly defects: readonly string[];
  readonly variants: readonly string[];
  /** For each defect: whether it shows to a client that reads the document. */
  readonly shows: Readonly<Record<string, (client: Client) => Promise<boolean>>>;
  start(how?: Start): Promise<ServerUnderTest>;
  openContract(): Contract;
  connect(url: string, contract: Contract): Client;
}

/** Starts the service, and says whether the defect shows, and what was against the document. */
export async function tryShow(
  corpus: Corpus,
  defect: string,
  { contract, how }: { contract: Contract; how: Start },
): Promise<{ readonly isShown: boolean; readonly faults: readonly string[] }> {
  const server = await corpus.start(how);
  try {
    const client = corpus.connect(server.url, contract);
    const isShown = (await corpus.shows[defect]?.(client)) ?? false;
    return { isShown, faults: client.faults };
  } finally {
    await server.stop();
  }
}

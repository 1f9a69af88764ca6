import { isAddress } from '../../contract/load/source.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import {
  plainHeaders,
  readHeaderFlags,
  readTargetHeaders,
} from '../../library/read-header-flags.ts';
import type { ContractFlags } from '../find-contract.ts';
import type { Io } from '../io.ts';

/** The flags of a command that also sends requests to a target. */
interface HeaderFlags extends ContractFlags {
  readonly header: readonly string[];
}

/**
 * Adds the headers for the request of the document: one that the target itself serves gets the
 * headers of the target, and no other document does.
 */
export async function addHeadersOfDocument<Flags extends HeaderFlags>(
  io: Io,
  { url, document }: { readonly url: string | undefined; readonly document: string | undefined },
  flags: Flags,
): Promise<Flags> {
  if (url === undefined || document === undefined || !isAddress(document)) return flags;
  const config = await readConfigOnce(process.cwd(), flags.config);
  const target = config.targets[url];
  if (URL.parse(target?.url ?? url)?.origin !== URL.parse(document)?.origin) return flags;
  const own = target === undefined ? {} : readTargetHeaders(config, url, io.env);
  const common = { ...plainHeaders(own), ...plainHeaders(readHeaderFlags(flags.header, io.env)) };
  return { ...flags, documentHeaders: common };
}

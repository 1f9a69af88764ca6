import { remember } from '../../remember.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import { batchRead } from './batch-read.ts';
import { bodyTag } from './body-tag.ts';
import { hal } from './hal.ts';
import { expansion } from './expansion.ts';
import { inclusion } from './inclusion.ts';
import { pages } from './pages.ts';
import { linkage } from './linkage.ts';
import { projection } from './projection.ts';
import type { Protocol, Told } from './protocol.ts';
import { softDelete } from './soft-delete.ts';
import { trial } from './trial.ts';
import { updateMask } from './update-mask.ts';

/** The table of protocols: one file each. */
const protocols = {
  mask: updateMask,
  projections: projection,
  inclusions: inclusion,
  expansions: expansion,
  relationships: linkage,
  tag: bodyTag,
  trials: trial,
  softDelete,
  batchReads: batchRead,
  pages,
  hal,
} satisfies Readonly<Record<string, Protocol<Told>>>;

type Table = typeof protocols;

/** What a contract shows of the protocols for the records of one resource. */
export type ProtocolFacts = {
  readonly [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]['read']>>;
};

const known = new WeakMap<Resource, ProtocolFacts>();

/** The protocols that the operations of a resource show, read once. */
export function protocolsOf(contract: Contract, resource: Resource): ProtocolFacts {
  return remember(known, resource, (): ProtocolFacts => {
    const read = Object.entries(protocols).flatMap(([name, protocol]) => {
      const shown = protocol.read(resource, contract);
      return shown === undefined ? [] : [[name, shown] as const];
    });
    // Each name has what its own protocol reads.
    return Object.fromEntries(read);
  });
}

/** One sentence for each protocol that the operations of a resource show. */
export function explainProtocols(contract: Contract, resource: Resource): string[] {
  return Object.values(protocolsOf(contract, resource)).map(({ says }) => says);
}

/** Whether a protocol fixes the values of a parameter: a made-up one is no valid request. */
export function isGoverned(operation: Operation, parameter: Parameter): boolean {
  return Object.values<Protocol<Told>>(protocols).some(
    (protocol) => protocol.governs?.(operation, parameter) === true,
  );
}

import { defined } from '../../json/value.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import type { Protocol, Told } from './protocol.ts';
import { type BodyTag, bodyTag } from './body-tag.ts';
import { inclusion, type Inclusions } from './inclusion.ts';
import { projection, type Projections } from './projection.ts';
import { type SoftDelete, softDelete } from './soft-delete.ts';
import { trial, type Trials } from './trial.ts';
import { type UpdateMask, updateMask } from './update-mask.ts';

/** What a contract shows of the protocols for the records of one resource. */
export interface ProtocolFacts {
  readonly mask?: UpdateMask;
  readonly projections?: Projections;
  readonly inclusions?: Inclusions;
  readonly tag?: BodyTag;
  readonly trials?: Trials;
  readonly softDelete?: SoftDelete;
}

/** The table of protocols: one file each. */
const protocols: readonly Protocol<Told>[] = [
  updateMask,
  projection,
  inclusion,
  bodyTag,
  trial,
  softDelete,
];

const known = new WeakMap<Resource, ProtocolFacts>();

/** The protocols that the operations of a resource show, read once. */
export function protocolsOf(contract: Contract, resource: Resource): ProtocolFacts {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const facts: ProtocolFacts = defined({
    mask: updateMask.read(resource, contract),
    projections: projection.read(resource, contract),
    inclusions: inclusion.read(resource, contract),
    tag: bodyTag.read(resource, contract),
    trials: trial.read(resource, contract),
    softDelete: softDelete.read(resource, contract),
  });
  known.set(resource, facts);
  return facts;
}

/** One sentence for each protocol that the operations of a resource show. */
export function explainProtocols(contract: Contract, resource: Resource): string[] {
  const told: readonly Told[] = Object.values<Told>({ ...protocolsOf(contract, resource) });
  return told.map(({ says }) => says);
}

/** Whether a protocol fixes the values of a parameter: a made-up one is no valid request. */
export function isGoverned(operation: Operation, parameter: Parameter): boolean {
  return protocols.some((protocol) => protocol.governs?.(operation, parameter) === true);
}

import { pathKey, wholeParameters } from '../../../contract/infer/path-groups.ts';
import type { Contract, Operation, Parameter, Resource } from '../../../contract/model.ts';
import { defined } from '../../../json/defined.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Source } from '../../model/request-template.ts';
import { roleOf } from '../../model/step.ts';

/** A parameter of a path that names a record of the contract. */
export interface PathName {
  readonly parameter: Parameter;
  /** The resource of which it names a record. */
  readonly resource: Resource;
  /**
   * Set where it names what that record stands below: the segment of the path that it fills,
   * counted from 0.
   */
  readonly parent?: number;
  /**
   * The resource of the operation itself, where that is another one: a collection below the named
   * record.
   */
  readonly below?: Resource;
  /** Whether the run can create such a record. */
  readonly creatable: boolean;
  /** What the document shows, or the user gave, for want of a known record. */
  readonly otherwise?: JsonValue;
}

/**
 * How a request names its records: any that is known, one of the run's own, or what an earlier step
 * of its sequence created or listed.
 */
export type RecordKind = 'known' | 'own' | 'created' | 'listed';

/**
 * The parameters of an operation's path that name records: by the item of a resource that the path
 * leads to, or leads through (`/owners/{ownerId}/things`, `/things/{thingId}/photos`). The other
 * parameters of the path are nobody's identifiers.
 */
export function pathNames(contract: Contract, operation: Operation): PathName[] {
  const through = resourceOnPath(contract, operation.path);
  if (through === undefined || !isKnowable(contract, through)) return [];
  const role = roleOf(contract, operation);
  const identifierAt = (through.itemPath ?? '').split('/').length - 2;
  return wholeParameters(operation.path).flatMap(({ name, segment }): PathName[] => {
    const parameter = operation.parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === name,
    );
    if (parameter === undefined || segment > identifierAt) return [];
    const below = role !== undefined && role.resource !== through ? { below: role.resource } : {};
    return [
      {
        parameter,
        resource: through,
        creatable: isCreatable(contract, through),
        ...(segment === identifierAt ? {} : { parent: segment }),
        ...below,
      },
    ];
  });
}

/** The resource with the longest item path that a path begins with. */
function resourceOnPath(contract: Contract, path: string): Resource | undefined {
  const known = itemPaths.get(contract) ?? readItemPaths(contract);
  itemPaths.set(contract, known);
  const segments = pathKey(path).split('/');
  for (let length = segments.length; length > 1; length -= 1) {
    const resource = known.get(segments.slice(0, length).join('/'));
    if (resource !== undefined) return resource;
  }
  return undefined;
}

// Every operation asks, and a contract may have a thousand.
const itemPaths = new WeakMap<Contract, ReadonlyMap<string, Resource>>();

function readItemPaths({ resources }: Contract): Map<string, Resource> {
  return new Map(
    resources.flatMap((resource) =>
      resource.kind === 'collection' && resource.itemPath?.endsWith('}') === true
        ? [[pathKey(resource.itemPath), resource] as const]
        : [],
    ),
  );
}

/** Whether an answer can tell of a record: a list shows it, or a create made it. */
function isKnowable(contract: Contract, resource: Resource): boolean {
  return resource.operations.list !== undefined || isCreatable(contract, resource);
}

/**
 * Whether the contract has an operation that makes records of a resource, or of another view on the
 * same set.
 */
function isCreatable(contract: Contract, resource: Resource): boolean {
  const known =
    created.get(contract) ??
    new Set(
      contract.resources
        .filter(({ operations }) => operations.create !== undefined)
        .map(({ collection }) => collection),
    );
  created.set(contract, known);
  return known.has(resource.collection);
}

const created = new WeakMap<Contract, ReadonlySet<string>>();

/** Where the value of a path parameter is to come from. */
export function sourceOf(
  { resource, parent, below, creatable, otherwise }: PathName,
  kind: RecordKind,
): Source {
  // What an earlier step created or listed stands below the same record as that step said.
  if (below !== undefined && (kind === 'created' || kind === 'listed')) {
    const last = (resource.itemPath ?? '').split('/').length - 2;
    return { kind, resource: below.name, parent: parent ?? last };
  }
  const named = { resource: resource.name, ...defined({ parent }) };
  const loose = kind === 'known' || (below !== undefined && !creatable);
  return loose ? { kind: 'known', ...named, ...defined({ otherwise }) } : { kind, ...named };
}

import type {
  AnswerPlan,
  OperationPlan,
  OperationPlans,
  ResourceRole,
  RoutedRequest,
} from '../model/request.ts';
import {
  actedPath,
  lastParameter,
  pathKey,
  wholeParameters,
} from '../../contract/infer/conventions/path-styles.ts';
import { speaksJsonApi } from '../../contract/infer/conventions/envelope-styles.ts';
import { bodyListOf, narrowedListOf } from '../../contract/infer/body-lists.ts';
import { countedBy } from '../../contract/infer/count-path.ts';
import { ownPartsOf } from '../../contract/infer/own-kind.ts';
import type {
  Batch,
  Clearing,
  Contract,
  Operation,
  Parent,
  Resource,
} from '../../contract/model.ts';
import { tableOf } from '../../contract/infer/table-path.ts';
import { Derived, lazy } from '../../contract/lazy.ts';
import { preparePath } from '../../contract/path-template.ts';
import { isBatchRead } from '../../contract/protocols/batch-read.ts';
import { referenceField, type Relationship } from '../../contract/protocols/linkage.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { documents } from '../../contract/select-response.ts';
import type { HeaderList } from '../../http/message.ts';
import { remember } from '../../remember.ts';
import { parseClock } from '../control/clock.ts';
import type { Assumption } from '../model/reply.ts';
import { beginsWithWhole, endsParts, leavesOut } from '../../contract/words/read-dependents.ts';
import { isView } from '../records/collection-name.ts';
import { planAnswer } from './plan-answer.ts';
import { servedContract } from './served-contract.ts';

/** The plans of all operations by id; each is made on first use. */
export function planOperations(
  document: Contract,
  assumptions: readonly Assumption[],
): OperationPlans {
  const contract = servedContract(document);
  const operations = new Map(
    contract.operations.map((operation, index) => [
      operation.id,
      { operation, documented: document.operations[index] ?? operation },
    ]),
  );
  const assumed = new Map(assumptions.map((assumption) => [assumption.operation, assumption]));
  const atPath = operationsAt(contract);
  const plans = new Map<string, OperationPlan>();
  return {
    get(id) {
      const found = operations.get(id);
      return (
        found && remember(plans, id, () => planOperation(found, assumed.get(id), contract, atPath))
      );
    },
  };
}

/** The plan of a request that is handled as if its operation were another one in part. */
export function variantOf(
  plan: OperationPlan,
  other: Partial<Pick<OperationPlan, 'operation' | 'role' | 'status' | 'above'>>,
): OperationPlan {
  const derived = new Derived<OperationPlan>();
  return {
    ...plan,
    ...other,
    derive(read) {
      return derived.of(this, read);
    },
  };
}

/** The plan of an operation where a request names the record that it saves. */
export function savingOf(plan: OperationPlan): OperationPlan {
  const { operation, role, assumption } = plan;
  const { saves: name } = operation;
  if (name === undefined || role?.action !== 'create') return plan;
  const by = { operation, action: 'update', in: 'body', name } as const;
  return variantOf(plan, {
    role: { resource: role.resource, action: 'update', by },
    status: chooseSuccessStatus(operation, 'update', assumption?.status),
  });
}

/** Finds the operations at a path, by its key. */
type AtPath = (key: string) => readonly Operation[];

function operationsAt({ operations, inference }: Contract): AtPath {
  const byPath = lazy(() =>
    Map.groupBy(operations, (operation) => pathKey(inference.pathOf(operation))),
  );
  return (key) => byPath().get(key) ?? [];
}

function planOperation(
  { operation, documented }: Pick<OperationPlan, 'operation' | 'documented'>,
  assumption: Assumption | undefined,
  contract: Contract,
  atPath: AtPath,
): OperationPlan {
  const role = roleOf(operation, contract);
  const path = contract.inference.pathOf(operation);
  const answers = new Map<number, AnswerPlan>();
  const derived = new Derived<OperationPlan>();
  return {
    operation,
    documented,
    assumption,
    contract,
    role,
    above: role === undefined ? recordsAbove(path, contract, atPath) : [],
    // An action on a record has its verb after the identifier.
    recordParameter: recordParameter(path, role),
    status: chooseSuccessStatus(operation, role?.action, assumption?.status),
    length: documented.path.split('/').length - 1,
    fillPath: preparePath(documented.path),
    wholeSegments: writtenSegments(documented.path),
    parentSegments: wholeParameters(path).map(({ name, segment }) => [name, segment]),
    removedAt: removalOf(operation),
    announcements: announceLifecycle(operation),
    answerPlan(status) {
      return remember(answers, status, () => planAnswer(operation, status));
    },
    derive(read) {
      return derived.of(this, read);
    },
  };
}

/** The path parameter that identifies the record; undefined if the path is that of a collection. */
function recordParameter(path: string, role: ResourceRole | undefined): string | undefined {
  if (role?.resource.collectionPath === path && role.action !== 'act') return undefined;
  if (role?.action === 'link') return wholeParameters(path).at(-1)?.name;
  const isBehind = role?.action === 'act' || role?.partsOfOne !== undefined;
  return lastParameter(isBehind ? actedPath(path) : path);
}

/** Parameters that fill a whole segment of the path as written, with the segment's index. */
function writtenSegments(path: string): OperationPlan['wholeSegments'] {
  return path
    .split('/')
    .slice(1)
    .flatMap((text, index) => {
      const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
      return name === undefined ? [] : [[name, index] as const];
    });
}

/** What may tell the role of an operation, the surest first. */
const roles: readonly ((operation: Operation, contract: Contract) => ResourceRole | undefined)[] = [
  batchReadOf,
  linkageOf,
  placedRole,
  partListRole,
  headRole,
  listRole,
  countRole,
  tableRole,
];

function roleOf(operation: Operation, contract: Contract): ResourceRole | undefined {
  for (const read of roles) {
    const role = read(operation, contract);
    if (role !== undefined) return role;
  }
  return undefined;
}

function placedRole(operation: Operation, contract: Contract): ResourceRole | undefined {
  const placement = contract.inference.placementOf(operation);
  if (placement === undefined) return undefined;
  if (placement.kind === 'action')
    return { resource: placement.action.resource, action: 'act', deed: placement.action };
  if (placement.kind === 'bulk') return bulkRole(placement.action);
  if (placement.kind === 'by-value')
    return { resource: placement.resource, action: placement.by.action, by: placement.by };
  // A create by name replaces an existing record, as PUT does.
  if (placement.kind === 'named-create') return { resource: placement.resource, action: 'replace' };
  const { action, batch } = placement;
  const resource = withParentFields(placement.resource);
  return (
    partsRole(placement.resource, contract) ?? {
      resource,
      action,
      batch,
      ...ownPartsIn(operation, resource, contract),
    }
  );
}

function listRole(operation: Operation, contract: Contract): ResourceRole | undefined {
  const listed = bodyListOf(contract, operation) ?? narrowedListOf(contract, operation);
  return listed && { ...listed, action: 'list' };
}

function countRole(operation: Operation, contract: Contract): ResourceRole | undefined {
  const resource = countedBy(contract, operation);
  return resource && { resource, action: 'count' };
}

function tableRole(operation: Operation, contract: Contract): ResourceRole | undefined {
  const table = tableOf(contract, operation);
  return table && { resource: table.resource, action: 'table' };
}

/**
 * A view below a parent to which its records refer by one field alone, such as a relationship: the
 * field says which records stand below it.
 */
function withParentFields(resource: Resource): Resource {
  const { parents, foreignKeys } = resource;
  if (!isView(resource) || parents.every(({ field }) => field !== undefined)) return resource;
  const known = parents.map((parent) => {
    const [key, ...others] = foreignKeys.filter(
      ({ resource: target, many }) => !many && target.collection === parent.resource?.collection,
    );
    return parent.field === undefined && others.length === 0
      ? { ...parent, field: key?.field }
      : parent;
  });
  return known.every(({ field }) => field !== undefined)
    ? { ...resource, parents: known, sharing: 'certain' }
    : resource;
}

/** HEAD has the headers of a GET of its path, such as the tag of the record (RFC 9110, 9.3.2). */
function headRole({ method, path }: Operation, contract: Contract): ResourceRole | undefined {
  if (method !== 'HEAD') return undefined;
  const get = contract.operations.find((one) => one.method === 'GET' && one.path === path);
  const role = get && roleOf(get, contract);
  return role?.action === 'read' ? role : undefined;
}

/** The list of the parts of a record that are of its own kind: a view of all records. */
function partsRole(parts: Resource, contract: Contract): ResourceRole | undefined {
  const above = parts.parents.at(-1)?.resource;
  const own = above && ownPartsOf(above, contract);
  if (above === undefined || own?.list !== parts) return undefined;
  const { collection, identifier, parents } = { ...above, parents: parts.parents };
  const below = parents.map((parent, at) =>
    at === parents.length - 1 ? { ...parent, field: own.field } : parent,
  );
  return { resource: { ...parts, collection, identifier, parents: below }, action: 'list' };
}

/** The list of such parts that no resource places: records of the whole that name one of them. */
function partListRole(operation: Operation, contract: Contract): ResourceRole | undefined {
  const whole = operation.method === 'GET' ? wholeAbove(operation, contract) : undefined;
  const own = whole && ownPartsOf(whole, contract, contract.operations);
  if (whole === undefined || own?.list.operations.list !== operation) return undefined;
  const resource = { ...whole, list: own.list.list, operations: own.list.operations };
  const showsWhole = beginsWithWhole(operation, own.noun);
  return { resource, action: 'list', partsOfOne: { field: own.field, showsWhole } };
}

/** The resource of the records at the path above an operation. */
function wholeAbove(
  { path }: Operation,
  { operations, inference }: Contract,
): Resource | undefined {
  const above = path.slice(0, path.lastIndexOf('/'));
  if (!above.endsWith('}')) return undefined;
  const key = pathKey(above);
  for (const operation of operations) {
    if (pathKey(operation.path) !== key) continue;
    const placement = inference.placementOf(operation);
    if (placement?.kind === 'resource') return placement.resource;
  }
  return undefined;
}

function ownPartsIn(
  operation: Operation,
  resource: Resource,
  contract: Contract,
): Pick<ResourceRole, 'ownParts'> {
  const own = ownPartsOf(resource, contract, contract.operations);
  if (own === undefined) return {};
  const leavesOutParts = leavesOut(operation, own.noun);
  const ends = endsParts(operation, own.noun);
  return { ownParts: { ...own, leavesOut: leavesOutParts, ends } };
}

/** The role of a read of several records by their names. */
function batchReadOf(operation: Operation, contract: Contract): ResourceRole | undefined {
  if (!isBatchRead(operation)) return undefined;
  for (const resource of contract.resources) {
    const { batchReads: named } = protocolsOf(contract, resource);
    if (named?.operation === operation) return { resource, action: 'read-many' };
  }
  return undefined;
}

/**
 * The role of an operation on a relationship of a record (JSON:API 1.1, section 9.3), or on a
 * reference to one other record (OData 4.01, protocol, section 11.4.6).
 */
function linkageOf(operation: Operation, contract: Contract): ResourceRole | undefined {
  if (!mayLink(operation, contract)) return undefined;
  for (const resource of contract.resources) {
    const { relationships } = protocolsOf(contract, resource);
    const relationship = relationships?.of.find((one) => linksOf(one).includes(operation));
    if (relationship !== undefined) return { resource, action: 'link', relationship };
  }
  return undefined;
}

/** The operations on a relationship; none if its records do not hold what it names. */
function linksOf(relationship: Relationship): (Operation | undefined)[] {
  const { form, many, set, add, remove, read, related } = relationship;
  if (form.kind === 'linkage') return [set, add, remove, read, ...(many ? [] : [related])];
  return referenceField(relationship) === undefined ? [] : [set, remove, related];
}

/** Whether a path may be that of a relationship, or of the one record that it names. */
function mayLink(operation: Operation, { operations }: Contract): boolean {
  const { method, path } = operation;
  return (
    (method === 'GET' && speaksJsonApi(operation)) ||
    path.includes('/relationships/') ||
    path.endsWith('/$ref') ||
    operations.some((other) => other.path === `${path}/$ref`)
  );
}

function bulkRole(action: Clearing | Batch): ResourceRole {
  const { resource } = action;
  return action.does === 'clear'
    ? { resource, action: 'clear' }
    : {
        resource,
        action:
          action.does === 'replace' || action.does === 'update' ? 'replace-many' : 'create-many',
        batch: action,
      };
}

/**
 * `GET /things/{thingId}/picture` concerns a record of `/things`, although it does not return it.
 */
function recordsAbove(path: string, { inference }: Contract, atPath: AtPath): readonly Parent[] {
  const segments = path.split('/');
  for (const { name, segment } of wholeParameters(path).toReversed()) {
    const key = pathKey(segments.slice(0, segment + 2).join('/'));
    if (segment + 2 === segments.length) continue;
    const placements = atPath(key).map((operation) => inference.placementOf(operation));
    const resource = placements.flatMap((placement) =>
      placement?.kind === 'resource' && placement.resource.kind === 'collection'
        ? [placement.resource]
        : [],
    )[0];
    if (resource !== undefined)
      return [...resource.parents, { parameter: name, segment, resource }];
  }
  return [];
}

/** The preferred statuses of each action, if the contract documents several. */
const preferred: Readonly<Partial<Record<ResourceRole['action'], readonly number[]>>> = {
  create: [201],
  // 201 is for a record that is new.
  replace: [200, 204],
  update: [200, 204],
  delete: [204],
  clear: [204],
  'create-many': [201],
};

/**
 * The status of a success: the assumed one if the contract does not state it, otherwise the
 * documented one that suits the action best, otherwise the lowest; a redirect if only that is
 * documented; otherwise another documented status that is no error, or 200.
 */
export function chooseSuccessStatus(
  operation: Operation,
  action: ResourceRole['action'] | undefined,
  assumed: number | undefined,
): number {
  if (assumed !== undefined) return assumed;
  const exact = exactStatuses(operation, '2');
  const fitting = (action === undefined ? [] : (preferred[action] ?? [])).find((status) =>
    exact.includes(status),
  );
  // 206 is for requests with `Range` (RFC 9110, section 15.3.7), which the mock does not support.
  const whole = exact.find((status) => status !== 206);
  const silent = exact.length === 0 && !documents(operation, '2XX');
  return (
    fitting ??
    whole ??
    (silent ? exactStatuses(operation, '3')[0] : undefined) ??
    exact[0] ??
    (silent && action === undefined ? otherStatus(operation) : undefined) ??
    200
  );
}

/**
 * The status if no success is documented; undefined if errors are, because then the success was
 * just omitted.
 */
function otherStatus(operation: Operation): number | undefined {
  if (
    documents(operation, 'default') ||
    operation.responses.some(({ status }) => status.startsWith('4'))
  )
    return undefined;
  if (documents(operation, '3XX')) return 302;
  return (
    exactStatuses(operation, '5')[0] ??
    (documents(operation, '5XX') ? 500 : exactStatuses(operation, '1')[0])
  );
}

function exactStatuses({ responses }: Operation, digit: '1' | '2' | '3' | '5'): number[] {
  const statuses = responses
    .map(({ status }) => status)
    .filter((status) => status.startsWith(digit) && /^\d+$/.test(status));
  return statuses.map(Number).sort((left, right) => left - right);
}

const dayMs = 86_400_000;

/**
 * When an operation is removed: at the end of its sunset date, or at the exact time if the contract
 * has one. Undefined without either.
 */
export function removalOf({ sunset }: Pick<Operation, 'sunset'>): Date | undefined {
  const moment = sunset === undefined ? undefined : parseClock(sunset);
  if (moment === undefined) return undefined;
  return sunset?.includes('T') === true ? moment : new Date(moment.getTime() + dayMs);
}

/**
 * The header fields of a deprecated operation: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 */
function announceLifecycle(operation: Operation): HeaderList {
  const since =
    operation.deprecatedAt === undefined ? undefined : parseClock(operation.deprecatedAt);
  const sunset = operation.sunset === undefined ? undefined : parseClock(operation.sunset);
  return [
    ...(since === undefined
      ? []
      : [['Deprecation', `@${String(Math.trunc(since.getTime() / 1000))}`] as const]),
    ...(sunset === undefined ? [] : [['Sunset', sunset.toUTCString()] as const]),
  ];
}

/**
 * A `Link` to the successor operation (RFC 5829, section 3.3); none if its path has a parameter
 * that the request does not contain.
 */
export function linkSuccessor(
  { operation: { servers }, fillPath }: Pick<OperationPlan, 'operation' | 'fillPath'>,
  { basePath, path }: Pick<RoutedRequest, 'basePath' | 'path'>,
): HeaderList {
  const base = servers.some(({ basePaths }) => basePaths.includes(basePath))
    ? basePath
    : (servers[0]?.basePath ?? '');
  const filled = fillPath((name) => path.get(name));
  return filled === undefined ? [] : [['Link', `<${base}${filled}>; rel="successor-version"`]];
}

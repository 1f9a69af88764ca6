import { listedRecords } from '../../reading/shown-records.ts';
import { createdIdentifier, isIdentifier } from '../../reading/created-record.ts';
import { isUnguessable, roleOf, type Step, hasSuccess } from '../../model/step.ts';
import type { CaseParts } from '../../model/case.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/** The lists on which a new record may stand, the narrowest first. */
export type ListsOf = (resource: Resource, mark: Mark) => readonly CaseParts[];

/** A text that only one request contained, and that request. */
interface Mark {
  readonly name: string;
  readonly text: string;
  readonly sent: Step['sent'];
}

/** Sends a read besides those of the plan, and returns its step if it was sent. */
export type Look = (look: CaseParts, title: string) => Promise<Step | undefined>;

/**
 * The identifier of the record that a create made whose answer names none, as the lists of its
 * records show it: the only record with a text that no other request contained. Undefined for other
 * steps, and where no list shows such a record.
 */
export async function findCreated(
  step: Step,
  { contract, listsOf }: { readonly contract: Contract; readonly listsOf: ListsOf },
  ask: Look,
): Promise<JsonValue | undefined> {
  const resource = madeUnnamed(step, contract);
  const { sent } = step;
  const marks = isJsonObject(sent.body) ? marksIn(sent.body) : [];
  const [[name, text] = []] = marks;
  if (resource === undefined || name === undefined || text === undefined) return undefined;
  const title = `which record ${step.case.operation.id} made, as its answer does not say`;
  for (const look of listsOf(resource, { name, text, sent })) {
    const listed = await ask(look, title);
    const records = (listed && listedRecords(resource, listed.answer)) ?? [];
    const identifier = onlyWith(marks, records)?.[resource.identifier.field];
    if (isIdentifier(identifier)) return identifier;
  }
  return undefined;
}

/** The resource of which a step made a record that its answer does not name. */
function madeUnnamed(step: Step, contract: Contract): Resource | undefined {
  const { operation, request, intent } = step.case;
  const role = roleOf(contract, operation);
  const isMade =
    role?.action === 'create' &&
    intent.kind === 'valid' &&
    request.identity === undefined &&
    hasSuccess(step);
  return isMade && createdIdentifier(role.resource, step) === undefined ? role.resource : undefined;
}

/** The only record that has texts of a create, and no other value where it shows their members. */
function onlyWith(marks: readonly Named[], records: readonly JsonObject[]): JsonObject | undefined {
  const [found, ...others] = records.filter((record) =>
    marks.every(([own, value]) => record[own] === undefined || record[own] === value),
  );
  const isShown = found !== undefined && marks.some(([own, value]) => found[own] === value);
  return isShown && others.length === 0 ? found : undefined;
}

type Named = readonly [name: string, text: string];

/** The members of a body with a text that the run made up for this request alone. */
function marksIn(body: JsonObject): Named[] {
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && isUnguessable(value) ? [[name, value] as const] : [],
  );
}

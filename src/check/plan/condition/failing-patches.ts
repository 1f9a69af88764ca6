import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import { operationFor } from '../draft/operation-for.ts';
import { isPatch } from '../draft/references.ts';
import { bodyOf, requestOf, type Draft, type DraftBody } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/** What no record holds. */
const strange = 'a value that the record does not have';

/**
 * A JSON Patch of a record that was created for it, whose first step is a test that fails: none of
 * it may be done (RFC 6902, section 5).
 */
export function planFailingPatches(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const [create, read, update] = [
      draftOf(context, resource.operations.create),
      draftOf(context, operationFor(context.contract, resource, 'read')),
      draftOf(context, resource.operations.update),
    ];
    const body =
      update &&
      [update.body, ...update.otherBodies].find(
        (candidate) => candidate !== undefined && isPatch(candidate),
      );
    const steps = create?.body && body && failing(create.body, body, resource);
    if (
      create?.body === undefined ||
      update === undefined ||
      body === undefined ||
      steps === undefined
    )
      return [];
    const { operation } = update;
    const first = makeCreate(context, create, {
      title: 'a record is created, for a patch that is to fail',
      value: create.body.value,
      intent: plainIntent(create),
      phase: 'sequence',
    });
    const patch = makeCase({
      title: 'the body is a JSON Patch whose test fails',
      phase: 'sequence',
      operation,
      request: requestOf(update, 'created', { body: bodyOf(body, steps) }),
      intent: {
        kind: 'condition',
        at: joinPointer(operation.pointer, 'responses'),
        wanted: 'patch-refused',
      },
    });
    const look = (draft: Draft, title: string): Sequence['cases'] => [
      makeCase({
        title,
        phase: 'sequence',
        operation: draft.operation,
        request: requestOf(draft, 'created'),
        intent: plainIntent(draft),
      }),
    ];
    return [
      makeSequence(
        first,
        ...(read === undefined ? [] : look(read, 'the created record is read')),
        patch,
      ),
    ];
  });
}

/**
 * A test of a text of the record, and the replacement of that text; undefined where the contract
 * takes no such patch.
 */
function failing(
  created: DraftBody,
  patch: DraftBody,
  { record }: Resource,
): JsonValue | undefined {
  const { value } = created;
  if (!isJsonObject(value)) return undefined;
  const shown = record.flatten().properties;
  const patches = Object.entries(value)
    .filter(([name, member]) => typeof member === 'string' && shown.has(name))
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: strange },
      { op: 'replace', path: joinPointer('', name), value: member },
    ]);
  return patches.find(
    (steps) => patch.schema === undefined || patch.schema.accepts(steps, 'request'),
  );
}

import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { type Case, makeCase } from '../model/case.ts';
import { edgeBodies, manyEdges } from './body-values.ts';
import type { DraftBody } from './draft-body.ts';
import { markedBody } from './mark-body.ts';
import { type Draft, requestOf } from './draft.ts';
import { draftCase, plainIntent, type PlanContext } from './plan-context.ts';
import type { Filter, Resource } from '../../contract/model.ts';
import type { Argument } from '../model/request-template.ts';

/** A plain value that differs from the one that the record was created with, so that it shows. */
export function changedValue({ cache }: PlanContext, body: DraftBody): JsonValue {
  const changed = edgeBodies(body, manyEdges, cache).find(
    (edge) => visibleClasses.includes(edge.valueClass) && !equalJson(edge.value, body.value),
  );
  return changed?.value ?? body.value;
}

export function changeStep(context: PlanContext, draft: Draft, title: string): Case {
  const { body, operation } = draft;
  const marking = { runId: context.runId, label: `${operation.id} ${title}` };
  return draftCase(draft, {
    title,
    body: body && markedBody(body, changedValue(context, body), marking),
  });
}

/** The list in which the record must be: filtered by a value of it, and as long as possible. */
export function lookInList(list: Draft, resource: Resource, body: JsonValue): Case {
  const limit = resource.list?.limit;
  const page: Argument[] =
    limit?.maximum === undefined
      ? []
      : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  const filters = (resource.list?.filters ?? []).flatMap((filter): Argument[] => {
    const value = isJsonObject(body) ? body[filter.field] : undefined;
    return value !== undefined && enumerated(filter).includes(value)
      ? [{ parameter: filter.parameter, source: { kind: 'value', value } }]
      : [];
  });
  return makeCase({
    title: 'the created record is looked for in the list',
    phase: 'sequence',
    operation: list.operation,
    request: requestOf(list, 'created', { extra: [...page, ...filters.slice(0, 1)] }),
    intent: plainIntent(list),
  });
}

function enumerated({ parameter }: Filter): readonly JsonValue[] {
  return parameter.schema.flatten().node.enum ?? [];
}

const visibleClasses: readonly string[] = [
  'enum-value',
  'inside-minimum',
  'inside-maximum',
  'boolean-value',
  'minimum',
  'maximum',
];

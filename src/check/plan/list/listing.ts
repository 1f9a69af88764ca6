import type { ListShape, Parameter, Resource } from '../../../contract/model.ts';
import type { Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { type Case, type Intent, makeCase } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { type Draft, requestOf } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/** A list that the run may ask: its plain request, and what its parameters mean. */
export interface Listing {
  readonly draft: Draft;
  readonly resource: Resource;
  readonly shape: ListShape;
}

/** The lists that get requests, in the order of the contract. */
export function listingsOf(context: PlanContext): Listing[] {
  return context.contract.resources.flatMap((resource) => {
    const draft = draftOf(context, resource.operations.list);
    return draft === undefined || resource.list === undefined
      ? []
      : [{ draft, resource, shape: resource.list }];
  });
}

/**
 * What a list is asked for, and what for. `at` is the place that is put to the test; without one,
 * the operation itself.
 */
export interface Question {
  readonly title: string;
  readonly query: readonly Argument[];
  readonly at?: Pointer;
  /** `plain` unless told. */
  readonly rigour?: 'plain' | 'invented' | 'exotic';
}

/** A case that asks a list. */
export function askList(
  { draft }: Pick<Listing, 'draft'>,
  { title, query, at, rigour }: Question,
): Case {
  const { operation, invented } = draft;
  const plain = plainIntent({ operation, invented });
  const intent: Intent =
    at === undefined && rigour === undefined
      ? plain
      : {
          kind: 'valid',
          rigour: rigour ?? (invented ? 'invented' : 'plain'),
          at: at ?? operation.pointer,
        };
  return makeCase({
    title,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'known', { extra: query }),
    intent,
    control: requestOf(draft, 'known'),
  });
}

/**
 * A parameter with a value that is known when the plan is made; none where the contract does not
 * allow it.
 */
export function valued(parameter: Parameter | undefined, value: JsonValue): Argument[] {
  if (parameter === undefined || !parameter.schema.accepts(value, 'request')) return [];
  return [{ parameter, source: { kind: 'value', value } }];
}

/** A parameter with a value that an earlier answer shows. */
export function sourced(parameter: Parameter, source: Source): Argument[] {
  return [{ parameter, source }];
}

/** More records than a page of a thousand would be a load and not a test. */
const widest = 1000;
const usual = 100;

/** The argument that asks for the longest page there may be; none where the list has no limit. */
export function widestPage({ shape: { limit } }: Listing): Argument[] {
  if (limit === undefined) return [];
  const longest = Math.min(limit.maximum ?? usual, widest);
  return valued(limit.parameter, longest);
}

/** The argument that asks for a page of so many records. */
export function pageOfSize({ shape: { limit } }: Listing, size: number): Argument[] {
  return valued(limit?.parameter, size);
}

/** `the list` where nothing else is asked: the title of the case on both sides of a comparison. */
export function wholeList(
  listing: Listing,
  title = 'the list is asked for its longest page',
): Case {
  return askList(listing, { title, query: widestPage(listing) });
}

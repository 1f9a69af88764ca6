import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  ResourceAction,
} from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Case } from './case.ts';
import type { Exchange } from './exchange.ts';

/**
 * What a request carried, as values: by parameter, and the body where it was JSON, or a form that
 * reads as the same value again.
 */
export interface Sent {
  readonly arguments: ReadonlyMap<Parameter, JsonValue>;
  readonly body?: JsonValue;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent where it has
   * none.
   */
  readonly credential?: string;
}

/** A case that was sent, and what came of it. */
export interface Step {
  readonly case: Case;
  readonly sent: Sent;
  readonly exchange: Exchange;
  readonly answer: Answer;
}

/**
 * The body of an answer as its header says that it is to be read. `mediaType` is missing where the
 * header names none.
 */
export type Answer =
  | { readonly kind: 'empty'; readonly mediaType?: string }
  /**
   * `repeats`: a name that is given twice in one object, and where; the last value counts, as with
   * most clients.
   */
  | {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly value: JsonValue;
      readonly repeats?: string;
    }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array }
  /**
   * `content`: its content coding or its charset hides what the body is. `isBomb`: it grows out of
   * all proportion.
   */
  | {
      readonly kind: 'unreadable';
      readonly mediaType?: string;
      readonly reason: string;
      readonly content?: ContentFault | 'charset.unknown';
      readonly isBomb?: true;
    };

/** Why content codings cannot be undone. */
export type ContentFault =
  'encoding.unknown' | 'encoding.mismatch' | 'encoding.chain' | 'body.too-large';

/** The part that an operation has in a resource. */
export interface Role {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

/**
 * The resource that an operation belongs to and its action there, or undefined where it belongs to
 * none.
 */
export function roleOf({ inference }: Contract, operation: Operation): Role | undefined {
  const placement = inference.placementOf(operation);
  if (placement?.kind !== 'resource') return undefined;
  // A PUT that replaces a whole collection has a place, and no part in the records.
  return placement.resource.operations[placement.action] === operation ? placement : undefined;
}

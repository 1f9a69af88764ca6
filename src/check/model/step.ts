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
 * The values of a request: by parameter, and the body if it is JSON, or a form or XML that
 * decodes to the same value.
 */
export interface Sent {
  readonly arguments: ReadonlyMap<Parameter, JsonValue>;
  readonly body?: JsonValue;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent if it has
   * none.
   */
  readonly credential?: string;
}

/** A case that was sent, and its result. */
export interface Step {
  readonly case: Case;
  readonly sent: Sent;
  readonly exchange: Exchange;
  readonly answer: Answer;
  /** The identifier of the record that it made, where a list showed it and the answer does not. */
  readonly found?: JsonValue;
}

/**
 * The body of a response, parsed as its header states. `mediaType` is missing if the header has
 * none.
 */
export type Answer =
  | { readonly kind: 'empty'; readonly mediaType?: string }
  /**
   * A value: JSON, or an XML document that its schema describes without a doubt. `repeats`: a name
   * that occurs twice in one object, and its place; the last value counts, as in most clients.
   */
  | {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly value: JsonValue;
      readonly repeats?: string;
    }
  /** `isCut`: only the beginning of a stream. */
  | {
      readonly kind: 'bytes';
      readonly mediaType?: string;
      readonly bytes: Uint8Array;
      readonly isCut?: boolean;
    }
  /**
   * `content`: its content coding or its charset prevents parsing. `isBomb`: a decompression bomb.
   */
  | {
      readonly kind: 'unreadable';
      readonly mediaType?: string;
      readonly reason: string;
      readonly content?: ContentFault | 'charset.unknown';
      readonly isBomb?: true;
    };

/** Why content codings cannot be decoded. */
export type ContentFault =
  'encoding.unknown' | 'encoding.mismatch' | 'encoding.chain' | 'body.too-large';

/** The role of an operation in a resource. */
export interface Role {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

/** The resource of an operation and its action there, or undefined if it belongs to none. */
export function roleOf({ inference }: Contract, operation: Operation): Role | undefined {
  const placement = inference.placementOf(operation);
  if (placement?.kind !== 'resource') return undefined;
  // A PUT that replaces a whole collection belongs to the resource, but acts on no single record.
  return placement.resource.operations[placement.action] === operation ? placement : undefined;
}

import { wordsIn } from '../words-in.ts';
import type { Place } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import type { EffectReading, Operation, OutgoingOperation, Server } from './model/operation.ts';
import type { Inference, Resource, Unplaced } from './model/resource.ts';
import type { ContractRules } from './model/rule.ts';
import type { SecurityScheme } from './model/security.ts';

export * from './model/operation.ts';
export type * from './model/resource.ts';
export type * from './model/rule.ts';
export type * from './model/schema.ts';
export type * from './model/security.ts';

/** The version family of the document that a contract was read from. */
export type Dialect = '2.0' | '3.0' | '3.1' | '3.2';

/**
 * An OpenAPI document as vouch's model: references resolved, defaults filled in, schemas in one
 * dialect (JSON Schema 2020-12). Only `contract/build` reads the raw document.
 */
export interface Contract {
  readonly title: string;
  /** `info.description`: what holds for all operations, in words. */
  readonly description?: string | undefined;
  readonly version: string;
  readonly dialect: Dialect;
  /** The name that places show: a path, a URL without its query, `<stdin>` or `<inline>`. */
  readonly file: string;
  /** What reads the document again: a path, `-`, or the whole URL, which is never shown. */
  readonly source?: string;
  /**
   * The absolute paths of everything that was read, the document first, which may also be a URL;
   * empty for a parsed document.
   */
  readonly files: readonly string[];
  /** The absolute paths of the Overlays that were applied, in order. */
  readonly overlays: readonly string[];
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  /**
   * Requests that the service sends by itself, not in response to an operation (OpenAPI 3.1,
   * section 4.8.1). Read on first access.
   */
  readonly webhooks: readonly OutgoingOperation[];
  readonly tags: readonly Tag[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** The inferred resources, read on first access; `resources` and `unplaced` come from it. */
  readonly inference: Inference;
  readonly resources: readonly Resource[];
  /** Operations that belong to no resource, and why. */
  readonly unplaced: readonly Unplaced[];
  readonly gaps: readonly Gap[];
  /**
   * The rules that the owner states. Throws a VouchError ('contract-invalid', 'config-invalid') on
   * first access if a rule cannot be read.
   */
  readonly rules: ContractRules;
  /** The effect of each operation on the service. Read on first access. */
  readonly effects: ReadonlyMap<Operation, EffectReading>;
  /**
   * The raw document: for tools that need OpenAPI (Prism, the documentation page), never for its
   * meaning.
   */
  readonly document: JsonObject;
  /** The document without parts of an invalid kind: the source of the model. */
  readonly soundDocument: JsonObject;
  /** What was left out or repaired. */
  readonly faults: readonly DocumentFault[];
  /**
   * The place of a pointer in the file, or that of its nearest ancestor if the pointer is not
   * written there.
   */
  locate(pointer: Pointer): Place;
  /**
   * The lines around a pointer, with line numbers, a `>` before the line and a caret under the
   * column.
   */
  frame(pointer: Pointer): string;
}

/**
 * A defect of the document that was repaired: a list instead of an object, a reference to a missing
 * place, an `operationId` that is used twice.
 */
export interface DocumentFault {
  readonly pointer: Pointer;
  /** The lint rule that reports it: Redocly's id, or `vouch/…`. */
  readonly rule: string;
  /** What is wrong, and what is done instead. */
  readonly message: string;
  /** What to write instead, if known. */
  readonly hint?: string;
  /** Default: an error. */
  readonly severity?: 'warning';
  readonly place: Place;
  /** The lines around `place`. */
  readonly frame: string;
}

/** A word that operations are grouped by (OpenAPI 3.1, section 4.8.22). */
export interface Tag {
  readonly name: string;
  readonly description?: string | undefined;
  /** The parent tag (`parent` in OpenAPI 3.2, `x-parent` before). */
  readonly parent?: string | undefined;
}

/** The kinds of gaps that vouch looks for. */
export const gapKinds = wordsIn(
  'refusal-undocumented success-open payload-open default-unknown unauthorised-undocumented',
  'paging-unknown text-unbounded rule-unstated',
);
/** What a contract leaves undocumented. */
export type GapKind = (typeof gapKinds)[number];

/** Something that a contract leaves undocumented. */
export interface Gap {
  readonly kind: GapKind;
  /** Stable as long as the gap exists: `createPet.body.status.default`. */
  readonly id: string;
  readonly operation?: Operation;
  readonly message: string;
  readonly pointer: Pointer;
}

import type { Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type {
  FilterLanguage,
  Operator,
  OrderLanguage,
  OrderStandard,
} from '../query-languages/language.ts';
import type { Operation, Parameter } from './operation.ts';
import type { Schema } from './schema.ts';

const resourceActions = ['list', 'create', 'read', 'replace', 'update', 'delete'] as const;
/** What an operation does to the records of its resource. */
export type ResourceAction = (typeof resourceActions)[number];

/** Operations that belong to one kind of record, as inferred from the contract. */
export interface Resource {
  /**
   * `singleton`: one record on its own path, such as `/settings`, which has no identifier field.
   */
  readonly kind: 'collection' | 'singleton';
  /** From the collection's path: `things`, `owners.things`. Unique. */
  readonly name: string;
  /**
   * The set of records that it shows: its own name, or that of another resource if both show one
   * set.
   */
  readonly collection: string;
  /**
   * Whether it is certain that it shows the records of another resource; `assumed` if no field of a
   * record confirms it. Undefined if it shows its own.
   */
  readonly sharing?: 'certain' | 'assumed' | undefined;
  /** The resource whose records it shows; undefined if it shows its own. */
  readonly shows?: Resource | undefined;
  /** Whether another path lists or creates its records. */
  readonly isFed?: boolean;
  readonly operations: { readonly [action in ResourceAction]?: Operation };
  /**
   * The operation on an item's path that creates a record with the name in the path: PUT, POST or
   * PATCH. Undefined if only the service names records.
   */
  readonly namedCreate?: Operation | undefined;
  /**
   * Operations on the collection that identify one record in the body or in the query: `PUT /pet`.
   */
  readonly byValue: readonly ValueOperation[];
  /** The path of the collection (`/things`) and, if declared, of an item (`/things/{thingId}`). */
  readonly collectionPath: string;
  readonly itemPath?: string;
  readonly identifier: Identifier;
  /** What a record looks like in responses. */
  readonly record: Schema;
  readonly list?: ListShape | undefined;
  /**
   * What the parameters of the collection's path name, outermost first: `/owners/{ownerId}/things`
   * has an owner.
   */
  readonly parents: readonly Parent[];
  /** Fields that certainly refer to records of other resources. */
  readonly foreignKeys: readonly ForeignKey[];
  /** Fields that say how many records belong to one. */
  readonly counts: readonly CountField[];
  /** Objects that show fields of another record. */
  readonly copies: readonly CopyField[];
  /** Fields that hold an address within the service. */
  readonly links: readonly LinkField[];
  /** The conventions by which it was read: `path.trailing-slash`, `envelope.by-noun`. */
  readonly conventions: readonly string[];
  /** What was inferred and from what, one sentence a line. */
  readonly why: readonly string[];
}

/** An operation on one record, which a member of its body or of its query identifies. */
export interface ValueOperation {
  readonly operation: Operation;
  readonly action: 'read' | 'replace' | 'update' | 'delete';
  readonly in: 'body' | 'query';
  /** The member or the query parameter that holds the identifier. */
  readonly name: string;
}

/** How the records of a resource are identified. */
export interface Identifier {
  /** The record's field: `id`; `''` if only paths and links show it, and responses do not. */
  readonly field: string;
  /** Other fields that a path may use as the identifier: `key` of `/issues/{issueIdOrKey}`. */
  readonly others?: readonly string[];
  /** The path parameter that carries it: `petId`. */
  readonly parameter?: string | undefined;
  readonly type: 'integer' | 'string';
  readonly format?: string | undefined;
}

export interface Parent {
  /**
   * The parameter's name in the collection's path, and the index of the path's segment that it
   * fills.
   */
  readonly parameter: string;
  readonly segment: number;
  /** The parent resource; undefined if the contract has none, and any value is accepted. */
  readonly resource?: Resource | undefined;
  /**
   * The record field that holds the parent's identifier, dotted if nested: `ownerId`, `owner.id`.
   */
  readonly field?: string | undefined;
}

/** A field that names a record of another resource. */
export interface ForeignKey {
  /** Dotted if nested: `owner.id`. */
  readonly field: string;
  readonly resource: Resource;
  /** The field of those records whose value it holds: their identifier, or another of its fields. */
  readonly by: string;
  /** Whether the field is a list of identifiers. */
  readonly many: boolean;
}

/** A field that says how many records belong to the one that it stands in. */
export interface CountField {
  readonly field: string;
  /** What is counted: the records of a resource, or what an operation adds below the record. */
  readonly child?: Resource;
  readonly add?: Operation;
  /** Whether nothing in its description leaves other records out. */
  readonly isExact: boolean;
}

/** An object in a record that shows fields of another one, which the field `key` names. */
export interface CopyField {
  readonly field: string;
  readonly resource: Resource;
  readonly key: string;
}

/** A field with an address: of the record itself, or of what an operation shows below it. */
export interface LinkField {
  readonly field: string;
  readonly to: 'self' | 'part';
  readonly operation: Operation;
}

/** The response format of a list and the meaning of its query parameters. */
export interface ListShape {
  /** Where in the body the records sit: `''` for a bare array, `/data` for an envelope. */
  readonly records: Pointer;
  /** Where they sit if the answer is an envelope, where it may also be the bare array. */
  readonly wrapped?: Pointer;
  /**
   * Where the record is within an item: `/hook` of `[{ "hook": { … } }]`. Usually the item itself.
   */
  readonly item?: Pointer | undefined;
  /** `map`: the records are the members of an object, by their identifiers. */
  readonly form: 'array' | 'map';
  readonly filters: readonly Filter[];
  /** Filters by fields that only reads show, not the list. */
  readonly unshown?: readonly Filter[];
  readonly ranges: readonly RangeFilter[];
  /** Parameters that take an expression over several fields: `filter=state = "ACTIVE"`. */
  readonly expressions?: readonly Expression[] | undefined;
  readonly search?: Parameter | undefined;
  /** Parameters whose descriptions say that they search texts of records. */
  readonly searches?: readonly TextSearch[] | undefined;
  readonly sort?: Sort | undefined;
  readonly limit?: Limit | undefined;
  readonly paging: readonly Paging[];
  /** Whether the response documents the header `Link` (RFC 8288). */
  readonly links: boolean;
}

/** A query parameter whose text occurs in one of some fields: anywhere, or at the start. */
export interface TextSearch {
  readonly parameter: Parameter;
  readonly fields: readonly string[];
  readonly at: 'start' | 'anywhere';
  /** Whether any part of these fields, and of no other, finds a record; else words may count. */
  readonly isExact: boolean;
  readonly ignoresCase: boolean;
}

/**
 * A query parameter that bears a record field's name and a fitting type: records that hold one of
 * its values match.
 */
export interface Filter {
  readonly parameter: Parameter;
  /** Dotted if nested: `owner.name`. */
  readonly field: string;
  /** The member of a `deepObject` parameter that holds the value: `status` of `filter[status]`. */
  readonly member?: string;
  /** Values that select all records, regardless of the field: `all`. */
  readonly any?: readonly JsonValue[];
  /** Set if a text with commas is several values, of which any one matches. */
  readonly isJoined?: true;
  readonly unasked?: Unasked | undefined;
}

/** What a list shows where a filter is not asked for: records with one value, or all others. */
export interface Unasked {
  readonly shows: 'only' | 'others';
  readonly value: JsonValue;
}

/** A query parameter that bounds a record field: `min_price`, `createdBefore`. */
export interface RangeFilter {
  readonly parameter: Parameter;
  readonly field: string;
  /** How the mock reads the bound: as the name and the description suggest. */
  readonly op: 'gte' | 'gt' | 'lte' | 'lt';
  /**
   * Whether a record with exactly this value matches, as the description says; `unknown` where it
   * says nothing, or what the name contradicts: `published_since`, described as `after the date`.
   */
  readonly bound: 'included' | 'excluded' | 'unknown';
  /** The boolean parameter that decides whether the bound itself matches: `inclusive`. */
  readonly inclusive?: Parameter | undefined;
}

/** A query parameter that takes expressions in a language over the fields of a record. */
export interface Expression {
  readonly parameter: Parameter;
  readonly language: FilterLanguage;
  /** The fields that they may compare, the likeliest first. Dotted if nested. */
  readonly fields: readonly string[];
  /** The fields that hold a list, which may be asked for an item. */
  readonly lists: readonly string[];
  /** How parts of texts may be compared: as the language defines it, or the contract shows it. */
  readonly parts: readonly Operator[];
}

/** Whether records above the bound match: `min_price`, not `max_price`. */
export function isLowerBound({ op }: Pick<RangeFilter, 'op'>): boolean {
  return op === 'gte' || op === 'gt';
}

/** The parameters that request an order, and the meaning of the words in them. */
export interface Sort {
  readonly by: Parameter;
  /** The parameter that sets the direction, ascending or descending. */
  readonly direction?: Parameter | undefined;
  /** Fields by plain name: lower case, letters and digits only. */
  readonly fields: ReadonlyMap<string, string>;
  /** How an order is written; undefined if the contract lists the words, or shows nothing. */
  readonly language?: OrderLanguage | undefined;
  /** The fields of the orders that show the language; undefined if it follows from a standard. */
  readonly shown?: readonly string[] | undefined;
  /** The fields that the words of the parameter name: their names ask for them, rising. */
  readonly told?: readonly string[] | undefined;
  /** The standard whose order it is, if the contract shows one. */
  readonly standard?: OrderStandard | undefined;
}

/** The parameter that sets how many records a page holds, with its bounds. */
export interface Limit {
  readonly parameter: Parameter;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/**
 * A parameter that selects a page; `first` is the number of the first page, and 0 for the others.
 */
export interface Paging {
  readonly kind: 'offset' | 'page' | 'cursor';
  readonly parameter: Parameter;
  readonly first: number;
}

/** An operation that does something to one record: `POST /things/{thingId}/lock`. */
export interface RecordAction {
  readonly operation: Operation;
  readonly resource: Resource;
  /** The field that its verb sets, and the value. */
  readonly sets?: { readonly field: string; readonly value: string | boolean } | undefined;
  readonly why: string;
}

/**
 * An operation that removes every record of a collection, or those that match: `DELETE
 * /things?status=done`.
 */
export interface Clearing {
  readonly does: 'clear';
  readonly operation: Operation;
  readonly resource: Resource;
  /** What its query parameters mean. */
  readonly shape: ListShape;
  /** Where its response shows the removed records; undefined if it does not. */
  readonly shows?: ListShape | undefined;
  /** Where the body holds the identifiers of the records to delete; undefined if it holds none. */
  readonly identifiers?: Pointer | undefined;
  /** The parameter that takes the identifiers of the records to delete. */
  readonly named?: Parameter | undefined;
  /**
   * Query parameters with an unknown effect on the selection: a request that has one of them
   * deletes nothing.
   */
  readonly unread: readonly Parameter[];
  readonly why: string;
}

/**
 * An operation that adds several records at once (`POST /things/batch`), changes those that its
 * items name, or replaces all (`PUT /things`).
 */
export interface Batch extends Pick<Clearing, 'operation' | 'resource' | 'why'> {
  /** `add`: its items are identifiers, and what they name is in the collection from then on. */
  readonly does: 'create' | 'update' | 'replace' | 'add';
  /** Where the body holds the records: `''` if the body is the array itself. */
  readonly records: Pointer;
  readonly item: Schema;
  /**
   * The member of an entry that is the record, where others stand beside it, such as its parent
   * (Google AIP-233); undefined if each entry is a record.
   */
  readonly wrapped?: string | undefined;
  /** Where its response shows the added records; undefined if it does not. */
  readonly shows?: ListShape | undefined;
}

/** An operation on several records at once. */
export type BulkAction = Clearing | Batch;

/** An operation that acts on no resource, and a clause that says why. */
export interface Unplaced {
  readonly operation: Operation;
  readonly why: string;
}

/** The role of an operation. */
export type Placement =
  | { readonly kind: 'by-value'; readonly resource: Resource; readonly by: ValueOperation }
  | { readonly kind: 'named-create'; readonly resource: Resource; readonly operation: Operation }
  | {
      readonly kind: 'resource';
      readonly resource: Resource;
      readonly action: ResourceAction;
      /** How a create adds several records at once, where its body may hold a list of them. */
      readonly batch?: Batch | undefined;
    }
  | { readonly kind: 'action'; readonly action: RecordAction }
  | { readonly kind: 'bulk'; readonly action: BulkAction };

/**
 * The result of inference. Read on first access, so that a contract of a thousand operations loads
 * fast.
 */
export interface Inference {
  /** Collections and singletons, in the order of the contract. */
  readonly resources: readonly Resource[];
  readonly actions: readonly RecordAction[];
  readonly bulkActions: readonly BulkAction[];
  /** Operations that belong to no resource, and why. */
  readonly unplaced: readonly Unplaced[];
  /** The resource or singleton of that name. */
  named(name: string): Resource | undefined;
  /** The role of one operation, without reading the rest of the contract. */
  placementOf(operation: Operation): Placement | undefined;
  /** The same for other operations, with the same overrides. */
  over(operations: readonly Operation[]): Inference;
  /** The path of an operation as it is interpreted: in its plain form, and without a verb. */
  pathOf(operation: Operation): string;
}

/**
 * A correction of the inferred resource; `false` if it is not a resource, and its operations
 * respond from the contract only.
 */
export type ResourceOverride = false | ResourceSettings;

/** What a configuration states about one resource instead of the inferred facts. */
export interface ResourceSettings {
  /** The record's field that identifies it. */
  readonly identifier?: string;
  /** Where the records sit in the body of the list: a JSON Pointer. */
  readonly records?: Pointer;
  /** Operation ids by action; `false` if no operation has that action. */
  readonly operations?: {
    readonly [action in ResourceAction | 'clear' | 'createMany']?: string | false;
  };
  /** The field that holds the parent's identifier; `false` if the resource has no parent. */
  readonly parent?: string | false;
  /**
   * The record field that each query parameter filters by; `false` for no filters, or not this one.
   */
  readonly filters?: false | { readonly [parameter: string]: string | false };
  /** The resource that each field refers to; `false` for no foreign keys, or not this one. */
  readonly foreignKeys?: false | { readonly [field: string]: string | false };
}

/** By the name of a resource, or the path of its collection. */
export type ResourceOverrides = Readonly<Record<string, ResourceOverride>>;

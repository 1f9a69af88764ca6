import type { BrowserMode } from '../browsers.ts';
import type { JsonValue } from '../../json/value.ts';
import type { NearMiss } from '../../mock/control/near-miss.ts';
import type { FaultCause } from '../../mock/model/reply.ts';
import type { onlyRecord } from '../../mock/records/find-record.ts';
import type { ShownExchange, ShownInShort, ShownMessage } from '../journal/show-entry.ts';
import type { CheckAccess, CheckNews } from './console-services.ts';

/**
 * The responses of the control API to the console, shared by both sides. All are type aliases, so
 * that they are assignable to JSON objects.
 */
export type { CheckAccess, CheckFinding, CheckGap, CheckStart } from './console-services.ts';
export type { ShownInShort, ShownMessage };

/** The id of the one record of a singleton. */
export type OnlyRecord = typeof onlyRecord;

/**
 * Whether a request conforms to the contract. `invalid`: no. `refused`: yes, but it is not possible
 * in the current state. `unknown`: it was not judged, because a scenario, the server or
 * `Prefer` determined the response.
 */
export type Judgement = 'valid' | 'invalid' | 'refused' | 'unknown';

/** A short form of an exchange with its judgement. */
export type TrafficEntry = ShownInShort & {
  /** The run of a check that sent the request. */
  readonly run: string | null;
  readonly scenario: string | null;
  readonly judgement: Judgement;
  /** Why the mock refused the request. */
  readonly reason: string | null;
  readonly cause: FaultCause | null;
  /** The operation or scenario that the request nearly matched. */
  readonly near: { readonly [Key in keyof NearMiss]: NearMiss[Key] } | null;
};

/** `GET /traffic`, and each event of `GET /traffic/stream`: exchanges, the oldest first. */
export type TrafficNews = {
  /** How often the journal was cleared. */
  readonly clearings: number;
  /** The number of older exchanges that were dropped for lack of room. */
  readonly forgotten: number;
  /** The number of exchanges in the journal, and how many of them match the filters. */
  readonly total: number;
  readonly matching: number;
  readonly exchanges: readonly TrafficEntry[];
};

/** `GET /traffic/{id}`, with a command for a POSIX shell that sends the request again. */
export type ExchangeDetail = ShownExchange & TrafficEntry & { readonly curl: string };

/** `GET /traffic/{id}/scenario`: a scenario file and its name without the extension. */
export type WrittenScenario = { readonly name: string; readonly yaml: string };

export type OperationBrief = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The base path under which the mock answers. */
  readonly base: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Whether it requires a credential. */
  readonly secured: boolean;
};

/** A service that can receive requests or be checked; `itself` marks this mock. */
export type ServiceBrief = {
  readonly name: string;
  readonly kind: 'prism' | 'target';
  readonly url: string;
  readonly itself: boolean;
};

/** `GET /operations` */
export type OperationList = {
  readonly operations: readonly OperationBrief[];
  /** The credentials that the mock accepts. */
  readonly keys: readonly string[];
  readonly services: readonly ServiceBrief[];
  /** The origin of the mock; null if the console has the same one. */
  readonly origin: string | null;
  /** Whether the console can check servers. */
  readonly checks: boolean;
  readonly checkAccess: CheckAccess;
  /** The file of the contract. */
  readonly contract: string;
};

export type ParameterExample = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly style: string;
  readonly value: string;
};

/** `GET /operations/{id}`: an operation with an example of a request. */
export type OperationDetail = OperationBrief & {
  readonly parameters: readonly ParameterExample[];
  readonly body: { readonly mediaType: string; readonly text: string } | null;
};

/** `GET /reference`: what the documentation page shows first. */
export type Reference = {
  readonly title: string;
  readonly version: string;
  /** CommonMark. */
  readonly description: string;
  readonly operations: readonly OperationBrief[];
  /** How a client shows who it is, a sentence for each scheme. */
  readonly schemes: readonly string[];
  /** The key of a mock that was given none; otherwise null. */
  readonly key: string | null;
};

/** A schema as a tree: a member of an object, or a variant. */
export type SchemaNode = {
  readonly name: string;
  /** In words: `array of integer`. */
  readonly type: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly deprecated: boolean;
  /** CommonMark. */
  readonly description: string;
  readonly rule: string | null;
  readonly choices: readonly string[];
  readonly fallback: string | null;
  readonly members: readonly SchemaNode[];
  readonly variants: readonly SchemaNode[];
};

export type ContentReference = {
  readonly mediaType: string;
  readonly schema: SchemaNode | null;
  /** An example as text; '' without one. */
  readonly example: string;
};

/** `GET /reference/{id}`: an operation, with an example of its request. */
export type OperationReference = OperationBrief & {
  /** CommonMark. */
  readonly description: string;
  /** Whether the page may send it: not if the contract says `x-test-panel: false`. */
  readonly tries: boolean;
  readonly parameters: readonly (ParameterExample & { readonly schema: SchemaNode })[];
  readonly bodies: readonly ContentReference[];
  readonly responses: readonly {
    readonly status: string;
    readonly description: string;
    readonly headers: readonly string[];
    readonly contents: readonly ContentReference[];
  }[];
};

/** `POST /reference`: a request as it is sent, and as code. */
export type WrittenRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly samples: RequestSamples;
};

/** A request as code, by language. */
export type RequestSamples = {
  /** A command for a POSIX shell. */
  readonly curl: string;
  /** For browsers, Node, Deno and Bun. */
  readonly javascript: string;
  /** With the package `requests`. */
  readonly python: string;
  readonly go: string;
  /** For Java 11 and later. */
  readonly java: string;
};

/** `GET /faults`: what responses get, besides what scenarios say. */
export type FaultSetting = {
  readonly delayMs: number;
  readonly bytesPerSecond: number | null;
  /** The status of an error. */
  readonly status: number | null;
  /** The kind of a network fault. */
  readonly fault: string | null;
  /** The share of responses that get it: above 0; 1 for all. */
  readonly share: number;
  /** The only operation that gets it; null for all. */
  readonly operation: string | null;
};

export type SessionBrief = {
  readonly name: string;
  /** Null if there are too many parents to count below each. */
  readonly records: number | null;
  readonly exchanges: number;
};

/** `GET /sessions` */
export type SessionList = {
  readonly sessions: readonly SessionBrief[];
  /** The session of this browser, by its start page; null if it shares the records of all. */
  readonly browser: string | null;
};

/** `POST /try`: the request. */
export type TryStart = {
  readonly operation: string;
  readonly service: string;
  readonly key: string | null;
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly value: string;
  }[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  readonly mediaType: string | null;
};

/** The response of a service to a request. */
export type ShownAnswer = Pick<ShownMessage, 'headers' | 'body' | 'bytes'> & {
  readonly status: number;
  /** Only for the mock: the delay and the network fault that a client would see. */
  readonly delayMs?: number;
  readonly fault?: string | null;
};

/** `POST /try`: the response, or why there is none. */
export type TryReply = {
  readonly service: string;
  readonly durationMs: number;
  /** Only for the mock: the exchange in the journal. */
  readonly exchange?: number;
} & (ShownAnswer | { readonly problem: string });

/** A line of `POST /check`; `failed` if the check could not run. */
export type CheckLine =
  CheckNews | { readonly type: 'failed'; readonly message: string; readonly hint: string };

export type ResourceBrief = {
  readonly kind: 'collection' | 'singleton';
  readonly name: string;
  readonly collection: string;
  readonly path: string;
  readonly identifier: string | null;
  readonly identifierType: 'integer' | 'string' | null;
  readonly removable: boolean;
  /** Its parent resources, outermost first. */
  readonly parents: readonly ParentBrief[];
  /** Null if there are too many parents to count below each. */
  readonly count: number | null;
};

export type ParentBrief = {
  readonly parameter: string;
  readonly resource: string | null;
  readonly field: string | null;
};

/** `GET /resources` */
export type ResourceList = { readonly resources: readonly ResourceBrief[] };

/** A record with the ids of its parents. Its values are JSON. */
export type PlacedRecord = {
  readonly id: string;
  readonly parents: readonly string[];
  readonly record: Readonly<Record<string, unknown>>;
};

/** `GET /resources/{name}/records` */
export type RecordList = { readonly total: number; readonly records: readonly PlacedRecord[] };

/** `GET /resources/{name}/form`; without fields, records are edited as JSON. */
export type RecordForm = { readonly fields: readonly FormField[] | null };

/** A member of a record in a form. */
export type FormField = {
  /** '' for the items of a list. */
  readonly name: string;
  /** `json`: no other kind fits, such as of `oneOf`. */
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'object' | 'list' | 'json';
  readonly required: boolean;
  readonly nullable: boolean;
  readonly readOnly: boolean;
  readonly description: string | null;
  /** The format and the bounds in words: `1 to 80 characters`. */
  readonly rule: string | null;
  readonly choices: readonly JsonValue[];
  /** The members of an object. */
  readonly fields: readonly FormField[];
  /** The items of a list. */
  readonly item: FormField | null;
};

/** `GET /scenarios` */
export type ScenarioList = {
  readonly scenarios: readonly ScenarioBrief[];
  /** Where new ones are saved; null: in memory. */
  readonly folder: string | null;
};

export type ScenarioBrief = {
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
};

/** `GET /scenarios/{name}`; null: the scenario was given by a program, or is in no YAML file. */
export type ScenarioSource = {
  readonly name: string;
  readonly yaml: string | null;
  readonly file: string | null;
};

/** `PUT /scenarios/{name}?dry=true`: what is wrong with a scenario. */
export type ScenarioDraft = { readonly issues: readonly ScenarioIssue[] };

export type ScenarioIssue = {
  /** A JSON Pointer. */
  readonly at: string;
  /** The line of the YAML, from 1. */
  readonly line: number;
  readonly detail: string;
};

/** `PUT /scenarios/{name}`; without a file, why it is kept in memory. */
export type SavedScenario = {
  readonly name: string;
  readonly yaml: string;
  readonly file: string | null;
  readonly why: string | null;
};

/** `GET /start` */
export type StartFacts = {
  readonly title: string;
  readonly version: string;
  readonly bases: readonly string[];
  readonly secured: boolean;
  /** The key of a mock that was given none; null if it needs none, or has others. */
  readonly key: string | null;
  /** Whether this browser may use the console. */
  readonly console: boolean;
  /** A request that works; null if the contract has no operation. */
  readonly first: {
    readonly operation: string;
    readonly curl: string;
    readonly javascript: string;
  } | null;
  readonly resources: readonly StartResource[];
  /** How many resources are not counted. */
  readonly more: number;
  /** The session of this browser; null if it shares the records of all. */
  readonly session: string | null;
  readonly mode: BrowserMode;
};

/** A resource and its records; null if there are too many parents to count below each. */
export type StartResource = Pick<ResourceBrief, 'name' | 'path' | 'count'>;

/** `GET /clock`; `now` is RFC 3339. */
export type ClockSetting = {
  readonly now: string;
  readonly mode: 'given' | 'fixed' | 'offset';
  readonly offsetMs: number;
};

/** `GET /snapshots` */
export type SnapshotList = {
  readonly snapshots: readonly {
    readonly name: string;
    readonly takenAt: string;
    readonly records: number;
  }[];
};

/** `POST /verify` */
export type Verification = { readonly count: number };

/** Members of an RFC 9457 problem of the control API. */
export type Problem = {
  readonly detail?: string;
  /** The violations of the contract in a record. */
  readonly issues?: readonly {
    /** Where in the record: a JSON Pointer; and the missing or unknown member there. */
    readonly at?: string;
    readonly property?: string;
    readonly detail: string;
    readonly contract?: string;
  }[];
  /** The YAML of a scenario that was not replaced; null if it has none. */
  readonly yaml?: string | null;
  /** The nearest misses of a claim that failed. */
  readonly nearMisses?: readonly {
    readonly exchange: ShownInShort;
    readonly failed: readonly { readonly message: string }[];
  }[];
};

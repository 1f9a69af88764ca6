import { sentForm } from '../../contract/model/operation.ts';
import type { Severity } from '../../contract/model/severity.ts';
import type { Operation } from '../../contract/model.ts';
import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Exchange } from './exchange.ts';

/**
 * The basis of a finding: the contract documents it, an RFC says MUST, its meaning is inferred from
 * the contract, or an RFC says SHOULD.
 */
export type Basis = 'contract' | 'protocol' | 'inferred' | 'advice';

/** `error` fails the run; `warning` and `note` do not. */
export type { Severity };

/**
 * What a client suffers from a defect, the worst first: data is lost, or shown or open to others;
 * results are wrong without an error; the service fails; typed code breaks; what is allowed is
 * refused; what is not allowed is accepted; the form is not what it should be.
 */
export type Harm = (typeof harms)[number];
export const harms = ['data', 'results', 'crash', 'types', 'refuses', 'accepts', 'form'] as const;

/** Who has to fix it; `undecided` if either the contract or the response may be wrong. */
export type Blame = 'server' | 'contract' | 'undecided';

/**
 * What a check reports, with its basis and its place in the contract. Redacted: fit for every
 * output.
 */
export interface Finding {
  /** Stays the same from run to run as long as the cause does. */
  readonly id: string;
  readonly check: string;
  readonly basis: Basis;
  readonly severity: Severity;
  readonly blame: Blame;
  /** `GET /pets`, and its id. */
  readonly operation: OperationName;
  /**
   * Distinguishes causes that share a check and a place in the contract; absent if there is one.
   */
  readonly cause?: string;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** What was tested: `status is not one of available, pending, sold`. */
  readonly trying: string;
  readonly pointer: Pointer;
  readonly place: Place;
  /** The lines of the contract around `place`. */
  readonly frame: string;
  /** The exchange that shows it, the shortest found; absent only without an exchange. */
  readonly exchange?: Exchange;
  /** The request next to it that the server accepts; absent if the check needs none. */
  readonly control?: Exchange | undefined;
  /** Shell commands that reproduce it on a fresh server, in order; secrets as `$VOUCH_TOKEN`. */
  readonly curl: readonly string[];
  /** In how many exchanges of this run it was seen, without those of its confirmation. */
  readonly count: number;
  /** The ids of all affected operations. */
  readonly operations: readonly string[];
  /**
   * The ids of the operations that stored what it shows, although their requests were invalid;
   * absent if it shows anything else too.
   */
  readonly storedBy?: readonly string[];
  /** What resolves it, if the document causes it. */
  readonly overlayAction?: OverlayAction;
  /** How much it matters; absent in records of older versions. Findings are in its order. */
  readonly score?: Score;
  /**
   * How the finding was confirmed, beginning with its count: `Seen 12 times in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
  /** The first sentence of the evidence after the count; absent in records of older versions. */
  readonly confirmation?: string;
  /**
   * The requests that reproduce it as plain data, to be sent and judged again; absent without an
   * exchange.
   */
  readonly replay?: ReplayForm;
  /** Its own severity, if a baseline accepts it and made it a note. */
  readonly accepted?: Severity;
  /**
   * Other findings that its cause explains, complete: they are reported with it, and not counted
   * elsewhere. Absent if there are none.
   */
  readonly alsoSeenAs?: readonly Finding[];
}

/** A change of the document: an action of an OpenAPI Overlay (1.0.0, section 4.4.3). */
export interface OverlayAction {
  /** JSONPath of one place of the document. */
  readonly target: string;
  /** Merged into the object there. */
  readonly update: JsonObject;
}

/** How much a finding matters: the sum of its parts, each in points. */
export interface Score {
  readonly total: number;
  /** 200 for an error, 100 for a warning. */
  readonly severity: number;
  /** 10 to 70, by what a client suffers. */
  readonly harm: number;
  /** 4 if the document or a standard says it, 2 if it is inferred, 0 if it is advice. */
  readonly certainty: number;
  /** One for each affected operation beyond the first, up to 5. */
  readonly breadth: number;
}

/** An operation as events and findings name it. */
export interface OperationName {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The part of an operation that names it. */
export function nameOperation(operation: Operation): OperationName {
  return { id: operation.id, ...sentForm(operation) };
}

/**
 * A finding's requests as plain JSON, so that a report can be read, sent and judged again. Values
 * are JSON text, digit for digit.
 */
export interface ReplayForm {
  readonly version: 1;
  readonly check: string;
  /** Place and cause: the same check must report them for the last step again. */
  readonly at: Pointer;
  readonly cause: string;
  /**
   * The run's mark in the texts of bodies: a replay uses another one, so that a server may require
   * unique texts.
   */
  readonly mark: string;
  /** The status of the last response, if there was one. */
  readonly status?: number;
  /** Identifies the checked contract, from `hashContract`. */
  readonly contract: string;
  /** Whether these requests reproduce it alone; otherwise only a whole run can. */
  readonly alone: boolean;
  /**
   * How often it must not be reproduced before it counts as fixed: more than once if it was rare.
   */
  readonly times: number;
  readonly concurrent?: true;
  readonly steps: readonly ReplayStep[];
}

/** One request of a replay. */
export type ReplayStep = {
  /** The operation's id. */
  readonly operation: string;
  readonly title: string;
  readonly phase: string;
  readonly intent: JsonObject;
  readonly request: ReplayRequest;
  /** What a workflow demands of the response. */
  readonly criteria?: JsonObject;
  /** The nearest request that must have the opposite outcome. */
  readonly control?: ReplayRequest;
};

/**
 * What a request carries: arguments by name and place, and the body with its bytes in base64 or its
 * value as JSON text.
 */
export type ReplayRequest = {
  readonly arguments: readonly {
    readonly name: string;
    readonly in: string;
    readonly source: JsonObject;
  }[];
  readonly body?: JsonObject;
  readonly credential: string;
  /** The scheme whose credential it is, where the others of its requirement are right. */
  readonly scheme?: string;
  /** The identity whose credential it carries; absent for the run's own. */
  readonly identity?: string;
  /** Another method than the operation's. */
  readonly method?: string;
  readonly headers?: readonly (readonly string[])[];
  /** The create, by its operation's id, whose `Location` replaces the operation's path. */
  readonly locatedBy?: string;
  /** The step, by its title, whose address is asked in the place of the operation's path. */
  readonly address?: JsonObject;
  /** How the request is repeated until its answer says that something is done. */
  readonly polling?: JsonObject;
  readonly linked?: JsonObject;
};

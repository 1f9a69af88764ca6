import type { ResourceAction } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Intent } from '../model/case.ts';
import type { CheckInput, KnowledgeName } from '../model/knowledge.ts';
import type { Basis, Blame, Severity } from '../model/finding.ts';

/**
 * How a suspicion becomes a finding. `once`: the answer itself is the breach. `repeat`: it must
 * come again, else it is a warning. `control`: a neighbour of the request must fare otherwise, and
 * it must come again. `again`: it must come again, because other clients may have been at work.
 */
export type Proof = 'once' | 'repeat' | 'control' | 'again';

/** A rule about an exchange, or about a sequence of them. */
export interface Check {
  readonly id: string;
  readonly basis: Basis;
  readonly severity: Severity;
  /** The rule kept, in one sentence. */
  readonly rule: string;
  /** Why it matters to a client. */
  readonly reason: string;
  readonly proof: Proof;
  /**
   * What the requests are sent for that it looks at; any unless told. Of others it says nothing.
   */
  readonly intents?: readonly Intent['kind'][];
  /**
   * The parts in a resource that the operations have at which it looks; any or none unless told. Of
   * others it says nothing.
   */
  readonly actions?: readonly ResourceAction[];
  /**
   * What it reads of the run's knowledge; it gets exactly that. A check without needs is final as
   * soon as its step is known.
   */
  readonly needs?: readonly KnowledgeName[];
  /** Checks that say less about the same exchange, and are silent where this one speaks. */
  readonly covers?: readonly string[];
  /**
   * How the rule is broken, once for each cause; undefined where there is nothing to look at. Pure,
   * and never throws for what a server does.
   */
  inspect(subject: CheckInput): readonly Violation[] | undefined;
}

/**
 * One way in which a rule is broken. What is left out is as the check has it, and the server's
 * fault.
 */
export interface Violation {
  /** The line of the contract that is broken. */
  readonly at: Pointer;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly severity?: Severity;
  readonly basis?: Basis;
  readonly blame?: Blame;
  /** Tells causes apart that share a place in the contract. */
  readonly cause?: string;
  /** Nobody is to blame when it comes once and not again. */
  readonly fleeting?: boolean;
  /**
   * The answers can have no other reason: it is told where it does not come again too, as a check
   * does whose proof is `once`.
   */
  readonly conclusive?: true;
  /**
   * How it was made sure of already, as the sentence goes on behind `Seen once`; only where nothing
   * can be repeated later.
   */
  readonly evidence?: string;
  /**
   * It is shown by answers that came one right after the other: a look at the same place later says
   * nothing of it.
   */
  readonly momentary?: true;
  /**
   * Load may be all there is to it: it is asked again alone, after everything else, and told only
   * where it comes again. A note too.
   */
  readonly alone?: true;
  /**
   * Other causes of the same check, each of which says this too where it was found on the same
   * operation.
   */
  readonly impliedBy?: string | readonly string[];
  /**
   * What the contract could say in the place of `at`, so that it is kept: merged into what stands
   * there, as an OpenAPI Overlay does.
   */
  readonly proposal?: Proposal;
}

/** A change of the contract that would end a finding. */
export interface Proposal {
  readonly at: Pointer;
  readonly update: JsonObject;
}

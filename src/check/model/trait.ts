import type { FindingFacts } from './finding-facts.ts';

/** What the engine treats alike in several checks. */
export type Trait =
  /** One response decides: it also judges a response that is not part of a run. */
  | 'one response'
  /** The head of a response decides, without its body. */
  | 'head'
  /** It depends on records whose state is not known of recorded traffic. */
  | 'state'
  /** It decides nothing while the lists that it compares are empty. */
  | 'lists'
  /** All responses of a service may share the defect: then one finding stands for all. */
  | 'shared'
  /** A service that validates nothing accepts every input: then one finding stands for all. */
  | 'inputs'
  /** It judges the workflows of the user, which count even if nothing else was tested. */
  | 'workflows'
  /** It judges the messages of HTTP themselves: without them nothing else can be read. */
  | 'messages'
  /** It judges credentials: a refused one is its subject. */
  | 'credentials'
  /** It judges statuses of 500 and above. */
  | 'failures'
  /** A finding is about one field of a body. */
  | 'fields'
  /** A finding may say no more than that the response has another status. */
  | 'statuses'
  /** A finding says that the contract does not document a status. */
  | 'undocumented'
  /** It judges the bodies of errors. */
  | 'error bodies'
  /** What it judges is done by one part of a service for all operations: paging, conditions. */
  | 'machinery'
  /** It compares methods of a path with each other. */
  | 'methods';

/** Why other findings have the cause of a finding of this check. */
export interface Explanation {
  /** The checks whose findings it explains: their ids, or a trait that they share. */
  readonly findings: readonly string[] | Trait | 'any';
  /** Whether the finding is one that can explain others. Default: it is. */
  readonly leads?: (leader: FindingFacts) => boolean;
  readonly explains: (leader: FindingFacts, other: FindingFacts) => boolean;
  /** It is asked after all other explanations. */
  readonly last?: true;
}

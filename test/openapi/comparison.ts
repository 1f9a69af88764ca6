import type { Statements } from './document-facts.ts';
import type { Fact } from './fact.ts';
import type { Section } from './markdown.ts';
import { factsOfEndpoints } from './source-endpoints.ts';
import { factsOfInterface } from './source-interface.ts';
import { factsOfResources } from './source-resources.ts';

/** Everything that the source says, each with its line. */
export function factsOf(sections: readonly Section[]): Fact[] {
  return [
    ...factsOfInterface(sections),
    ...factsOfResources(sections),
    ...factsOfEndpoints(sections),
  ];
}

/** What the document says beyond its source, and why it has to. */
export interface Addition {
  readonly says: string;
  readonly reason: string;
}

/**
 * What a document of this form cannot be without, or what the project decided; everything else must
 * be in the source.
 */
export const additions: readonly Addition[] = [
  {
    says: 'GET /store/orders operation name getStoreOrders',
    reason: 'An operation needs a name by which links and scenarios find it.',
  },
  { says: 'POST /messages operation name sendMessage', reason: 'The same.' },
  {
    says: 'GET /store/orders tag Store',
    reason: 'The source counts it among the store operations, and names the tag Store.',
  },
  {
    says: 'sub-tag animals under Pets',
    reason: 'A sub-tag stands under some tag; the source does not say under which.',
  },
  {
    says: 'POST /pets 201 link to GET /pets/{petId} with petId=$response.body#/id',
    reason: 'The body "carries the assigned id", and GET /pets/{petId} fetches by it.',
  },
];

/**
 * Every difference between the source and the document, in either direction, as a sentence; none
 * when they agree.
 */
export function compare(facts: readonly Fact[], { rules, prose }: Statements): string[] {
  const inDocument = new Set(rules);
  const inSource = new Set([
    ...facts.filter(({ kind }) => kind === 'rule').map(({ says }) => says),
    ...additions.map(({ says }) => says),
  ]);
  const missing = facts.filter(({ kind, says }) =>
    kind === 'rule' ? !inDocument.has(says) : !prose.includes(says),
  );
  return [
    ...missing
      .sort((a, b) => a.line - b.line)
      .map(({ says, line }) => `line ${line} of the source is not in the document: ${says}`),
    ...additions
      .filter(({ says }) => !inDocument.has(says))
      .map(({ says }) => `an addition to the source is not in the document: ${says}`),
    ...rules
      .filter((rule) => !inSource.has(rule))
      .map((rule) => `the document says what its source does not: ${rule}`),
  ];
}

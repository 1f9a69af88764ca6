import { phrases } from '../../src/contract/words/phrases/index.ts';

/** Every fact that vouch reads in descriptions, with sentences that state it and that do not. */
export function factsReference(): string {
  return [
    '# Facts',
    '',
    'Generated from `src/contract/words/phrases/` by `npm run docs`. What vouch reads in the',
    'descriptions of a document, and what `x-vouch-facts`, or `facts` in `vouch.config.yaml`,',
    'state or deny: see [the guide](../guides/facts.md).',
    '',
    ...Object.entries(phrases).flatMap(([fact, { means, in: places, states, not }]) => [
      `## ${fact}`,
      '',
      `${means.charAt(0).toUpperCase()}${means.slice(1)}.`,
      '',
      `- **Read in**: ${places.join(', ')}.`,
      ...states.map((sentence) => `- **States it**: ${sentence}`),
      ...not.map((sentence) => `- **Does not**: ${sentence}`),
      '',
    ]),
  ].join('\n');
}

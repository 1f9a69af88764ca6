import {
  creationStyles,
  namingStyles,
} from '../../src/contract/infer/conventions/creation-styles.ts';
import {
  envelopeStyles,
  listStyles,
} from '../../src/contract/infer/conventions/envelope-styles.ts';
import {
  identifierStyles,
  identityStyles,
} from '../../src/contract/infer/conventions/identifier-styles.ts';
import { pathPairStyles, pathStyles } from '../../src/contract/infer/conventions/path-styles.ts';
import { verbStyles } from '../../src/contract/infer/conventions/verb-styles.ts';

/** Every convention of documents that the resource model reads. */
export const conventions = [
  ...pathStyles,
  ...pathPairStyles,
  ...verbStyles,
  ...identifierStyles,
  ...identityStyles,
  ...envelopeStyles,
  ...listStyles,
  ...creationStyles,
  ...namingStyles,
];

/** Every way of writing paths, verbs, identifiers, envelopes and creates that vouch reads. */
export function conventionsReference(): string {
  return [
    '# Conventions of the resource model',
    '',
    'Generated from `src/contract/infer/conventions/` by `npm run docs`: the ways in which',
    'documents write paths, verbs, identifiers, envelopes and creates, as vouch reads them.',
    '`vouch mock --explain --verbose` names those that apply to a resource: see',
    '[the guide](../guides/resource-model.md).',
    '',
    '| convention | what it is read as | seen as |',
    '|---|---|---|',
    ...conventions.map(
      ({ id, reason, examples }) =>
        `| \`${id}\` | ${reason} | ${examples.map((one) => `\`${one}\``).join(', ')} |`,
    ),
    '',
  ].join('\n');
}

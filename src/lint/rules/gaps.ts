import { gapKinds, type GapKind } from '../../contract/model.ts';
import type { LintRule } from './rule.ts';

/** What to write, so that the contract is silent no longer. */
const hints: Readonly<Record<GapKind, string>> = {
  'refusal-undocumented':
    'Document the answer to a wrong value: `400`, `4XX` or `default`, with the schema of its body.',
  'success-open': 'Document the status of success, such as `200` or `201`.',
  'payload-open':
    'Give the answer a `content` with a media type and a schema, or document ' +
    '`204` if it has no body.',
  'default-unknown': 'Write `default:` at the property, or list it under `required`.',
  'unauthorised-undocumented': 'Document `401` for the operation.',
  'paging-unknown':
    'Document how the next page is had: a query parameter such as `offset`, `page` or `cursor`.',
  'text-unbounded': 'Write `maxLength:`, or a `pattern`, `format` or `enum`.',
};

const reasons: Readonly<Record<GapKind, string>> = {
  'refusal-undocumented': 'A check cannot tell a right refusal from a wrong one.',
  'success-open': 'A client cannot know what success looks like, nor can a check.',
  'payload-open':
    'A client cannot read what it does not know, and a check has nothing to hold it against.',
  'default-unknown': 'A client cannot know what it gets when it leaves the field out.',
  'unauthorised-undocumented': 'A client cannot handle what the contract does not name.',
  'paging-unknown': 'A client cannot reach the records beyond the first page.',
  'text-unbounded': 'Nobody knows how long a text may be, so that no test may send a long one.',
};

/** One rule for each kind of gap: a note at each place where the contract is silent. */
export const gapRules: readonly LintRule[] = gapKinds.map((kind) => ({
  id: `vouch/gap-${kind}`,
  severity: 'note',
  reason: reasons[kind],
  inspect: ({ contract }) =>
    contract.gaps
      .filter((gap) => gap.kind === kind)
      .map(({ pointer, message }) => ({ pointer, message, hint: hints[kind] })),
}));

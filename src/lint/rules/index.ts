import { gapKinds, type GapKind } from '../../contract/model.ts';
import {
  bodilessAnswer,
  bodilessRequest,
  linkLeadsSomewhere,
  pathParameterRequired,
  pathTemplateUnique,
  replacementExists,
} from './operations.ts';
import {
  boundsOrdered,
  branchesCompatible,
  dateReadable,
  defaultValid,
  directionSingle,
  enumPossible,
  multiplePositive,
  patternBounded,
  patternValid,
} from './schemas.ts';
import { exampleRules } from './example-valid.ts';
import type { LintRule } from './rule.ts';

/** The problems that Redocly's rules miss. */
export const faultRules = [
  pathParameterRequired,
  pathTemplateUnique,
  defaultValid,
  enumPossible,
  boundsOrdered,
  multiplePositive,
  directionSingle,
  branchesCompatible,
  patternValid,
  patternBounded,
  ...exampleRules,
  linkLeadsSomewhere,
  replacementExists,
  dateReadable,
  bodilessAnswer,
  bodilessRequest,
] as const satisfies readonly LintRule[];

/** What to write, to close the gap. */
const hints: Readonly<Record<GapKind, string>> = {
  'refusal-undocumented':
    'Document the response to an invalid value: `400`, `4XX` or `default`, with the schema ' +
    'of its body.',
  'success-open': 'Document the status of success, such as `200` or `201`.',
  'payload-open':
    'Give the response a `content` with a media type and a schema, or document `204` if it ' +
    'has no body.',
  'default-unknown': 'Write `default:` at the property, or list it under `required`.',
  'unauthorised-undocumented': 'Document `401` for the operation.',
  'paging-unknown':
    'Document how clients request the next page: a query parameter such as `offset`, `page` ' +
    'or `cursor`.',
  'text-unbounded': 'Write `maxLength:`, or a `pattern`, `format` or `enum`.',
  'rule-unstated':
    'Add the rule to `x-vouch-rules` of the schema, or to `rules` in vouch.config.yaml.',
};

const reasons: Readonly<Record<GapKind, string>> = {
  'refusal-undocumented': 'A check cannot distinguish a right refusal from a wrong one.',
  'success-open': 'Neither a client nor a check can recognise a success.',
  'payload-open': 'A client cannot parse an unknown body, and a check cannot validate it.',
  'default-unknown': 'A client cannot know the value of a field that it omits.',
  'unauthorised-undocumented': 'A client cannot handle an undocumented status.',
  'paging-unknown': 'A client cannot reach the records beyond the first page.',
  'text-unbounded': 'The maximum length is unknown, so no test can send a long text.',
  'rule-unstated': 'No tool can check a rule that only a description states.',
};

/** One rule for each kind of gap: a note at each gap in the contract. */
const gapRules: readonly LintRule[] = gapKinds.map((kind) => ({
  id: `vouch/gap-${kind}`,
  severity: 'note',
  reason: reasons[kind],
  inspect: ({ contract }) =>
    contract.gaps
      .filter((gap) => gap.kind === kind)
      .map(({ pointer, message }) => ({ pointer, message, hint: hints[kind] })),
}));

/** Every rule of vouch: problems first, then the kinds of gaps. */
export const rules: readonly LintRule[] = [...faultRules, ...gapRules];

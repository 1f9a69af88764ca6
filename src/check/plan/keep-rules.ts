import type { Contract, Operation, RuleJudgement } from '../../contract/model.ts';
import { type Case, invalidBodyIntent, mediaOf, type Sequence, type Stage } from '../model/case.ts';
import type { BodyTemplate } from '../model/request-template.ts';
import { type DraftBody, draftBodies } from './draft-body.ts';

const maxTries = 30;

/**
 * The bodies of an operation that conform to the owner's rules: members that a rule defines are
 * computed, and made-up values that violate another rule are made up again.
 */
export function bodiesKeepingRules(
  { rules }: Contract,
  operation: Operation,
  { bodies, seed }: { readonly bodies: readonly DraftBody[]; readonly seed: string },
): readonly DraftBody[] {
  if (rules.all.length === 0) return bodies;
  const settle = (body: DraftBody): { readonly body: DraftBody; readonly keeps: boolean } => {
    if (body.schema === undefined) return { body, keeps: true };
    const { value, broken } = rules.settle(body.schema, body.value, { present: true });
    return { body: { ...body, value }, keeps: broken.length === 0 };
  };
  return bodies.map((body) => {
    const settled = settle(body);
    if (settled.keeps || body.shown) return settled.body;
    for (let tries = 1; tries < maxTries; tries += 1) {
      const made = draftBodies(operation, `${seed} ${String(tries)}`);
      const other = made.ok && made.bodies.find(({ mediaType }) => mediaType === body.mediaType);
      const next = other ? settle(other) : undefined;
      if (next?.keeps === true) return next.body;
    }
    return settled.body;
  });
}

/**
 * The stages with valid bodies that also conform to the rules. A variation of one member may
 * violate a rule that cannot be repaired: a single one becomes a request that the server should
 * refuse; in a sequence its refusal proves nothing.
 */
export function stagesKeepingRules(stages: readonly Stage[], contract: Contract): Stage[] {
  if (contract.rules.all.length === 0) return [...stages];
  return stages.map((stage) => ({
    ...stage,
    sequences: stage.sequences.map((sequence): Sequence => ({
      ...sequence,
      cases: sequence.cases.map((each) => {
        const { kept, broken } = keepRules(each, contract);
        if (broken === undefined) return kept;
        return sequence.cases.length === 1 ? asInvalid(kept, broken) : asExotic(kept);
      }),
    })),
  }));
}

function keepRules(
  one: Case,
  { rules }: Contract,
): { readonly kept: Case; readonly broken: RuleJudgement | undefined } {
  const { intent, request } = one;
  const schema = mediaOf(one)?.schema;
  const body = request.body;
  if (intent.kind !== 'valid' || schema === undefined || !hasValue(body))
    return { kept: one, broken: undefined };
  const { value, broken } = rules.settle(schema, body.value, { present: true });
  if (value === body.value) return { kept: one, broken: broken[0] };
  return { kept: { ...one, request: { ...request, body: { ...body, value } } }, broken: broken[0] };
}

function asInvalid(one: Case, { rule }: RuleJudgement): Case {
  const words = `the body breaks the rule: ${rule.says?.replace(/[.]$/, '') ?? rule.rule}`;
  return {
    ...one,
    title: words,
    intent: invalidBodyIntent(words, rule.at, { accepted: 'warning' }),
  };
}

function asExotic(one: Case): Case {
  const { intent } = one;
  return intent.kind === 'valid' ? { ...one, intent: { ...intent, rigour: 'exotic' } } : one;
}

function hasValue(
  body: BodyTemplate | undefined,
): body is Exclude<BodyTemplate, { readonly kind: 'bytes' }> {
  return body !== undefined && body.kind !== 'bytes';
}

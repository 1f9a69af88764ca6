import type { Operation } from '../../../contract/model.ts';
import { baseUrlOf } from '../../model/base-url.ts';
import type { EffectRules } from '../../model/effect-rules.ts';
import type { SkippedOperation, Stage } from '../../model/plan.ts';
import type { ParameterExamples } from '../../plan/draft.ts';
import type { OperationChoice } from '../../plan/draft-all.ts';
import type { GivenValues } from '../../plan/given-values.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import type { TokenOf } from '../../secrets/credential.ts';
import type { Identity } from '../../secrets/identities.ts';
import type { Credentials, Settings } from '../settings.ts';

/** The input of a plan. Equal input gives equal plans. */
export interface PlanRequest extends Omit<OperationChoice, 'rules'> {
  readonly seed: string;
  readonly runId: string;
  /** The token for a security scheme. Default: none has one. */
  readonly tokenOf?: TokenOf | undefined;
  /** The names of headers that the user adds to every request, in lower case. */
  readonly givenHeaders?: ReadonlySet<string>;
  /** Parameter values that only the user knows, by operation id and parameter name. */
  readonly examples?: ParameterExamples | undefined;
  /** Values that only the user knows, by operation or by schema. */
  readonly values?: GivenValues | undefined;
  /** The effects of operations, and the operations that the user allows. */
  readonly rules?: EffectRules | undefined;
  /** The identities besides that of the run. Default: none. */
  readonly identities?: readonly Identity[];
}

/** The first requests of a run, and the input for planning the others. */
export interface FirstPart {
  readonly first: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  readonly operations: ReadonlySet<Operation>;
  readonly context: PlanContext;
}

/** The input of a plan, from the settings of a run. */
export function planRequest(settings: Settings): PlanRequest {
  const { contract, mode, seed, runId, credentials, clock, skips, rules } = settings;
  const { examples, values, include, exclude, changed } = settings;
  return {
    contract,
    mode,
    seed,
    runId,
    today: clock().toISOString().slice(0, 10),
    tokenOf: (scheme) => tokenFor(credentials, scheme.name),
    givenHeaders: new Set(credentials.headers.map(({ name }) => name.toLowerCase())),
    skips,
    rules,
    identities: settings.identities.filter(({ lacks }) => lacks === undefined),
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : { code: 'other-server', reason: base.reason, opens: base.opens };
    },
    examples,
    values,
    include,
    exclude,
    changed,
  };
}

function tokenFor(
  { token, tokenFor: schemes, tokens }: Credentials,
  scheme: string,
): string | undefined {
  return tokens[scheme] ?? (schemes.includes(scheme) ? token : undefined);
}

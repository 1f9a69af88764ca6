import type { JsonValue } from '../../json/value.ts';
import type { Case, Source } from '../case.ts';
import { credentialHeaderNames } from '../credential.ts';
import type { Mode, Phase } from '../event.ts';
import { makeRedactor } from '../redact.ts';
import { makeSecrets, shellSecrets } from '../secrets.ts';
import { baseUrlOf, type Settings } from '../settings.ts';
import { writeRequest } from '../write-request.ts';
import { planOf } from './plan-of.ts';

/** A request of the plan as it would be sent; what only the run can know is written `{name}`. Redacted. */
export interface PlannedRequest {
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  readonly operation: { readonly id: string; readonly method: string; readonly path: string };
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as text; bytes that are not UTF-8 become U+FFFD. */
  readonly body?: string;
}

/** A whole plan. `requests` leaves out what depends on the answers: confirmations and clean-up. */
export interface CheckPlan {
  readonly target: string;
  readonly mode: Mode;
  readonly seed: string;
  readonly run: string;
  readonly requests: readonly PlannedRequest[];
  readonly skipped: readonly { readonly operation: { readonly id: string; readonly method: string; readonly path: string }; readonly reason: string }[];
}

/** Writes the plan of a run down. Deterministic. */
export function describePlan(settings: Settings): CheckPlan {
  const plan = planOf(settings);
  const cases = plan.stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  const describe = describer(settings);
  return {
    target: settings.url,
    mode: settings.mode,
    seed: settings.seed,
    run: settings.runId,
    requests: cases.map(describe),
    skipped: plan.skipped.map(({ operation: { id, method, path }, reason }) => ({ operation: { id, method, path }, reason: `${reason}.` })),
  };
}

function describer(settings: Settings): (tried: Case) => PlannedRequest {
  const secrets = makeSecrets(settings.token, settings.seed);
  const redactor = makeRedactor({ secrets: shellSecrets(secrets), invented: [secrets.wrong.value], headerNames: credentialHeaderNames(settings.contract.securitySchemes.values()) });
  return (tried) => {
    const { operation, id, title, phase } = tried;
    const base = baseUrlOf(settings, operation);
    const baseUrl = base.ok ? base.url : settings.url;
    const written = writeRequest(operation, tried.request, { baseUrl, secrets, userAgent: `vouch/${settings.version}`, resolve: (source) => placeholder(source, operation.path) });
    if (!written.ok) return { id, title, phase, operation: { id: operation.id, method: operation.method, path: operation.path }, method: operation.method, url: `${baseUrl}${operation.path}`, headers: [] };
    const { request } = redactor.exchange({ baseUrl, request: written.request, durationMs: 0 });
    return {
      id,
      title,
      phase,
      operation: { id: operation.id, method: operation.method, path: operation.path },
      method: request.method,
      url: `${new URL(baseUrl).origin}${request.target.replaceAll('%7B', '{').replaceAll('%7D', '}')}`,
      headers: request.headers,
      ...(request.body.length === 0 ? {} : { body: new TextDecoder().decode(request.body) }),
    };
  };
}

/** What is known only when the run is under way. */
function placeholder(source: Source, path: string): JsonValue {
  switch (source.kind) {
    case 'value':
      return source.value;
    case 'text':
    case 'raw':
      return source.text;
    case 'field':
      return `{${source.field}}`;
    default:
      return /\{[^{}]+\}$/.exec(path)?.[0] ?? '{id}';
  }
}

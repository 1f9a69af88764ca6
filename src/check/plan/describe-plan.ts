import type { Effect } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { baseUrlOf } from '../base-url.ts';
import { decodeContent } from '../evidence/answer/decode-content.ts';
import type { Case } from '../model/case.ts';
import type { CredentialNote } from '../model/event.ts';
import { nameOperation, type OperationName } from '../model/finding.ts';
import type { Mode, Phase } from '../model/phase.ts';
import type { Plan } from '../model/plan.ts';
import type { Source } from '../model/request-template.ts';
import { writeRequest } from '../request/write-request.ts';
import { credentialNotes } from '../secrets/credential-note.ts';
import { type Redactor, redactorFor, redactPlain } from '../secrets/redact.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import type { Settings } from '../settings.ts';
import { planInTurns, planOf } from './plan-of.ts';

/**
 * A request of the plan as it would be sent; what only the run can know is written `{name}`.
 * Redacted.
 */
export interface PlannedRequest {
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  readonly operation: OperationName;
  /** What the operation does to the service. */
  readonly effect: Effect;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as text, without its content coding; bytes that are not UTF-8 become U+FFFD. */
  readonly body?: string;
}

/** A whole plan. `requests` leaves out what depends on the answers: confirmations and clean-up. */
export interface CheckPlan {
  readonly target: string;
  readonly mode: Mode;
  readonly seed: string;
  readonly run: string;
  /**
   * What of the credentials is not sent, and which are missing; absent where there is nothing to
   * say.
   */
  readonly credentials?: readonly CredentialNote[];
  readonly requests: readonly PlannedRequest[];
  readonly skipped: readonly { readonly operation: OperationName; readonly reason: string }[];
}

/**
 * The same, its requests written one by one as they are asked for: a large contract has tens of
 * thousands. They can be asked for once.
 */
export interface StreamedPlan extends Omit<CheckPlan, 'requests'> {
  readonly count: number;
  readonly requests: Iterable<PlannedRequest>;
}

/** Writes the plan of a run down. Deterministic. */
export function describePlan(settings: Settings): CheckPlan {
  const { count: _count, requests, ...plan } = streamPlan(settings);
  return { ...plan, requests: [...requests] };
}

/** Plans a run, and writes its requests down as they are read. Deterministic. */
export function streamPlan(settings: Settings): StreamedPlan {
  return streamOf(settings, planOf(settings));
}

/** The same without blocking the event loop for long. Undefined where its signal is aborted. */
export async function streamPlanInTurns(settings: Settings): Promise<StreamedPlan | undefined> {
  const plan = await planInTurns(settings, settings.signal ?? new AbortController().signal);
  return plan && streamOf(settings, plan);
}

function streamOf(settings: Settings, plan: Plan): StreamedPlan {
  const notes = notesOnPlan(settings, plan);
  const redactor = redactorFor(settings.contract, makeSecrets(settings.credentials, settings.seed));
  const cases = plan.stages.flatMap(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.cases),
  );
  return {
    count: cases.length,
    target: redactor.text(settings.url),
    mode: settings.mode,
    seed: settings.seed,
    run: settings.runId,
    ...(notes.length === 0 ? {} : { credentials: notes }),
    requests: describeCases(cases, describer(settings, redactor)),
    skipped: plan.skipped.map(({ operation, reason }) =>
      redactPlain({ operation: nameOperation(operation), reason: `${reason}.` }, redactor.name),
    ),
  };
}

/** What is to be said of the credentials of a plan. */
function notesOnPlan(
  { contract, credentials, seed }: Settings,
  { skipped }: Plan,
): CredentialNote[] {
  const out = new Set(skipped.map(({ operation }) => operation));
  const operations = contract.operations.filter((operation) => !out.has(operation));
  return credentialNotes({
    contract,
    credentials,
    secrets: makeSecrets(credentials, seed),
    operations,
  });
}

function* describeCases(
  cases: readonly Case[],
  describe: (tried: Case) => PlannedRequest,
): Generator<PlannedRequest, void> {
  for (const tried of cases) yield describe(tried);
}

function describer(settings: Settings, redactor: Redactor): (tried: Case) => PlannedRequest {
  const { credentials, seed, version } = settings;
  const secrets = makeSecrets(credentials, seed);
  return ({ operation, id, title, phase, request: template, intent }) => {
    const base = baseUrlOf(settings, operation);
    const baseUrl = base.ok ? base.url : settings.url;
    const about = { id, title, phase, operation: nameOperation(operation) };
    const named = {
      ...redactPlain(about, redactor.name),
      effect: settings.rules.effects.get(operation)?.effect ?? 'acts',
      method: template.method ?? operation.method,
    };
    const written = writeRequest(operation, template, {
      baseUrl,
      secrets,
      userAgent: `vouch/${version}`,
      runId: settings.runId,
      intent,
      described: true,
      resolve: (source, parameter) => placeholder(source, parameter?.name ?? 'id'),
    });
    if (!written.ok) {
      return { ...named, url: redactor.name(`${baseUrl}${operation.path}`), headers: [] };
    }
    const { target, headers, body } = redactor.exchange({
      baseUrl,
      request: written.request,
      durationMs: 0,
    }).request;
    const plain = decodeContent({ headers, body });
    const url = `${new URL(baseUrl).origin}${target.replaceAll('%7B', '{').replaceAll('%7D', '}')}`;
    return {
      ...named,
      url,
      headers,
      ...(body.length === 0
        ? {}
        : { body: new TextDecoder().decode(plain.ok ? plain.bytes : body) }),
    };
  };
}

/** What is known only when the run is under way. */
function placeholder(source: Source, name: string): JsonValue {
  switch (source.kind) {
    case 'value':
      return source.value;
    case 'text':
    case 'raw':
      return source.text;
    case 'field':
    case 'held':
      return `{${source.field}}`;
    case 'next':
      return `{next ${source.parameter}}`;
    default:
      return `{${name}}`;
  }
}

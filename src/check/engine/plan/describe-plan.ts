import { sentForm } from '../../../contract/model/operation.ts';
import type { Effect } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';
import { baseUrlOf } from '../../model/base-url.ts';
import { decodeContent } from '../../reading/decode-content.ts';
import type { Case, Plan } from '../../model/case.ts';
import type { CredentialNote, RunInfo } from '../../model/event.ts';
import { nameOperation, type OperationName } from '../../model/finding.ts';
import type { Phase } from '../../model/phase.ts';
import type { Source } from '../../model/request-template.ts';
import { SharedFieldsCache } from '../../request/shared-fields.ts';
import { writeRequest } from '../../request/write-request.ts';
import { credentialNotes } from '../../secrets/credential-note.ts';
import { type Redactor, redactorFor, redactPlain } from '../../secrets/redact.ts';
import { makeSecrets, type Secrets } from '../../secrets/secrets.ts';
import type { Settings } from '../settings.ts';
import { roundsOf } from './plan-rounds.ts';
import { planInTurns, planOf } from './plan-run.ts';

/** A planned request as it would be sent, redacted; what is known only in the run is `{name}`. */
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

/** A whole plan, without what depends on the responses: confirmations and cleanup. */
export interface CheckPlan extends Pick<RunInfo, 'target' | 'mode' | 'seed' | 'credentials'> {
  readonly run: string;
  readonly requests: readonly PlannedRequest[];
  readonly skipped: readonly { readonly operation: OperationName; readonly reason: string }[];
}

/**
 * The same, with each request written when it is read: a large contract has tens of thousands. They
 * can be read once.
 */
export interface StreamedPlan extends Omit<CheckPlan, 'requests'> {
  readonly count: number;
  /** How many answers the run waits for one after the other, if it waits long for each. */
  readonly rounds: number;
  readonly requests: Iterable<PlannedRequest>;
}

/** The plan of a run. Deterministic. */
export function describePlan(settings: Settings): CheckPlan {
  const {
    count: _count,
    rounds: _rounds,
    requests,
    ...plan
  } = streamOf(settings, planOf(settings));
  return { ...plan, requests: [...requests] };
}

/**
 * The plan of a run, its requests written as they are read, made without blocking the event loop
 * for long. Undefined if its signal is aborted.
 */
export async function streamPlanInTurns(settings: Settings): Promise<StreamedPlan | undefined> {
  const plan = await planInTurns(settings, settings.signal ?? new AbortController().signal);
  return plan && streamOf(settings, plan);
}

function streamOf(settings: Settings, plan: Plan): StreamedPlan {
  const { contract, credentials, seed } = settings;
  const secrets = makeSecrets(credentials, seed);
  const redactor = redactorFor(contract, secrets);
  const notes = notesOnPlan(settings, plan, secrets);
  const cases = plan.stages.flatMap(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.cases),
  );
  return {
    count: cases.length,
    rounds: roundsOf(plan.stages, settings.maxConcurrency),
    target: redactor.text(settings.url),
    mode: settings.mode,
    seed,
    run: settings.runId,
    ...(notes.length === 0 ? {} : { credentials: notes }),
    requests: describeCases(cases, {
      settings,
      secrets,
      redactor,
      shared: new SharedFieldsCache(),
    }),
    skipped: plan.skipped.map(({ operation, reason }) =>
      redactPlain({ operation: nameOperation(operation), reason: `${reason}.` }, redactor.name),
    ),
  };
}

/** Notes on the credentials of the operations that are planned. */
function notesOnPlan(
  { contract, credentials }: Settings,
  { skipped }: Plan,
  secrets: Secrets,
): CredentialNote[] {
  const out = new Set(skipped.map(({ operation }) => operation));
  const operations = contract.operations.filter((operation) => !out.has(operation));
  return credentialNotes({ contract, credentials, secrets, operations });
}

/** What requests are written with. */
interface Writing {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  readonly shared: SharedFieldsCache;
}

function* describeCases(cases: readonly Case[], writing: Writing): Generator<PlannedRequest, void> {
  for (const testCase of cases) yield describeCase(testCase, writing);
}

function describeCase(testCase: Case, writing: Writing): PlannedRequest {
  const { settings, secrets, redactor, shared } = writing;
  const { operation, id, title, phase, request: template, intent } = testCase;
  const base = baseUrlOf(settings, operation);
  const baseUrl = base.ok ? base.url : settings.url;
  const about = { id, title, phase, operation: nameOperation(operation) };
  const named = {
    ...redactPlain(about, redactor.name),
    effect: settings.rules.effects.get(operation)?.effect ?? 'acts',
    method: template.method ?? sentForm(operation).method,
  };
  const written = writeRequest(operation, template, {
    baseUrl,
    secrets,
    userAgent: `vouch/${settings.version}`,
    shared,
    runId: settings.runId,
    intent,
    described: true,
    resolve: (source, parameter) => placeholder(source, parameter?.name ?? 'id'),
  });
  if (!written.ok)
    return { ...named, url: redactor.name(`${baseUrl}${sentForm(operation).path}`), headers: [] };
  const { target, headers, body } = redactor.exchange({
    baseUrl,
    request: written.request,
    durationMs: 0,
  }).request;
  const plain = decodeContent({ headers, body });
  const path = target.replaceAll('%7B', '{').replaceAll('%7D', '}');
  const text = new TextDecoder().decode(plain.ok ? plain.bytes : body);
  return {
    ...named,
    url: `${new URL(baseUrl).origin}${path}`,
    headers,
    ...(body.length === 0 ? {} : { body: text }),
  };
}

/** What is known only during the run. */
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

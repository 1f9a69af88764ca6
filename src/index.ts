export { VouchError, type ErrorCode, type Place } from './errors.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { parseJson } from './json/parse-json.ts';
export { stringifyJson } from './json/stringify-json.ts';
export { loadContract, type LoadOptions } from './contract/load.ts';
export type {
  Contract,
  Gap,
  Operation,
  Parameter,
  Resource,
  Schema,
  SchemaIssue,
} from './contract/model.ts';
export { lintContract } from './lint/lint-contract.ts';
export type { LintProblem, LintReport } from './lint/lint-report.ts';
export type { MockHandle } from './library/mock-handle.ts';
export type { Claim, ExchangePattern } from './server/journal/claim.ts';
export type { ShownExchange } from './server/journal/show-entry.ts';
export type { Snapshot } from './mock/control/snapshot.ts';
export type { MockKey } from './mock/security/mock-keys.ts';
export type { TokenClient, TokenSettings, TokenUser } from './mock/tokens/token-options.ts';
export {
  createMockApp,
  startMock,
  type CallbackReport,
  type MockApp,
  type MockAppOptions,
  type ReloadEvent,
  type RunningMock,
  type StartMockOptions,
} from './library/start-mock.ts';
export type { DocumentChoice } from './library/choose-documents.ts';
export {
  checkTarget,
  planCheck,
  runCheck,
  type CheckOptions,
  type CheckPlan,
  type CheckReport,
  type PlannedRequest,
} from './check/check-target.ts';
export type { CredentialNote } from './check/secrets/credential-note.ts';
export type { TokenSource } from './check/secrets/run-credentials.ts';
export type { GivenHeaders, SecretHeaderValue } from './check/secrets/run-header.ts';
export type { Mode, RunEvent, RunSummary, Verdict } from './check/event.ts';
export type { Basis, Exchange, Finding, Severity } from './check/finding.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { reporters, type ReporterId } from './report/reporters.ts';

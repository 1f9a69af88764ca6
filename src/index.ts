export { VouchError, type ErrorCode, type Place } from './errors.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { parseJson } from './json/parse-json.ts';
export { stringifyJson } from './json/value.ts';
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
export type { MockHandle, SessionHandle } from './library/mock-handle.ts';
export type {
  HandledAnswer,
  HandledRequest,
  Handler,
  HandlerAnswer,
  HandlerCall,
  Handlers,
  SessionRecords,
} from './mock/handlers/handler.ts';
export type { CallOf, HandlerOf, RecordsOf } from './mock/handlers/typed-handler.ts';
export type { Claim, ExchangePattern } from './server/journal/claim.ts';
export type { ShownExchange } from './server/journal/show-entry.ts';
export type { Snapshot } from './mock/control/snapshot.ts';
export type { MockKey } from './mock/security/credentials.ts';
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
export {
  type ProxyExchange,
  type ProxyReport,
  type RunningProxy,
  startProxy,
  type StartProxyOptions,
} from './library/start-proxy.ts';
export type { DocumentChoice } from './library/choose-documents.ts';
export {
  checkTarget,
  planCheck,
  runCheck,
  type CheckOptions,
  type CheckPlan,
  type CheckReport,
  type PlannedRequest,
} from './check/engine/check-target.ts';
export type { CredentialNote, RunEvent } from './check/model/event.ts';
export type { TokenSource } from './check/secrets/run-credentials.ts';
export type { GivenHeaders, SecretHeaderValue } from './check/secrets/run-credentials.ts';
export type { Exchange } from './check/model/exchange.ts';
export type { Basis, Finding, Severity } from './check/model/finding.ts';
export type { Mode } from './check/model/phase.ts';
export type { RunSummary, Verdict } from './check/model/run-summary.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { reporters, type ReporterId } from './report/reporters.ts';

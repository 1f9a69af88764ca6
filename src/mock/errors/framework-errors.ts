import type { Contract } from '../../contract/model.ts';
import { type Framework, frameworkOf } from '../../contract/words/frameworks.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { valueAt } from '../../json/pointer.ts';
import type { Fault, FaultCause, FaultIssue } from '../model/reply.ts';
import { type ErrorFacts, segmentsOf } from './error-roles.ts';

/** What a framework's error tells. */
type Told = Pick<ErrorFacts, 'status' | 'title' | 'message' | 'instance' | 'now'> & {
  readonly cause: FaultCause;
  readonly issues: readonly FaultIssue[];
  /** The value of the violated keyword, as the contract states it. */
  readonly statedBy: (issue: FaultIssue) => JsonValue | undefined;
};

/** The errors that a framework writes by itself. */
interface FrameworkErrors {
  readonly error: (told: Told) => JsonObject;
  /** For a request that is invalid; without it like any other error. */
  readonly invalid?: (told: Told) => JsonObject;
}

const frameworks: Readonly<Record<Framework, FrameworkErrors>> = {
  // HTTPException, and RequestValidationError of pydantic.
  fastapi: {
    error: ({ message }) => ({ detail: message }),
    invalid: (told) => ({ detail: told.issues.map((issue) => pydanticIssue(issue, told)) }),
  },
  // The default error handler; only errors of Fastify itself have a code.
  fastify: {
    error: ({ cause, status, title, message }) => {
      const code = fastifyCodes[cause];
      return { statusCode: status, ...(code && { code }), error: title, message };
    },
  },
  // BasicErrorController, as `server.error` is by default.
  spring: {
    error: ({ now, status, title, instance }) => ({
      timestamp: now.toISOString(),
      status,
      error: title,
      path: instance,
    }),
  },
  // HttpException, and the messages of ValidationPipe.
  nest: {
    error: ({ status, title, message }) => ({ message, error: title, statusCode: status }),
    invalid: ({ status, title, issues }) => ({
      message: issues.map(({ message }) => message),
      error: title,
      statusCode: status,
    }),
  },
  // APIException and ValidationError of Django REST framework.
  django: {
    error: ({ message }) => ({ detail: message }),
    invalid: ({ issues }) =>
      Object.fromEntries(
        [...Map.groupBy(issues, ({ name }) => name || 'non_field_errors')].map(([name, own]) => [
          name,
          own.map(({ message }) => message),
        ]),
      ),
  },
  // HTTPException and ValidationException.
  litestar: {
    error: ({ status, message }) => ({ status_code: status, detail: message }),
    invalid: ({ status, message, issues }) => ({
      status_code: status,
      detail: message,
      extra: issues.map(({ name, location, message: own }) => ({
        message: own,
        key: name || 'data',
        source: location,
      })),
    }),
  },
};

const fastifyCodes: Partial<Record<FaultCause, string>> = {
  'path-value': 'FST_ERR_VALIDATION',
  'parameter-value': 'FST_ERR_VALIDATION',
  'body-missing': 'FST_ERR_VALIDATION',
  'body-value': 'FST_ERR_VALIDATION',
  'body-unreadable': 'FST_ERR_CTP_INVALID_JSON_BODY',
  'media-type': 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  credential: 'FST_JWT_AUTHORIZATION_TOKEN_INVALID',
  'credential-malformed': 'FST_JWT_BAD_REQUEST',
};

/** What pydantic calls the violation of a keyword, and its value. */
const pydanticNames: Readonly<Record<string, readonly [type: string, value?: string]>> = {
  required: ['missing'],
  enum: ['enum', 'expected'],
  const: ['literal_error', 'expected'],
  minimum: ['greater_than_equal', 'ge'],
  maximum: ['less_than_equal', 'le'],
  exclusiveMinimum: ['greater_than', 'gt'],
  exclusiveMaximum: ['less_than', 'lt'],
  minLength: ['string_too_short', 'min_length'],
  maxLength: ['string_too_long', 'max_length'],
  pattern: ['string_pattern_mismatch', 'pattern'],
  multipleOf: ['multiple_of', 'multiple_of'],
};

function pydanticIssue(issue: FaultIssue, { statedBy }: Told): JsonObject {
  const { location, name, rule, message, value } = issue;
  const [type, member] = pydanticNames[rule] ?? [rule];
  const stated = member === undefined ? undefined : statedBy(issue);
  const shown = Array.isArray(stated) ? stated.join(', ') : stated;
  return {
    type,
    loc: [location, ...segmentsOf(name)],
    msg: message,
    ...(value === undefined ? {} : { input: value }),
    ...(member === undefined || shown === undefined ? {} : { ctx: { [member]: shown } }),
  };
}

/** The body of an error as the framework of a contract writes it. */
export type WriteFrameworkError = (fault: Fault, facts: ErrorFacts) => JsonObject;

/** How the framework that a contract shows writes its errors; undefined if it shows none. */
export function frameworkErrors(contract: Contract): WriteFrameworkError | undefined {
  const framework = frameworkOf(contract);
  if (framework === undefined) return undefined;
  const { error, invalid = error } = frameworks[framework];
  const statedBy = ({ stated }: FaultIssue): JsonValue | undefined =>
    stated === undefined ? undefined : valueAt(contract.document, stated);
  return ({ cause, issues }, { status, title, message, instance, now }) => {
    const whole: FaultIssue = { location: 'body', name: '', rule: 'json_invalid', message };
    const told = { cause, status, title, message, instance, now, statedBy, issues };
    if (cause === 'body-unreadable') return invalid({ ...told, issues: [whole] });
    return issues.length > 0 ? invalid(told) : error(told);
  };
}

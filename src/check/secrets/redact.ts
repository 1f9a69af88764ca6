import type { Contract } from '../../contract/model.ts';
import { headerValues, withoutHeader } from '../../http/message.ts';
import { defined } from '../../json/value.ts';
import { encodeBase64, makeValueHider, type ValueHider } from '../../redact/hide-values.ts';
import type { Content, Redactor as BaseRedactor } from '../../redact/redactor.ts';
import { hideBytes, makeRedactorOf } from '../../redact/redactor.ts';
import { SecretNames } from '../../redact/secret-names.ts';
import { decodeContent } from '../reading/decode-content.ts';
import type { RunEvent } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import type { OverlayAction } from '../model/finding.ts';
import { inventedCredentials, type Secret, type Secrets, shellSecrets } from './secrets.ts';

/**
 * Takes secrets out of what is shown: the token becomes `$VOUCH_TOKEN`, other credentials
 * `[redacted]`.
 */
export interface Redactor extends BaseRedactor {
  /**
   * For what the run itself wrote, such as a command that repeats its request: only the given
   * credentials are secret there, and not what the run made up.
   */
  own(text: string): string;
  /** For names and texts of the document: a secret that looks like a word stays. */
  name(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

export interface RedactorOptions {
  /** The secrets by value. */
  readonly secrets: readonly Secret[];
  /** Made-up credentials, which may be shown. */
  readonly invented: readonly string[];
  /** The names of headers with keys, besides those of the contract. */
  readonly headerNames: readonly string[];
  readonly contract?: Pick<Contract, 'securitySchemes' | 'document'> | undefined;
  /** Whether the requests are of others: then what they send is secret by its name too. */
  readonly isRecorded?: boolean;
}

export function makeRedactor(options: RedactorOptions): Redactor {
  const { secrets, invented, headerNames, contract, isRecorded = false } = options;
  return assembleRedactor({
    values: makeValueHider(secrets),
    names: new SecretNames(contract, headerNames),
    shells: secrets.map(({ shell }) => shell),
    invented,
    isRecorded,
  });
}

/** The parts of a redactor that take long to make. */
export interface RedactorParts extends Pick<RedactorOptions, 'invented'> {
  readonly values: ValueHider;
  readonly names: SecretNames;
  /** The placeholders of secrets that are already hidden. */
  readonly shells: readonly string[];
  readonly isRecorded: boolean;
}

/** Makes a redactor of its parts. */
export function assembleRedactor(parts: RedactorParts): Redactor {
  const { values, names, shells, invented, isRecorded } = parts;
  const harmless = new Set(invented.flatMap((value) => [value, encodeBase64(value)]));
  const base = makeRedactorOf({
    names,
    byValue: values.text,
    byValueInBytes: values.bytes,
    isHarmless: (value) =>
      harmless.has(value) || shown.test(value) || shells.some((shell) => value.startsWith(shell)),
    decode: withoutCodings,
  });
  const own = isRecorded ? base : { text: values.text, target: values.text };
  const request = isRecorded
    ? base.content
    : ({ headers, body }: Content): Content => ({
        headers: headers.map(base.header),
        body: hideBytes(body, values.bytes),
      });
  return {
    ...base,
    own: own.text,
    name: values.names,
    exchange: (exchange) => redactExchange(exchange, base, own.target, request),
  };
}

/** What a shell inserts. */
const shown = /^\$(?:VOUCH_TOKEN|\{VOUCH_TOKEN)/;

function redactExchange(
  exchange: Exchange,
  base: BaseRedactor,
  target: (target: string) => string,
  hideRequest: (content: Content) => Content,
): Exchange {
  const { response, fault, request, resent, breaches } = exchange;
  return {
    ...exchange,
    baseUrl: base.text(exchange.baseUrl),
    request: { ...request, target: target(request.target), ...hideRequest(request) },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            ...base.content(response),
            ...defined({ cut: response.cut }),
          },
        }),
    ...(fault === undefined ? {} : { fault: { ...fault, message: base.text(fault.message) } }),
    ...(resent === undefined ? {} : { resent: base.text(resent) }),
    ...(breaches === undefined
      ? {}
      : {
          breaches: breaches.map((breach) => ({ ...breach, message: base.text(breach.message) })),
        }),
  };
}

/** A content coding hides the bytes of a secret, so the decoded body is searched. */
export function withoutCodings(message: Content): Content {
  if (headerValues(message.headers, 'content-encoding').length === 0) return message;
  const decoded = decodeContent(message);
  return decoded.ok
    ? { headers: withoutHeader(message.headers, 'content-encoding'), body: decoded.bytes }
    : message;
}

/**
 * The same event without secrets in texts of the document: names, titles, paths, files and code
 * frames. An exchange is redacted when it is recorded.
 */
export function redactEvent(event: RunEvent, { name }: Redactor): RunEvent {
  if (event.type === 'exchange-recorded') return event;
  if (event.type !== 'gap-observed') return redactPlain(event, name);
  const { observed, ...rest } = event;
  return { ...redactPlain(rest, name), observed };
}

/** The same action with every text in what it adds hidden. */
export function redactAction(
  action: OverlayAction | undefined,
  hide: (text: string) => string,
): OverlayAction | undefined {
  return action && { ...action, update: redactPlain(action.update, hide) };
}

/** The same plain data with every text in it hidden, names of members included. Bytes stay. */
export function redactPlain<Value>(value: Value, hide: (text: string) => string): Value {
  // Texts stay texts, and so the type stays.
  return redactAny(value, hide) as Value;
}

function redactAny(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => redactAny(item, hide));
  if (!isPlain(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    hide(name),
    redactAny(member, hide),
  ]);
  return Object.fromEntries(members);
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Hides every secret of a run, and others that are known. */
export function redactorFor(
  contract: Contract,
  secrets: Secrets,
  others: readonly Secret[] = [],
): Redactor {
  const headerNames = secrets.headers.flatMap(({ name, shell }) =>
    shell === undefined ? [] : [name],
  );
  return makeRedactor({
    secrets: [...shellSecrets(secrets), ...others],
    invented: inventedCredentials(secrets),
    headerNames,
    contract,
  });
}

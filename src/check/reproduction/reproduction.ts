import type { Contract } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { toCurl } from './curl.ts';
import { createdIdentifier } from '../evidence/record/created-identifier.ts';
import type { Secret } from '../secrets/secrets.ts';
import { roleOf, type Step } from '../subject.ts';

/** The shell variable that carries a new record's identifier from one command to the next. */
const variable = 'VOUCH_ID';

/**
 * The shell commands that send the steps again, in order, on a server that has none of their records: the identifier that a
 * create answers with is taken out of the answer and used by the commands after it.
 */
export function toCommands(steps: readonly Step[], contract: Contract, secrets: readonly Secret[]): string[] {
  const created = steps.slice(0, -1).map((step) => takenFrom(step, contract)).find((taken) => taken !== undefined);
  if (created === undefined) return steps.map(({ exchange }) => toCurl(exchange, secrets));
  return steps.map((step) => {
    if (step === created.step) return capture(toCurl(step.exchange, secrets), created);
    return usesCreated(step) ? replaceInUrl(toCurl(step.exchange, secrets), created.identifier) : toCurl(step.exchange, secrets);
  });
}

interface Taken {
  readonly step: Step;
  readonly identifier: string;
  readonly pattern: string;
}

/** How the identifier is cut out of the answer, where a plain pattern finds the right one in this very answer. */
function takenFrom(step: Step, contract: Contract): Taken | undefined {
  const role = roleOf(contract, step.case.operation);
  const { response } = step.exchange;
  if (role?.action !== 'create' || response === undefined) return undefined;
  const identifier: JsonValue | undefined = createdIdentifier(role.resource, step.answer, response);
  const { field } = role.resource.identifier;
  if (identifier === undefined || !/^[\w-]+$/.test(String(identifier)) || !/^\w+$/.test(field)) return undefined;
  const text = new TextDecoder().decode(response.body).replaceAll('\n', '');
  const found = new RegExp(`.*"${field}" *: *"?([^",} ]*).*`).exec(text)?.[1];
  return found === String(identifier) ? { step, identifier: found, pattern: `s/.*"${field}" *: *"?([^",} ]*).*/\\1/` } : undefined;
}

/** The answer is shown on the way, without its header, which could hold the pattern too. */
function capture(command: string, { pattern }: Taken): string {
  return `${variable}=$(${command.replace(/ -i /, ' ')} | tee /dev/stderr | tr -d '\\n' | sed -E '${pattern}')`;
}

function usesCreated({ case: { request } }: Step): boolean {
  return request.arguments.some(({ parameter, source }) => parameter.in === 'path' && source.kind === 'created');
}

/** The URL is the first word that begins with http; what was quoted whole is quoted in parts around the variable. */
function replaceInUrl(command: string, identifier: string): string {
  const at = command.search(/['"]https?:\/\//);
  const quote = command[at] ?? "'";
  const end = command.indexOf(quote, at + 1);
  const url = command.slice(at, end);
  const place = url.lastIndexOf(`/${identifier}`);
  if (at === -1 || place === -1) return command;
  const inner = quote === '"' ? `$${variable}` : `'"$${variable}"'`;
  const rest = url.slice(place + 1 + identifier.length);
  const whole = `${command.slice(0, at)}${url.slice(0, place + 1)}${inner}${rest}${command.slice(end)}`;
  return whole.replace(`"$${variable}"''`, `"$${variable}"`);
}

import type { Contract } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { createdIdentifier } from '../evidence/record/created-identifier.ts';
import { roleOf, type Step } from '../model/step.ts';
import type { Secret } from '../secrets/secrets.ts';
import { toCurl } from './curl.ts';

/**
 * The shell variables that carry new records' identifiers from one command to the next: `VOUCH_ID`,
 * then `VOUCH_ID_2` and so on.
 */
const variableOf = (index: number): string =>
  index === 0 ? 'VOUCH_ID' : `VOUCH_ID_${String(index + 1)}`;

/**
 * The shell commands that send the steps again, in order, on a server that has none of their
 * records: the identifiers that creates answer with are taken out of the answers and used by the
 * commands after them, those of records below others too.
 */
export function toCommands(
  steps: readonly Step[],
  contract: Contract,
  secrets: readonly Secret[],
): string[] {
  const taken: Taken[] = [];
  return steps.map((step, index) => {
    const curl = toCurl(step.exchange, secrets);
    const command = usesCreated(step) ? replaceInUrl(curl, taken) : curl;
    const own = steps.slice(index + 1).some(usesCreated)
      ? takenFrom(step, contract, variableOf(taken.length))
      : undefined;
    if (own === undefined) return command;
    taken.push(own);
    return capture(command, own);
  });
}

interface Taken {
  readonly variable: string;
  readonly identifier: string;
  readonly pattern: string;
}

/**
 * How the identifier is cut out of the answer, where a plain pattern finds the right one in this
 * very answer.
 */
function takenFrom(step: Step, contract: Contract, variable: string): Taken | undefined {
  const role = roleOf(contract, step.case.operation);
  const { response } = step.exchange;
  if (role?.action !== 'create' || response === undefined) return undefined;
  const identifier: JsonValue | undefined = createdIdentifier(role.resource, step.answer, response);
  const { field } = role.resource.identifier;
  if (identifier === undefined || !/^[\w-]+$/.test(String(identifier)) || !/^\w+$/.test(field))
    return undefined;
  const text = new TextDecoder().decode(response.body).replaceAll('\n', '');
  const found = new RegExp(`.*"${field}" *: *"?([^",} ]*).*`).exec(text)?.[1];
  return found === String(identifier)
    ? { variable, identifier: found, pattern: `s/.*"${field}" *: *"?([^",} ]*).*/\\1/` }
    : undefined;
}

/** The answer is shown on the way, without its header, which could hold the pattern too. */
function capture(command: string, { variable, pattern }: Taken): string {
  return `${variable}=$(${command.replace(/ -i /, ' ')} | tee /dev/stderr | tr -d '\\n' | sed -E '${pattern}')`;
}

function usesCreated({ case: { request } }: Step): boolean {
  return request.arguments.some(
    ({ parameter, source }) => parameter.in === 'path' && source.kind === 'created',
  );
}

/**
 * The URL is the first word that begins with http; what was quoted whole is quoted in parts around
 * the variables.
 */
function replaceInUrl(command: string, taken: readonly Taken[]): string {
  const at = command.search(/['"]https?:\/\//);
  const quote = command[at] ?? "'";
  const end = command.indexOf(quote, at + 1);
  if (at === -1 || end === -1) return command;
  const [path = '', ...query] = command.slice(at + 1, end).split('?');
  const written = replaceSegments(path.split('/'), taken, quote).join('/');
  const url = [written, ...query].join('?');
  return `${command.slice(0, at)}${`${quote}${url}${quote}`.replace(/"''$/, '"')}${command.slice(end + 1)}`;
}

/** What was made last stands furthest to the right: `/lists/LIST/items/ITEM`. */
function replaceSegments(
  segments: readonly string[],
  taken: readonly Taken[],
  quote: string,
): string[] {
  const written = [...segments];
  for (const { identifier, variable } of taken.toReversed()) {
    const place = written.lastIndexOf(identifier);
    if (place !== -1) written[place] = quote === '"' ? `$${variable}` : `'"$${variable}"'`;
  }
  return written;
}

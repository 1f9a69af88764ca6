import type { Operation } from '../contract/model.ts';
import { headerValues, type HeaderList } from '../http/message.ts';
import { equalJson } from '../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { BodyReading } from './request/read-body.ts';
import type { ReadParameter } from './request/read-parameters.ts';
import type { ScenarioMatch, ScenarioRule } from './scenario.ts';

/** A request as rules look at it: what it holds is read only when a rule asks. */
export interface RequestView {
  readonly operation: Operation;
  readonly headers: HeaderList;
  parameters(): readonly ReadParameter[];
  body(): BodyReading;
}

/** Whether a rule of a scenario is about a request. */
export function matchesRule({ operation, match }: ScenarioRule, view: RequestView): boolean {
  if (operation !== '*' && operation !== view.operation.id) return false;
  return match === undefined || (matchesHeaders(match, view) && matchesParameters(match, view) && matchesBody(match, view));
}

function matchesHeaders({ headers = {} }: ScenarioMatch, view: RequestView): boolean {
  return Object.entries(headers).every(([name, value]) => headerValues(view.headers, name).some((given) => given.trim() === value));
}

function matchesParameters({ parameters = {} }: ScenarioMatch, view: RequestView): boolean {
  return Object.entries(parameters).every(([name, value]) =>
    view.parameters().some(({ parameter, reading }) => parameter.name === name && reading.kind === 'value' && isMeant(reading.value, value)),
  );
}

/** A person writes `4711` for a number and for a text alike. */
function isMeant(given: JsonValue, wanted: JsonValue): boolean {
  if (equalJson(given, wanted)) return true;
  return typeof given !== 'object' && typeof wanted !== 'object' && String(given) === String(wanted);
}

function matchesBody({ body }: ScenarioMatch, view: RequestView): boolean {
  if (body === undefined) return true;
  const reading = view.body();
  return reading.kind === 'value' && holdsMembers(reading.value, body);
}

function holdsMembers(value: JsonValue, wanted: JsonObject): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(wanted).every(([name, member]) => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined) return false;
    return isJsonObject(member) ? holdsMembers(given, member) : equalJson(given, member);
  });
}

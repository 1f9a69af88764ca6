import type { Operation } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import { encodePercent } from '../../http/percent.ts';
import { parseClock } from '../control/clock.ts';

const dayMs = 86_400_000;

/**
 * The moment from which an operation is gone: the end of its sunset date, because on that day it
 * may still be called; the very moment where the contract names one. Undefined where it names
 * neither.
 */
export function removalOf({ sunset }: Pick<Operation, 'sunset'>): Date | undefined {
  const moment = sunset === undefined ? undefined : parseClock(sunset);
  if (moment === undefined) return undefined;
  return sunset?.includes('T') === true ? moment : new Date(moment.getTime() + dayMs);
}

/**
 * Says that an operation is deprecated, and until when it can be called: `Deprecation` (RFC 9745)
 * and `Sunset` (RFC 8594).
 */
export function announceLifecycle(operation: Operation): HeaderList {
  const since =
    operation.deprecatedAt === undefined ? undefined : parseClock(operation.deprecatedAt);
  const sunset = operation.sunset === undefined ? undefined : parseClock(operation.sunset);
  return [
    ...(since === undefined
      ? []
      : [['Deprecation', `@${String(Math.trunc(since.getTime() / 1000))}`] as const]),
    ...(sunset === undefined ? [] : [['Sunset', sunset.toUTCString()] as const]),
  ];
}

/** The request from which a link is made. */
export interface LinkOrigin {
  /** The base path that it named. */
  readonly basePath: string;
  /** Values of its path parameters, decoded. */
  readonly path: ReadonlyMap<string, string>;
}

/**
 * A `Link` to the operation to use instead (RFC 5829, section 3.3); none where its path has a
 * parameter of which the request says nothing.
 */
export function linkSuccessor(
  { path: template, servers }: Operation,
  { basePath, path }: LinkOrigin,
): HeaderList {
  const base = servers.some(({ basePaths }) => basePaths.includes(basePath))
    ? basePath
    : (servers[0]?.basePath ?? '');
  const filled = fillPath(template, path);
  return filled === undefined ? [] : [['Link', `<${base}${filled}>; rel="successor-version"`]];
}

/**
 * A path template with its parameters filled in and percent-encoded; undefined where a value is
 * missing.
 */
function fillPath(template: string, values: ReadonlyMap<string, string>): string | undefined {
  return preparePath(template)((name) => values.get(name));
}

/** Fills one path template in, many times: the values of its parameters by name. */
export type FillPath = (valueOf: (parameter: string) => string | undefined) => string | undefined;

/** Reads a path template once. */
export function preparePath(template: string): FillPath {
  // Split at a group that is captured, the parameters stand at the odd places: each with the text
  // behind it.
  const [start = '', ...rest] = template.split(/\{([^{}]+)\}/);
  const parameters = rest.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, behind: rest[index + 1] ?? '' }] : [],
  );
  return (valueOf) => {
    let filled = start;
    for (const { name, behind } of parameters) {
      const value = valueOf(name);
      if (value === undefined) return undefined;
      filled += encodePercent(value) + behind;
    }
    return filled;
  };
}

/**
 * The moment that an HTTP-date names, in milliseconds; undefined where the text is none (RFC 9110,
 * section 5.6.7).
 */
export function readHttpDate(text: string): number | undefined {
  const written =
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/.test(
      text,
    );
  const obsolete =
    /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(
      text,
    );
  if (!written && !obsolete) return undefined;
  const moment = Date.parse(obsolete && !text.endsWith('GMT') ? `${text} GMT` : text);
  return Number.isNaN(moment) ? undefined : moment;
}

/**
 * The moment of a `Deprecation` field, in milliseconds: a date of structured fields such as
 * `@1688169599` (RFC 9745, section 2.1).
 */
export function readDeprecation(text: string): number | undefined {
  const seconds = /^@(-?\d{1,12})$/.exec(text.trim())?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

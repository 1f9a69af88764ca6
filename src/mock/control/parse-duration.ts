const iso = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const short =
  /^([+-])?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/i;
const factors = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/**
 * Reads a span of time in milliseconds: ISO 8601 (`P1D`, `-PT2H30M`) or short (`1d`, `2h30m`,
 * `500ms`). Undefined where it is none; months and years are none either, because they have no
 * length of their own.
 */
export function parseDuration(text: string): number | undefined {
  const match = iso.exec(text) ?? short.exec(text);
  const parts = match?.slice(2) ?? [];
  if (match === null || parts.every((part) => part === undefined) || /T$/i.test(text))
    return undefined;
  const milliseconds = parts.reduce(
    (sum, part, index) => sum + Number(part ?? 0) * (factors[index] ?? 0),
    0,
  );
  if (!Number.isFinite(milliseconds)) return undefined;
  return match[1] === '-' ? -milliseconds : milliseconds;
}

/** Whether a version such as `24.21.0` is at least another one such as `22.19`. */
export function isAtLeast(version: string, least: string): boolean {
  const [given, wanted] = [version, least].map((text) =>
    text
      .replace(/^v/, '')
      .split('.')
      .map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, number] of (wanted ?? []).entries()) {
    const own = given?.[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Reads a date (`2030-12-06`, from midnight UTC) or a timestamp with its zone. Undefined where it
 * is none, such as 30 February.
 */
export function parseClock(text: string): Date | undefined {
  if (!day.test(text) && !moment.test(text)) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return undefined;
  // JavaScript takes 30 February for 2 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10))
    ? date
    : undefined;
}

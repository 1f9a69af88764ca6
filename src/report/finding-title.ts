import { separate } from '../check/engine/judge/evidence.ts';
import type { Finding } from '../check/model/finding.ts';
import { countOf } from '../text/counts.ts';

/** Where a bug is: `GET /items`, or `GET /items and 3 more operations`. */
export function whereOf(finding: Finding): string {
  const { operation, check } = finding;
  const alike = separate(finding).filter((one) => one.check === check);
  const others = new Set(alike.flatMap(({ operations }) => operations));
  others.delete(operation.id);
  const more = others.size === 0 ? '' : ` and ${countOf(others.size, 'more operation')}`;
  return `${operation.method} ${operation.path}${more}`;
}

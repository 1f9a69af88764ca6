import type { Finding } from '../../check/finding.ts';
import { matterOf } from '../exchange-text.ts';

const status = /^[1-5]\d\d$/;

/** What of the answer's body a finding is about, as it stands there; undefined where it is about the status or a header, or where that cannot be told. */
export function matterInBody(finding: Finding): string | undefined {
  const matter = matterOf(finding);
  if (matter === undefined || finding.pointer.includes('/headers/')) return undefined;
  if (!status.test(matter)) return matter;
  // Bodies like to repeat the status. A number is one of the body's own where a schema forbids it, and the answer has another status.
  const isOfSchema = /\/(schemas?|definitions)(\/|$)/.test(finding.pointer);
  return isOfSchema && matter !== String(finding.exchange?.response?.status) ? matter : undefined;
}

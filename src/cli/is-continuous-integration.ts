/** Whether a job runs this: nearly every CI service sets CI. */
export function isContinuousIntegration({
  CI: ci,
}: Readonly<Record<string, string | undefined>>): boolean {
  return ci !== undefined && ci !== '' && ci !== '0' && ci !== 'false';
}

/**
 * The environment of a program that a test starts: nothing of the person's but the path, and the
 * compiled code that tests share, without which each start costs a second of processor time more.
 */
export function programEnvironment(
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const shared = ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(shared), ...variables };
}

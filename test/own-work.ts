/**
 * Milliseconds that this process has worked so far: how busy the machine is otherwise adds nothing.
 */
export function ownWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

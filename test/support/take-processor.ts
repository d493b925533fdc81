/** Uses this many ms of processor time. Measured by the clock, a thread on a busy machine would use less. */
export function takeProcessor(ms: number): void {
  const taken = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const until = taken() + ms;
  while (taken() < until);
}

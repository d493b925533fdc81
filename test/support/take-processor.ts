/** Takes so many ms of a processor: by the clock a thread on a busy machine would take less of it. */
export function takeProcessor(ms: number): void {
  const taken = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const until = taken() + ms;
  while (taken() < until);
}

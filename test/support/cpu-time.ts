/** What an act costs this process, which is the same on a busy machine: the clock on the wall is not. */
export async function cpuMsOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

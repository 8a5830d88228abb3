/** Whether an alarm that goes off was rung by a test. Objects and tests share one isolate, and so this. */
let isRung = false;

export function isRungByTest(): boolean {
  return isRung;
}

export async function whileRung<T>(act: () => Promise<T>): Promise<T> {
  isRung = true;
  try {
    return await act();
  } finally {
    isRung = false;
  }
}

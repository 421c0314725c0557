/** The promises of a benchmark. Each is printed with whether it held, and a broken one fails the command. */
let anyFailed = false;

export function expectThat(promise: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${promise}`);
  anyFailed ||= !holds;
}

export function hasFailed(): boolean {
  return anyFailed;
}

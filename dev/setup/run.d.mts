/** Types of run.mjs for the tests. */
interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}
export function run(command: string, args: readonly string[], options?: RunOptions): Promise<string>;

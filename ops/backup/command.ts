/** Reports the progress and the errors of the two commands. Never shows a secret. */
import { redactText } from '../../platform/log.ts';
import { UnfinishedRestore } from '../../platform/mongo/restore-mark.ts';
import { UserError } from './user-error.ts';

const USAGE_CODES = /^ERR_PARSE_ARGS/;

export async function runCommand(run: (report: (line: string) => void) => Promise<void>): Promise<void> {
  const report = (line: string) => void process.stdout.write(`${new Date().toTimeString().slice(0, 8)}  ${line}\n`);
  try {
    await run(report);
  } catch (error) {
    const isExpected = error instanceof UserError || error instanceof UnfinishedRestore;
    const isUsers = isExpected || USAGE_CODES.test(String((error as { code?: unknown }).code));
    const text = error instanceof Error && !isUsers ? (error.stack ?? error.message) : (error as Error).message;
    process.stderr.write(`${redactText(text)}\n`);
    process.exitCode = isUsers ? 2 : 1;
  }
}

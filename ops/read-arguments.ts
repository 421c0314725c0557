/** Reads the arguments of a command. Callers: the commands of this folder that take a sub-command. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The user called the command with wrong arguments. It prints the message and ends with exit code 2. */
export class UsageError extends Error {}

/** Throws UsageError for an unknown option, or for one without its value. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

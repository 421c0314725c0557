/**
 * Reads an environment as a process of the service does: which variables it knows, and whether these values are usable.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../setup/resolve.mjs';

export interface KnownConfig {
  readonly known: readonly { readonly name: string; readonly required: boolean }[];
  /** One sentence that names the variables; null: it would start. */
  readonly fault: string | null;
}

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/** `words` follow the entry on the command line. */
export async function readConfig(
  entry: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<KnownConfig> {
  const args = ['--import', join(import.meta.dirname, 'print-config.mjs'), join(projectRoot, entry), ...words];
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { ...environment, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
  const { stdout } = await run(process.execPath, args, { cwd: projectRoot, env, timeout: TIMEOUT_MS });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as KnownConfig;
}

/** Runs a command to its end. */
import { spawn } from 'node:child_process';
import type { Environment } from '../../platform/config.ts';

/**
 * Adds `env` to the environment of this process. Returns the standard output. Throws with the standard error when the
 * command fails.
 */
export function run(command: string, args: readonly string[], env: Environment = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${err}`));
    });
  });
}

/**
 * The environment of a program that may not see that of this process, except the search path and the compile cache of
 * Node.
 */
export function programEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

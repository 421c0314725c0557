/** Runs a command to its end. */
import { spawn } from 'node:child_process';
import type { Environment } from '../../platform/config.ts';

/** `env` is added to this process's. Answers its standard output. Throws with its standard error when it fails. */
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

/** For a program that shall find nothing else of this process's environment: where programs are, and what Node has compiled already. */
export function programEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

/**
 * Runs the tools that the set-up builds on (pip, go, mvn, npm, apt-get). Shows none of their output but the last lines
 * of a failure.
 */
import { spawn } from 'node:child_process';
import { watchStarter } from './starter.mjs';

/** A part that could not be provided, the reason, and the user's next step. It is shown as it is, without a stack. */
export class SetupError extends Error {}

const KEPT_CHARACTERS = 4_000;
const underWay = new Set();

/**
 * Ends the tools under way with the set-up itself, and the set-up with the npm that runs it. An unfinished part is
 * never taken for whole.
 */
export function endWithSignals() {
  const end = () => {
    for (const { pid } of underWay) endGroup(pid);
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  watchStarter(end);
}

/** A tool leads a group of its own: a compiler that it runs ends with it. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has just ended.
  }
}

/**
 * Runs a command to its end, or until `signal` aborts, and returns its standard output. Throws with its last lines when
 * it fails or is missing.
 */
export function run(command, args, { env = process.env, cwd, onLine, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const stop = () => endGroup(child.pid);
    if (child.pid !== undefined) {
      underWay.add(child);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
    }
    child.once('exit', () => {
      underWay.delete(child);
      signal?.removeEventListener('abort', stop);
    });
    let output = '';
    let tail = '';
    const take = (chunk) => {
      tail = (tail + chunk).slice(-KEPT_CHARACTERS);
      const line = tail.trimEnd().split('\n').at(-1);
      if (line) onLine?.(line.trim());
    };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      take(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', (error) => {
      const why = error.code === 'ENOENT' ? `\`${command}\` is not installed` : error.message;
      reject(new CommandError(why, ''));
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new CommandError(`\`${command} ${args[0] ?? ''}\` ended with ${signal ?? `code ${code}`}`, tail));
    });
  });
}

/** A tool failed. `message` fits into a sentence; `tail` holds the tool's last words. */
export class CommandError extends Error {
  constructor(message, tail) {
    super(message);
    this.tail = tail;
  }
}

/**
 * Compiles MinIO unless the set-up has done so. This takes minutes, so the rest of the stack starts meanwhile. It never
 * starts MinIO. Caller: start.ts.
 */
import { join } from 'node:path';
import { listMissingParts } from '../setup/parts.mjs';
import { getPart, projectRoot } from '../setup/resolve.mjs';
import type { Children } from './children.ts';
import type { StackContext } from './parts.ts';

const PROGRESS_MS = 10_000;

/**
 * Returns when MinIO exists, or when the environment names another object store. Throws an error with the compiler's
 * last lines.
 */
export async function provideMinio(
  { state, env }: StackContext,
  children: Children,
  report: (line: string) => void,
): Promise<void> {
  const missing = await listMissingParts([getPart('minio')], 'start', env);
  if (missing.length === 0) return;
  report('MinIO is being compiled, once; what does not need it starts meanwhile');
  const child = children.start({
    name: 'MinIO set-up',
    command: process.execPath,
    args: [join(projectRoot, 'dev/setup/main.mjs'), 'minio'],
    cwd: projectRoot,
    // The compiler follows the developer's own settings: proxies, caches, registries.
    env,
    logFile: join(state.folder('logs'), 'minio-set-up.log'),
  });
  const timer = setInterval(() => report(child.lastLines(1).replace(/^[ …]+/, '')), PROGRESS_MS);
  const { code, signal } = await child.ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`MinIO cannot be compiled (${signal ?? `code ${code}`}):\n${child.lastLines()}`);
}

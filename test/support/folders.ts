/** Finds folders for tests that need no server: temporary ones, and data outside the project. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { projectRoot, xsdDirectory } from '../../dev/setup/resolve.mjs';

export { xsdDirectory };

let folder: string | undefined;

/** A new empty folder, removed when the process ends. */
export function temporaryDirectory(name: string): string {
  folder ??= createRunFolder();
  return mkdtempSync(join(folder, `${name}-`));
}

/** The folder of data outside the project, or undefined. Tests that need it are skipped without it. */
export function sharedDirectory(): string | undefined {
  const directory = resolve(projectRoot, process.env.SHARED_DIR ?? '../shared');
  return existsSync(directory) ? directory : undefined;
}

function createRunFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'samferd-test-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

/**
 * Lists the test files and what each needs, from the modules that it imports directly or through others. A file is
 * quick when it imports neither the local stack, Temporal's test environment nor a module that starts processes or a
 * browser. `npm run test:quick` runs the quick ones.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';

/**
 * `service` starts the service as separate processes, `servers` uses servers, `processes` starts other programs,
 * `quick` none.
 */
export type Need = 'service' | 'servers' | 'processes' | 'quick';

export interface TestFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly need: Need;
}

const MARKS: ReadonlyArray<readonly [Need, readonly string[]]> = [
  ['service', ['test/support/service.ts', 'test/support/pipeline.ts']],
  ['servers', ['dev/stack/children.ts', 'dev/stack/chosen-ports.ts', '@temporalio/testing']],
  ['processes', ['node:child_process', 'playwright-core']],
];

/** Every test file, or those in the given files and folders. Throws when one of these has no test. */
export function listTestFiles(wanted: readonly string[] = []): TestFile[] {
  const all = globSync('test/**/*.test.ts', { cwd: projectRoot }).sort();
  const paths = wanted.length === 0 ? all : [...new Set(wanted.flatMap((each) => within(each, all)))];
  return paths.map((path) => ({ path, need: needOf(path) }));
}

function within(wanted: string, all: readonly string[]): string[] {
  const path = relative(projectRoot, resolve(wanted));
  const found = all.filter((file) => file === path || file.startsWith(`${path}/`));
  if (found.length === 0) throw new Error(`${wanted} is no test file and no folder with one`);
  return found;
}

/** Imports do not show programs that a file starts by `npm start`. */
const STARTS_NPM = /spawn\w*\(\s*['"]npm['"]|['"]dev\/start\.ts['"]/;

function needOf(path: string): Need {
  if (STARTS_NPM.test(readFileSync(join(projectRoot, path), 'utf8'))) return 'service';
  const reached = reachedModules(path);
  return MARKS.find(([, modules]) => modules.some((module) => reached.has(module)))?.[0] ?? 'quick';
}

const importsByFile = new Map<string, readonly string[]>();

/** Project paths and package names. */
function reachedModules(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const module of reached) if (/\.m?ts$/.test(module)) for (const next of importsOf(module)) reached.add(next);
  return reached;
}

function importsOf(file: string): readonly string[] {
  const known = importsByFile.get(file);
  if (known) return known;
  // A missing module makes the test itself fail, so it is ignored here.
  const path = join(projectRoot, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
  ].map((match) => match[1] as string);
  const imports = specifiers.map((specifier) =>
    specifier.startsWith('.') ? join(dirname(file), specifier) : specifier,
  );
  importsByFile.set(file, imports);
  return imports;
}

/** Packages of Python that tests run, in the versions of a list in dev/setup/. The first use installs them in the user's cache. */
import { dirname } from 'node:path';
import { providePart } from '../../dev/setup/parts.mjs';
import { Progress } from '../../dev/setup/progress.mjs';
import { findPart, getPart, type PartName } from '../../dev/setup/resolve.mjs';
import { run } from './run.ts';

/** The folder that Python loads the part's packages from. */
export async function providePythonPackages(name: PartName): Promise<string> {
  const given = getPart(name);
  // Some packages are built for one version of Python.
  const tag = (await run('python3', ['-c', 'import sys; print(sys.implementation.cache_tag)'])).trim();
  const part = { ...given, version: `${given.version}-${tag}` };
  await providePart(part, new Progress());
  return dirname(findPart(part) ?? '');
}

/** The licences of the packages that production runs, from the lock file and the installed packages. Callers: check.ts, tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LicenceException } from './allowed.ts';

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; an empty text when the package names no licence. */
  readonly licence: string;
}

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});
/** Older packages list objects under `licenses`. */
const manifest = z.object({
  license: z.string().optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
});

export function listLicences(root: string): readonly LicensedPackage[] {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages).flatMap(([path, { version = '', license, dev }]) => {
    if (path === '' || dev) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [{ name, version, licence: license ?? readLicence(join(root, path)) }];
  });
}

function readLicence(folder: string): string {
  try {
    const { license, licenses = [] } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return license ?? licenses.map(({ type }) => type).join(' OR ');
  } catch {
    return '';
  }
}

/** One sentence for each package whose licence is neither allowed nor an exception, and for each exception without a package. */
export function findLicenceFaults(
  packages: readonly LicensedPackage[],
  allowed: ReadonlySet<string>,
  exceptions: readonly LicenceException[],
): readonly string[] {
  const isException = ({ name, licence }: LicensedPackage) =>
    exceptions.some((each) => each.name === name && each.says === licence);
  const unknown = packages.filter((each) => !isAllowed(each.licence, allowed) && !isException(each));
  const unused = exceptions.filter(({ name, says }) => !packages.some((p) => p.name === name && p.licence === says));
  return [
    ...unknown.map(({ name, version, licence }) => `${name} ${version} has the licence "${licence}"`),
    ...unused.map(({ name, says }) => `no package ${name} with the licence "${says}" is left: remove the exception`),
  ];
}

/** `(A AND B) OR C`: of alternatives one must be allowed, of a combination all. */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = (): boolean => {
    const token = tokens[at++];
    if (token !== '(') return token !== undefined && allowed.has(token);
    const inner = any();
    at += 1;
    return inner;
  };
  const all = (): boolean => {
    let result = one();
    while (tokens[at] === 'AND') {
      at += 1;
      result = one() && result;
    }
    return result;
  };
  const any = (): boolean => {
    let result = all();
    while (tokens[at] === 'OR') {
      at += 1;
      result = all() || result;
    }
    return result;
  };
  return any() && at === tokens.length;
}

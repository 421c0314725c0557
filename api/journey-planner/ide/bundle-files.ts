/**
 * The page's script and style sheet, as `dev/ide/bundle.ts` builds them. The process lists them at start and leaves
 * them on disk.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BundleFiles {
  /** Name of the script; `css` is that of the style sheet. */
  readonly js: string;
  readonly css: string;
  /** Path of a file of the bundle; undefined for every other name. */
  find(name: string): string | undefined;
}

const NAME = /^page-[0-9a-f]{16}\.(js|css)$/;

/** Undefined when there is no bundle in that folder. */
export function findBundleFiles(directory: string): BundleFiles | undefined {
  let manifest: { js?: unknown; css?: unknown };
  try {
    manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as typeof manifest;
  } catch {
    return undefined;
  }
  const { js, css } = manifest;
  if (typeof js !== 'string' || typeof css !== 'string' || !NAME.test(js) || !NAME.test(css)) return undefined;
  return { js, css, find: (name) => (name === js || name === css ? join(directory, name) : undefined) };
}

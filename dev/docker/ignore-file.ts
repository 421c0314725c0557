/**
 * Decides which files of the project a build of the image sees. It reads `.dockerignore` by the engine's own rules: the
 * last pattern that matches a path or one of its folders decides. Callers: the checks of the image, the try that copies
 * exactly these.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Rule {
  readonly pattern: RegExp;
  readonly keeps: boolean;
}

export type IsIgnored = (path: string) => boolean;

export function parseIgnoreFile(text: string): IsIgnored {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(toRule);
  return (path) => {
    const parts = path.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => prefixes.some((prefix) => pattern.test(prefix)));
    return last !== undefined && !last.keeps;
  };
}

function toRule(line: string): Rule {
  const keeps = line.startsWith('!');
  const escaped = line
    .slice(keeps ? 1 : 0)
    .replace(/^\/|\/$/g, '')
    .replaceAll(/[.+^${}()|\\]/g, '\\$&');
  const source = escaped
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '\u0001')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0000', '(?:.*/)?')
    .replaceAll('\u0001', '.*');
  return { pattern: new RegExp(`^${source}$`), keeps };
}

/** Every file that a build sees, by its path below `root`, in order. */
export function listContext(root: string, isIgnored: IsIgnored): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A folder that is ignored may hold what is not; these never do, and are large.
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      if (entry.isDirectory()) visit(path);
      else if (!isIgnored(path)) found.push(path);
    }
  };
  visit('');
  return found.sort();
}

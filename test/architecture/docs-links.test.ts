/**
 * Checks the documents: every relative link leads to a file, and docs/commands.md lists every command of package.json.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';

const NOT_OURS = /(^|\/)(node_modules|dist|\..*)$/;
const LINK = /\]\(([^)\s]+)\)/g;

describe('the documents', () => {
  it('link to files that exist', () => {
    const broken = markdownFiles().flatMap((path) =>
      relativeLinks(read(path))
        .filter((target) => !existsSync(join(projectRoot, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  it('list every command of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
    const listed = new Set(
      [...read('docs/commands.md').matchAll(/`npm (?:run )?(?:-s )?([\w:-]+)/g)].map(([, name]) => name),
    );
    const missing = Object.keys(scripts).filter((name) => !listed.has(name) && !isHook(name, scripts));
    assert.deepEqual(missing, []);
  });

  it('list no command that package.json lacks', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
    const listed = [...read('docs/commands.md').matchAll(/`npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => `${name}`);
    assert.deepEqual(
      listed.filter((name) => !(name in scripts)),
      [],
    );
  });
});

/** npm runs `preX` before `X` by itself. */
function isHook(name: string, scripts: Readonly<Record<string, string>>): boolean {
  return name.startsWith('pre') && name.slice('pre'.length) in scripts;
}

function markdownFiles(): string[] {
  return globSync('**/*.md', { cwd: projectRoot, exclude: (path) => NOT_OURS.test(path) });
}

/** The links of a document, except links to other sites and to headings of the same page. */
function relativeLinks(text: string): string[] {
  return [...text.matchAll(LINK)]
    .map(([, target]) => `${target}`)
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => target.replace(/#.*$/, ''));
}

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

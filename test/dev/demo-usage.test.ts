/** What `npm run demo` says when it is asked how it is called, or called wrongly. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(projectRoot, 'dev/demo-story.ts'), ...args], { encoding: 'utf8' });
}

describe('The command of the demo', () => {
  it('tells how it is called, and what fewer lines replace', () => {
    const { status, stdout } = run('--help');
    assert.equal(status, 0);
    assert.match(stdout, /--lines 301,302.*\n.*replace the whole demo timetable/);
  });

  it('refuses an unknown option without a stack trace', () => {
    const { status, stderr } = run('--line', '301');
    assert.equal(status, 1);
    assert.match(stderr, /^Unknown option '--line'/);
    assert.doesNotMatch(stderr, /\n +at /);
  });
});

/** Checks which tests `npm run test:quick` leaves out, and that `npm test` leaves out none. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { listTestFiles } from '../runner/test-files.ts';
import { readUsualTimes } from '../runner/times.ts';

const needOf = (path: string) => listTestFiles([path])[0]?.need;

describe('the test runner', () => {
  it('knows every test file', () => {
    const paths = listTestFiles().map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), globSync('test/**/*.test.ts', { cwd: projectRoot }).sort());
  });

  it('knows by its imports what a file needs', () => {
    assert.equal(needOf('test/rules/http-texts.test.ts'), 'quick');
    assert.equal(needOf('test/platform/object-store.test.ts'), 'servers');
    // It imports the servers through another module.
    assert.equal(needOf('test/workflows/waiting.test.ts'), 'servers');
    assert.equal(needOf('test/failure/kill.test.ts'), 'service');
    // It starts the service by a command, not by an import.
    assert.equal(needOf('test/dev/start.test.ts'), 'service');
  });

  it('takes the times of a clone’s first run from files that there are', () => {
    const gone = Object.keys(readUsualTimes()).filter((path) => !existsSync(join(projectRoot, path)));
    assert.deepEqual(gone, []);
  });

  it('refuses a path without tests', () => {
    assert.throws(() => listTestFiles(['test/nothing']), /no test file/);
  });
});

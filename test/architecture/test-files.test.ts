/** Which tests `npm run test:quick` leaves out, and that none of the others is left out of `npm test`. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { listTestFiles } from '../runner/test-files.ts';

const needOf = (path: string) => listTestFiles([path])[0]?.need;

describe('the test runner', () => {
  it('knows every test file', () => {
    const paths = listTestFiles().map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), globSync('test/**/*.test.ts', { cwd: projectRoot }).sort());
  });

  it('knows by its imports what a file needs', () => {
    assert.equal(needOf('test/rules/http-texts.test.ts'), 'quick');
    assert.equal(needOf('test/platform/object-store.test.ts'), 'servers');
    // Through another module.
    assert.equal(needOf('test/workflows/waiting.test.ts'), 'servers');
    assert.equal(needOf('test/failure/kill.test.ts'), 'service');
    // Starts everything as a command.
    assert.equal(needOf('test/dev/start.test.ts'), 'service');
  });

  it('refuses a path without tests', () => {
    assert.throws(() => listTestFiles(['test/nothing']), /no test file/);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pino from 'pino';
import { type GatheredLines, gatherLines } from '../../../../api/journey-planner/gathered-lines.ts';
import { projectRoot } from '../../../../dev/setup/resolve.mjs';
import { until } from '../../../support/until.ts';

describe('Log lines of the planner process', () => {
  let written: string[];
  let lines: GatheredLines;
  beforeEach(() => {
    written = [];
    lines = gatherLines({ write: (text) => void written.push(text) });
  });

  it('are written together, in order, a moment later', async () => {
    lines.write('one\n');
    lines.write('two\n');
    assert.deepEqual(written, []);
    await until(async () => written.length > 0);
    assert.deepEqual(written, ['one\ntwo\n']);
    lines.write('three\n');
    await until(async () => written.length > 1);
    assert.deepEqual(written, ['one\ntwo\n', 'three\n']);
  });

  it('are written at once when they are many', () => {
    for (let line = 0; line < 400; line += 1) lines.write(`${'x'.repeat(99)}\n`);
    assert.equal(written.length, 2);
    lines.flushSync();
    assert.equal(written.join('').length, 40_000);
  });

  it('are written at once with a fatal one', () => {
    const log = pino({}, lines);
    log.info('before');
    log.fatal('the end');
    assert.match(written.join(''), /before.*\n.*the end/);
  });

  it('are written when the process exits', () => {
    const module = join(projectRoot, 'api/journey-planner/gathered-lines.ts');
    const program = `import { gatherLines } from ${JSON.stringify(module)};
      const lines = gatherLines(process.stdout);
      process.on('exit', () => lines.write(', and a farewell'));
      lines.write('last words');
      process.exit(1);`;
    const run = () => execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    assert.throws(run, ({ stdout }: { stdout: string }) => stdout === 'last words, and a farewell');
  });
});

/** `npm start` must make generated files again exactly when sources or options have changed. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeUnlessCurrent } from '../../dev/stack/made-from-sources.ts';
import { temporaryDirectory } from '../support/folders.ts';

describe('files that a start makes from sources', () => {
  const path = join(temporaryDirectory('made'), 'made.js');
  let times = 0;
  const make = async () => {
    times += 1;
    writeFileSync(path, '');
  };

  it('are made once for the same sources and options', async () => {
    for (let start = 0; start < 2; start += 1) await makeUnlessCurrent({ path, sources: ['workers'] }, make);
    assert.equal(times, 1);
    await makeUnlessCurrent({ path, sources: ['workers'], options: ['--traced'] }, make);
    assert.equal(times, 2);
  });

  it('are made again for other sources, and when they are missing', async () => {
    await makeUnlessCurrent({ path, sources: ['workers', 'workflows'] }, make);
    assert.equal(times, 3);
    rmSync(path);
    await makeUnlessCurrent({ path, sources: ['workers', 'workflows'] }, make);
    assert.equal(times, 4);
  });

  it('are made again when making them has failed', async () => {
    const failing = async () => {
      throw new Error('no disk space');
    };
    await assert.rejects(makeUnlessCurrent({ path, sources: ['dev/stack'] }, failing));
    await makeUnlessCurrent({ path, sources: ['dev/stack'] }, make);
    assert.equal(times, 5);
  });
});

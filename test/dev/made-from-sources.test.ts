/** What `npm start` makes of the sources is made again exactly when these, or the options, have changed. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeUnlessCurrent } from '../../dev/stack/made-from-sources.ts';
import { temporaryDirectory } from '../support/folders.ts';

describe('what a start makes of the sources', () => {
  const path = join(temporaryDirectory('made'), 'made.js');
  let times = 0;
  const make = async () => {
    times += 1;
    writeFileSync(path, '');
  };

  it('is made once for the same sources and options', async () => {
    for (let start = 0; start < 2; start += 1) await makeUnlessCurrent({ path, sources: ['workers'] }, make);
    assert.equal(times, 1);
    await makeUnlessCurrent({ path, sources: ['workers'], options: ['--traced'] }, make);
    assert.equal(times, 2);
  });

  it('is made again for other sources, and when it is gone', async () => {
    await makeUnlessCurrent({ path, sources: ['workers', 'workflows'] }, make);
    assert.equal(times, 3);
    rmSync(path);
    await makeUnlessCurrent({ path, sources: ['workers', 'workflows'] }, make);
    assert.equal(times, 4);
  });

  it('is made again when making it has failed', async () => {
    const failing = async () => {
      throw new Error('no disk space');
    };
    await assert.rejects(makeUnlessCurrent({ path, sources: ['dev/stack'] }, failing));
    await makeUnlessCurrent({ path, sources: ['dev/stack'] }, make);
    assert.equal(times, 5);
  });
});

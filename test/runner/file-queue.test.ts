/** The queue must give a lane files that share modules and data, and must give every file once. */
import assert from 'node:assert/strict';
import { FileQueue } from './file-queue.ts';
import type { TestFile } from './test-files.ts';

const SECONDS: Readonly<Record<string, number>> = {
  'test/failure/kill.test.ts': 9,
  'test/api/upload.test.ts': 20,
  'test/netex/fuzz.test.ts': 3,
  'test/netex/thread.test.ts': 1,
  'test/netex/zip.test.ts': 4,
  'test/netex/rules/lines.test.ts': 6,
  'test/planner/search/a01.test.ts': 5,
  'test/planner/search/a02.test.ts': 1,
};
const files = Object.keys(SECONDS).map(
  (path): TestFile => ({ path, need: /failure|upload/.test(path) ? 'service' : 'quick' }),
);
const openQueue = (of = files) => new FileQueue(of, ({ path }) => SECONDS[path] ?? 0);
const takeAll = (queue: FileQueue, lane: number, prefersProcessor: boolean) => {
  const paths: string[] = [];
  for (let file = queue.take(lane, prefersProcessor); file; file = queue.take(lane, prefersProcessor))
    paths.push(file.path.slice('test/'.length, -'.test.ts'.length));
  return paths;
};

describe('the queue of test files', () => {
  it('gives one lane the longest waiting file first, then family by family', () => {
    const order = ['api/upload', 'failure/kill', 'netex/zip', 'netex/fuzz', 'netex/thread'];
    const rest = ['netex/rules/lines', 'planner/search/a01', 'planner/search/a02'];
    assert.deepEqual(takeAll(openQueue(), 0, false), [...order, ...rest]);
  });

  it('gives the lane that prefers the processor what waits for no server first', () => {
    assert.equal(takeAll(openQueue(), 0, true).at(-1), 'failure/kill');
  });

  it('gives each lane a family of its own while there is one', () => {
    const queue = openQueue(files.filter(({ need }) => need === 'quick'));
    const first = [0, 1, 2].map((lane) => queue.take(lane, false)?.path);
    assert.deepEqual(first, [
      'test/netex/zip.test.ts',
      'test/netex/rules/lines.test.ts',
      'test/planner/search/a01.test.ts',
    ]);
    // The family of lane 1 is done, so it helps with the longest that is left, and leaves the long files to their lane.
    assert.equal(queue.take(1, false)?.path, 'test/netex/thread.test.ts');
    assert.equal(queue.take(0, false)?.path, 'test/netex/fuzz.test.ts');
    assert.equal(queue.take(0, false)?.path, 'test/planner/search/a02.test.ts');
    assert.equal(queue.isEmpty, true);
    assert.equal(queue.take(2, false), undefined);
  });
});

/** Short twin of `npm run test:fuzz`: a hundred changes, always the same. */
import assert from 'node:assert/strict';
import { sharedDirectory, xsdDirectory } from '../support/folders.ts';
import { fuzz } from './support/fuzz.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const ROUNDS = 100;

describe('files changed at random', function () {
  this.timeout(300_000);

  it(`are validated in time, and every finding has a message (seed ${SEED})`, async () => {
    const options = {
      seed: SEED,
      firstRound: 0,
      rounds: ROUNDS,
      xsdDirectory: xsdDirectory(),
      shared: sharedDirectory(),
    };
    const { failures, tally } = await fuzz(options);
    assert.deepEqual(
      failures.map(({ round, error }) => `round ${round}: ${error}`),
      [],
    );
    assert.equal(tally?.rounds, ROUNDS);
    assert.ok((tally?.passedSchema ?? 0) > ROUNDS / 10, `only ${tally?.passedSchema} changes reach the rules`);
    assert.ok((tally?.codes.length ?? 0) > 40, `only ${tally?.codes.length} codes were found`);
  });
});

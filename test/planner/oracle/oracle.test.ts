/**
 * Compares the engine with the reference implementation (oracle) on random small networks: arrival, departure, rides
 * and cost are equal, and every ride of every answer can be ridden on the network as described. `ORACLE_TRIALS` and `ORACLE_SEED`
 * set the number of networks and the seed; a failure names the seed of its trial. The short twin of `npm run test:oracle`.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Query } from '../../../planner/search/query.ts';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import type { SearchAnswer } from '../../../planner/search/search-types.ts';
import { withBestChanges } from '../../../planner/trip/best-changes.ts';
import { byMinute, rightAnswer } from './oracle.ts';
import { buildNetwork, toSearchRequest, toSmallAnswer } from './planner-under-test.ts';
import { drawTrial } from './random-network.ts';
import { assertBestChanges, rideAgain } from './ride-again.ts';
import type { Outcome, SmallRequest } from './small-network.ts';

const TRIALS = Number(process.env.ORACLE_TRIALS ?? 300);
const SEED = process.env.ORACLE_SEED ?? 'oracle';

function outcomesOf(answer: SearchAnswer): Outcome[] {
  return answer.journeys.map(({ departure, arrival, rideCount, cost }) =>
    byMinute({ departure, arrival, rides: rideCount, cost }),
  );
}

/** Counts reverse searches. */
function countReverseSearches(): { readonly count: number; stop(): void } {
  const { prepareReverse } = Query.prototype;
  let count = 0;
  Query.prototype.prepareReverse = function (...question): void {
    count += 1;
    prepareReverse.apply(this, question);
  };
  return {
    get count() {
      return count;
    },
    stop() {
      Query.prototype.prepareReverse = prepareReverse;
    },
  };
}

/** With `enough` set, the journeys found are the first of the whole answer. */
function assertFirst(found: Outcome[], right: Outcome[], isCut: boolean, enough: number, seed: string): void {
  assert.deepEqual(found, right.slice(0, found.length), `seed ${seed}, enough ${enough}`);
  assert.ok(isCut ? found.length >= enough : found.length === right.length, `seed ${seed}, enough ${enough}`);
}

/** Names the seed of the trial in the message of a failed check. */
function withSeed(seed: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : 'failed'}`, { cause: error });
  }
}

/** The engine keeps footpath times between searches with equal walking parameters; this request has others. */
const otherWalking = (request: SmallRequest): SmallRequest => ({
  ...request,
  walkSpeed: request.walkSpeed / 2,
  transferSlackSeconds: request.transferSlackSeconds + 30,
});

describe('the search engine', () => {
  let reverseSearches: ReturnType<typeof countReverseSearches>;
  before(() => {
    reverseSearches = countReverseSearches();
  });
  after(() => reverseSearches.stop());

  it(`agrees with the oracle on ${TRIALS} random networks`, function () {
    this.timeout(0);
    let [journeys, reverseAnswers, banned] = [0, 0, 0];
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const seed = `${SEED}-${trial}`;
      const { network, request } = drawTrial(seed);
      const timetable = buildNetwork(network);
      const engine = createSearchEngine(timetable);
      const answer = engine.search(toSearchRequest(timetable, request));
      const right = rightAnswer(network, request);
      assert.deepEqual(outcomesOf(answer), right, `seed ${seed}`);
      const allowed = { ...network, interchanges: network.interchanges.filter(({ notAllowed }) => !notAllowed) };
      if (allowed.interchanges.length < network.interchanges.length)
        banned += isDeepStrictEqual(rightAnswer(allowed, request), right) ? 0 : 1;
      const enough = 1 + (trial % 4);
      const before = reverseSearches.count;
      const cut = engine.search({ ...toSearchRequest(timetable, request), enough });
      assertFirst(outcomesOf(cut), right, cut.isCut, enough, seed);
      if (reverseSearches.count > before && cut.isCut) reverseAnswers += 1;
      if (trial % 4 === 0) {
        const slow = otherWalking(request);
        const answered = engine.search(toSearchRequest(timetable, slow));
        assert.deepEqual(outcomesOf(answered), rightAnswer(network, slow), `seed ${seed}, walking otherwise`);
      }
      for (const journey of [...answer.journeys, ...cut.journeys]) {
        const placed = withBestChanges(timetable, toSearchRequest(timetable, request), journey);
        withSeed(seed, () => {
          rideAgain(network, request, toSmallAnswer(timetable, journey));
          rideAgain(network, request, toSmallAnswer(timetable, placed));
          assertBestChanges(network, request, toSmallAnswer(timetable, placed));
        });
      }
      journeys += answer.journeys.length;
    }
    assert.ok(reverseAnswers > TRIALS / 10, `only ${reverseAnswers} answers were found by a reverse search`);
    assert.ok(banned > TRIALS / 100, `only ${banned} answers differ by a change that is not allowed`);
    assert.ok(
      journeys > TRIALS,
      `only ${journeys} journeys in ${TRIALS} answers: the networks are too sparse for a comparison`,
    );
  });
});

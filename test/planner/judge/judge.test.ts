/**
 * The engine against the judge: random small networks, every answer equal on arrival, departure, rides and cost.
 * `JUDGE_TRIALS` and `JUDGE_SEED` ask for more or other ones; a failure names the seed of its trial.
 */
import assert from 'node:assert/strict';
import { createSearchEngine } from '../../../planner/search/search-engine.ts';
import type { SearchAnswer } from '../../../planner/search/search-types.ts';
import { byMinute, rightAnswer } from './judge.ts';
import { buildNetwork, toSearchRequest } from './planner-on-trial.ts';
import { drawTrial } from './random-network.ts';
import type { Outcome } from './small-network.ts';

const TRIALS = Number(process.env['JUDGE_TRIALS'] ?? 2000);
const SEED = process.env['JUDGE_SEED'] ?? 'judge';

function outcomesOf(answer: SearchAnswer, arriveBy: boolean): Outcome[] {
  return answer.journeys.map(({ departure, arrival, rides, cost }) =>
    byMinute({ departure, arrival, rides: rides.length, cost }, arriveBy),
  );
}

/** Where some journeys were enough, those found are the first of all. */
function assertFirst(found: Outcome[], right: Outcome[], isCut: boolean, enough: number, seed: string): void {
  assert.deepEqual(found, right.slice(0, found.length), `seed ${seed}, enough ${enough}`);
  assert.ok(isCut ? found.length >= enough : found.length === right.length, `seed ${seed}, enough ${enough}`);
}

describe('search engine before the judge', () => {
  it(`gives the right answer on ${TRIALS} random networks`, function () {
    this.timeout(0);
    let journeys = 0;
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const seed = `${SEED}-${trial}`;
      const { network, request } = drawTrial(seed);
      const timetable = buildNetwork(network);
      const engine = createSearchEngine(timetable);
      const answer = engine.search(toSearchRequest(timetable, request));
      const right = rightAnswer(network, request);
      assert.deepEqual(outcomesOf(answer, request.arriveBy), right, `seed ${seed}`);
      const enough = 1 + (trial % 4);
      const cut = engine.search({ ...toSearchRequest(timetable, request), enough });
      assertFirst(outcomesOf(cut, request.arriveBy), right, cut.isCut, enough, seed);
      journeys += answer.journeys.length;
    }
    assert.ok(
      journeys > TRIALS,
      `only ${journeys} journeys in ${TRIALS} answers: the networks are too sparse to judge by`,
    );
  });
});

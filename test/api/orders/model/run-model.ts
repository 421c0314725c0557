/**
 * Random orders against the API, many runs of many steps. When both sides differ it looks for the shortest list of steps that
 * still does, and throws with it.
 */
import fc from 'fast-check';
import { compareAll, play } from './play.ts';
import { checkEvents, type EventReader } from './replay.ts';
import { Run } from './run.ts';
import { STEPS, type Step } from './steps.ts';
import type { World } from './world.ts';

export interface ModelOptions {
  readonly world: World;
  readonly events: EventReader;
  readonly seed: number;
  readonly steps: number;
  /** How many orders are replayed from their events at least. */
  readonly orders: number;
  /** Called after each batch of runs. */
  readonly report?: (tally: Tally) => void;
}

export interface Tally {
  steps: number;
  runs: number;
  /** Orders whose events gave the order. */
  orders: number;
  events: number;
  /** How often each kind of step came to each outcome. */
  readonly outcomes: Map<string, number>;
}

const STEPS_A_RUN = 90;
const RUNS_A_BATCH = 5;
/** Of a batch: what is left of it after a failure serves to shorten the list of steps. */
const LONGEST_BATCH_MS = 120_000;

/** Without an order most steps would do nothing. */
const FIRST: Step = {
  ...{ kind: 'create', travellers: 1, expiry: 'NONE', facts: false },
  ...{ at: 0, match: 'NONE', isKeyed: false },
};

class PlayedStep implements fc.AsyncCommand<Run, World> {
  readonly #step: Step;
  readonly #tally: Tally;

  constructor(step: Step, tally: Tally) {
    this.#step = step;
    this.#tally = tally;
  }

  check(): boolean {
    return true;
  }

  async run(run: Run, world: World): Promise<void> {
    if (run.isStopped) return;
    await play(this.#step, run, world);
    this.#tally.steps += 1;
  }

  toString(): string {
    return `\n  ${JSON.stringify(this.#step)}`;
  }
}

/** Throws with the seed and the shortest list of steps that was found. */
export async function runModel({ world, events, seed, steps, orders, report }: ModelOptions): Promise<Tally> {
  const tally: Tally = { steps: 0, runs: 0, orders: 0, events: 0, outcomes: new Map() };
  const commands = fc.commands(
    STEPS.map((arbitrary) => arbitrary.map((step) => new PlayedStep(step, tally))),
    { maxCommands: STEPS_A_RUN, size: 'max' },
  );
  let present = new Run(0);
  let playing = Promise.resolve();
  const playAll = async (list: Iterable<fc.AsyncCommand<Run, World>>) => {
    await world.begin();
    const run = new Run(world.beginning);
    present = run;
    await play(FIRST, run, world);
    await fc.asyncModelRun(() => ({ model: run, real: world }), list);
    await compareAll(run.orders, run, world);
    const checked = await checkEvents(run, world, events);
    tally.runs += 1;
    for (const outcome of run.outcomes) tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
    tally.orders += checked.orders;
    tally.events += checked.events;
  };
  const property = fc.asyncProperty(commands, async (list) => {
    playing = playAll(list);
    await playing;
  });
  for (let batch = 0; tally.steps < steps || tally.orders < orders; batch += 1) {
    await fc.assert(property, { seed: seed + batch, numRuns: RUNS_A_BATCH, interruptAfterTimeLimit: LONGEST_BATCH_MS });
    // An interrupted batch leaves a run that goes on, and the next one has the same server and clock.
    present.isStopped = true;
    await playing;
    report?.(tally);
  }
  return tally;
}

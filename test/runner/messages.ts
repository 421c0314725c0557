/** What the test runner and its lanes send each other. */

/** To a lane: run this file, or end when there is none. */
export interface LaneTask {
  readonly file: string | undefined;
}

/** From a lane. */
export interface FileResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The tests with their outcomes, as mocha's `spec` reporter prints them. */
  readonly text: string;
  /** Errors with their stacks; empty when nothing failed. */
  readonly failures: string;
}

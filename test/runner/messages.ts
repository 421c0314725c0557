/** Defines the messages between the test runner and its lanes. */

/** To a lane: run this file, or end when no file is given. */
export interface LaneTask {
  readonly file: string | undefined;
}

/** From a lane: the result of a file. */
export interface FileResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The tests with their outcomes, as mocha's `spec` reporter prints them. */
  readonly text: string;
  /** Memory of the lane's process after the file. */
  readonly memoryBytes: number;
  /** Errors with their stacks; empty when nothing failed. */
  readonly failures: string;
}

/** The form of the demo story: numbered steps, and the error of a failed step. Callers: the chapters of the story. */

/** A step with an unexpected outcome. */
export class StoryError extends Error {
  readonly advice: string;
  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

let step = 0;

export function say(title: string, ...details: readonly string[]): void {
  step += 1;
  console.log(`\n${step}. ${title}`);
  for (const detail of details) console.log(`   ${detail}`);
}

/** How the demo story is told: numbered steps, and a step that is not as it should be. Callers: the chapters of the story. */

/** A step whose outcome is not as it should be. */
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

/** How far a rotation has come, as the Temporal UI shows it. Pure. */
import type { RotationProgress, RotationStep } from '../messages.ts';

const TEXTS: Readonly<Record<RotationStep, (until: string) => string>> = {
  BEGUN: () => 'makes the next key',
  PUBLISHED: (until) => `the next key is published; it signs from ${until}`,
  SIGNING: (until) => `the key signs; the one before is removed at ${until}, when its tokens have ended`,
  DONE: () => 'the key signs; those before are gone',
  OVERTAKEN: () => 'another rotation has withdrawn the key',
};

/** One line of Markdown. */
export function describeRotation({ step, kid, until = 'once' }: RotationProgress): string {
  return `**${step}**${kid === undefined ? '' : ` ${kid}`}: ${TEXTS[step](until)}`;
}

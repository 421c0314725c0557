/** Types of starter.mjs for the local stack. */
export function watchStarter(onGone: () => void, env?: Record<string, string | undefined>): void;

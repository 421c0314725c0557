/** Types of starter.mjs for the local stack. */
export function watchStarter(onGone: () => void, env?: Readonly<Record<string, string | undefined>>): void;

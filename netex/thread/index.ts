/** Validation of files in a thread that can be stopped. */
export type { ThreadLimits } from './thread-limits.ts';
export { ValidationThread, ValidationThreadError, type ValidationThreadOptions } from './validation-thread.ts';

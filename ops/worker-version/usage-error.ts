/** What the caller of `npm run worker-version` must put right; it ends with 2. */
export class UsageError extends Error {}

/** A mistake in the call of `npm run worker-version`. The command ends with exit code 2. */
export class UsageError extends Error {}

/** An error that the user can decide or repair. It is shown as a sentence, without a stack. */
export class UserError extends Error {}

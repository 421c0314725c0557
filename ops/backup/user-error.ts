/** What the person at the shell has to decide or mend: said in a sentence, without a stack. */
export class UserError extends Error {}

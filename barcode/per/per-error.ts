/** A value that its ASN.1 type does not allow, or bytes that are no encoding of it. The message names the component. */
export class PerError extends Error {
  override readonly name = 'PerError';

  constructor(problem: string, path: readonly string[] = []) {
    super(path.length > 0 ? `${path.join('.')}: ${problem}` : problem);
    this.#problem = problem;
    this.#path = path;
  }

  readonly #problem: string;
  readonly #path: readonly string[];

  /** The same error as seen from the structure that holds the component. */
  within(component: string): PerError {
    return new PerError(this.#problem, [component, ...this.#path]);
  }
}

/** Runs a step of a component, and names the component in its errors. */
export function withinComponent<Result>(component: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw error instanceof PerError ? error.within(component) : error;
  }
}

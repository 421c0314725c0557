/** Types of npm-packages.mjs for the tests. */
export function npmPackagesAreFresh(root: string): Promise<boolean>;

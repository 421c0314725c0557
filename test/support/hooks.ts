/** Loaded by mocha before any test file: ends the servers that tests have started. */
import { stopServers } from './stack.ts';

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServers();
}

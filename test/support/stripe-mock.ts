/**
 * Stripe's own mock for one test file: it checks each request against Stripe's published contract, and answers with
 * examples of it. It remembers nothing. The set-up provides it where Go is; elsewhere its tests are skipped, except in
 * continuous integration.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPart, getPart } from '../../dev/setup/resolve.mjs';
import { Children } from '../../dev/stack/children.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { ownPort } from './own-port.ts';

const START_TIMEOUT_MS = 20_000;

/** Undefined where the tests are to be skipped. */
export function findStripeMock(): string | undefined {
  const command = findPart(getPart('stripe-mock'));
  if (command === undefined && process.env.CI === 'true')
    throw new Error('stripe-mock is not here: run `node dev/setup/main.mjs test`');
  return command;
}

export class StripeMock {
  readonly address: URL;
  readonly #children: Children;

  private constructor(port: number, children: Children) {
    this.address = new URL(`http://127.0.0.1:${port}`);
    this.#children = children;
  }

  static async start(command: string): Promise<StripeMock> {
    const folder = mkdtempSync(join(tmpdir(), 'samferd-stripe-'));
    const children = new Children();
    children.removeAtEnd(folder);
    const port = await ownPort();
    const mock = new StripeMock(port, children);
    // It always listens for TLS, too: on any free port, so that two of them do not meet.
    const args = ['-strict-version-check', '-http-addr', `127.0.0.1:${port}`, '-https-addr', '127.0.0.1:0'];
    const child = children.start({ name: 'stripe-mock', command, args, logFile: join(folder, 'stripe-mock.log') });
    await waitUntilReady(child, async () => void (await fetch(mock.address)), START_TIMEOUT_MS);
    return mock;
  }

  async stop(): Promise<void> {
    await this.#children.stopAll(0);
  }
}

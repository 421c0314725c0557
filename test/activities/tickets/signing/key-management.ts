/** AWS KMS for one test file: moto, with keys on this machine. The first use installs it in the user's cache. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateKeyCommand, type CreateKeyCommandInput, KMSClient } from '@aws-sdk/client-kms';
import { Children } from '../../../../dev/stack/children.ts';
import { waitUntilReady } from '../../../../dev/stack/wait.ts';
import { ownPort } from '../../../support/own-port.ts';
import { providePythonPackages } from '../../../support/python-packages.ts';

const START_TIMEOUT_MS = 60_000;
const REGION = 'eu-north-1';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

export class KeyManagement {
  readonly place: { readonly region: string; readonly endpoint: string };
  readonly #children: Children;
  readonly #client: KMSClient;

  private constructor(endpoint: string, children: Children) {
    this.place = { region: REGION, endpoint };
    this.#children = children;
    this.#client = new KMSClient({ ...this.place, credentials: CREDENTIALS });
  }

  static async start(): Promise<KeyManagement> {
    const packages = await providePythonPackages('key-management');
    const folder = mkdtempSync(join(tmpdir(), 'samferd-kms-'));
    const children = new Children();
    children.removeAtEnd(folder);
    const port = await ownPort();
    const endpoint = `http://127.0.0.1:${port}`;
    const child = children.start({
      name: 'key-management',
      command: 'python3',
      args: ['-S', join(import.meta.dirname, 'key_management.py'), String(port)],
      env: { PYTHONPATH: packages },
      logFile: join(folder, 'key-management.log'),
    });
    await waitUntilReady(child, async () => void (await fetch(`${endpoint}/moto-api/`)), START_TIMEOUT_MS);
    return new KeyManagement(endpoint, children);
  }

  async createKey(input: CreateKeyCommandInput): Promise<string> {
    const { KeyMetadata } = await this.#client.send(new CreateKeyCommand(input));
    return KeyMetadata?.Arn ?? '';
  }

  /** As while the service cannot be reached. */
  async stop(): Promise<void> {
    this.#client.destroy();
    await this.#children.stopAll(0);
  }
}

/**
 * Calls the simulator over HTTP. Only an answer of the expected shape is definite; everything else throws ProviderUnknown,
 * because the call may have had its effect.
 */
import type { z } from 'zod';
import { ProviderUnknown } from './payment-provider.ts';
import type { SimulatorSetting } from './simulator-config.ts';

export interface SimulatorCall<Shape extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of every call with an effect. */
  readonly key?: string;
  readonly body?: unknown;
  readonly answer: Shape;
}

/** Longer than any outcome; the ledger has its own limit. */
const MAX_ANSWER_BYTES = 65_536;

export class SimulatorHttp {
  readonly #setting: SimulatorSetting;

  constructor(setting: SimulatorSetting) {
    this.#setting = setting;
  }

  async call<Shape extends z.ZodType>(
    call: SimulatorCall<Shape>,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<z.infer<Shape>> {
    const name = `${call.method} ${call.path}`;
    const { status, text } = await this.#send(call, name, maxBytes);
    if (status !== 200 && status !== 201) throw new ProviderUnknown(`The simulator answered ${name} with ${status}`);
    return parse(name, text, call.answer);
  }

  /** Undefined when the simulator itself says that it has never seen the key; a proxy's 404 is not that. */
  async findOperation<Shape extends z.ZodType>(key: string, answer: Shape): Promise<z.infer<Shape> | undefined> {
    const call = { method: 'GET', path: `/operations/${encodeURIComponent(key)}`, answer } as const;
    const name = 'GET /operations';
    const { status, text } = await this.#send(call, name, MAX_ANSWER_BYTES);
    if (status === 404 && /"NEVER_SEEN"/.test(text)) return undefined;
    if (status !== 200) throw new ProviderUnknown(`The simulator answered ${name} with ${status}`);
    return parse(name, text, answer);
  }

  async #send({ method, path, key, body }: SimulatorCall<z.ZodType>, name: string, maxBytes: number) {
    const { url, timeoutMs } = this.#setting;
    const headers = { ...(key !== undefined && { 'idempotency-key': key }), 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(`${url}${path}`, { method, headers, signal, redirect: 'error', ...sent });
      return { status: answer.status, text: await readText(answer, maxBytes) };
    } catch (error) {
      const why = signal.aborted ? `has not answered within ${timeoutMs} ms` : 'could not be asked';
      throw new ProviderUnknown(`The simulator ${why}: ${name}`, { cause: error });
    }
  }
}

async function readText(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`Its answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse<Shape extends z.ZodType>(name: string, text: string, shape: Shape): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw new ProviderUnknown(`The simulator answered ${name} in a shape that nobody knows`, { cause: error });
  }
}

/**
 * Validates files in a thread of its own. So a file that takes too long or too much memory can be stopped while the
 * process goes on. That file gets a finding; the next one gets a fresh thread.
 *
 * Callers: the validation activities, one thread per process (a validation worker uses one core). One file at a time;
 * further calls wait their turn. Never retries a file: the workflow decides that.
 */
import { Worker } from 'node:worker_threads';
import { decodeFileResult, type FileResult } from '../file-result.ts';
import type { NetexFile, PackedNetexFile, ValidationContext } from '../validation-context.ts';
import { ArchiveError } from '../zip/archive-error.ts';
import { MemoryWatch } from './memory-watch.ts';
import type { FileRequest, ThreadMessage, ThreadOptions } from './messages.ts';
import { THREAD_LIMITS, type ThreadLimits, timeLimitMs } from './thread-limits.ts';
import { unfinishedResult } from './unfinished-result.ts';

export interface ValidationThreadOptions {
  readonly xsdDirectory: string;
  /** Folder for compiled schemas; they are not kept without it. */
  readonly imageDirectory?: string | undefined;
  /** Versions to compile at the start; others compile when the first file needs them. */
  readonly warmUp?: readonly string[];
  readonly limits?: Partial<ThreadLimits>;
}

/** There is no result, for a reason that is not the file's. */
export class ValidationThreadError extends Error {
  /** A check failed while it read the file. It is our defect, so the same file fails again. */
  readonly atFile: boolean;

  constructor(message: string, options: { readonly atFile?: boolean } = {}) {
    super(message);
    this.name = 'ValidationThreadError';
    this.atFile = options.atFile ?? false;
  }
}

type Outcome =
  | { readonly type: 'result'; readonly encoded: Uint8Array; readonly schemaMemoryBytes: number }
  | Extract<ThreadMessage, { type: 'refused' }>
  | { readonly type: 'too-slow'; readonly limitMs: number }
  | { readonly type: 'out-of-memory' }
  | { readonly type: 'broken'; readonly message: string; readonly atFile?: boolean };

export class ValidationThread {
  readonly #options: ThreadOptions;
  readonly #limits: ThreadLimits;
  #worker: Worker | undefined;
  #context: ValidationContext | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #stopped = false;

  private constructor(options: ValidationThreadOptions) {
    const { xsdDirectory, imageDirectory, warmUp = [] } = options;
    this.#options = { xsdDirectory, imageDirectory, warmUp };
    this.#limits = { ...THREAD_LIMITS, ...options.limits };
  }

  /** Resolves when the schemas to warm up are compiled. */
  static async start(options: ValidationThreadOptions): Promise<ValidationThread> {
    const thread = new ValidationThread(options);
    await thread.#ready();
    return thread;
  }

  /**
   * Transfers the bytes: the caller must not read them afterwards. Throws ArchiveError when they cannot be unpacked.
   */
  validate(file: NetexFile | PackedNetexFile, context: ValidationContext): Promise<FileResult> {
    const turn = this.#queue.then(() => this.#validate(file, context));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the thread at once and rejects the current file. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#drop();
  }

  async #validate(file: NetexFile | PackedNetexFile, context: ValidationContext): Promise<FileResult> {
    const { name, kind } = file;
    const sizeBytes = 'bytes' in file ? file.bytes.byteLength : file.packed.bytes;
    // Memory that earlier files left in the thread takes no room from this file.
    if (process.memoryUsage.rss() + sizeBytes * BYTES_PER_BYTE > this.#limits.processBytes) await this.#drop();
    const worker = await this.#ready();
    const sameContext = this.#context === context;
    const bytes = ownBuffer('bytes' in file ? file.bytes : file.packed.packed);
    const sent = 'bytes' in file ? { name, kind, bytes } : { name, kind, packed: { ...file.packed, packed: bytes } };
    const request: FileRequest = { file: sent, ...(sameContext ? {} : { context }) };
    const limitMs = timeLimitMs(this.#limits, sizeBytes);
    const outcome = outcomeOf(worker, limitMs, this.#limits);
    worker.postMessage(request, [bytes.buffer]);
    // Set only now: after a request that was never sent, the thread would lack its context.
    this.#context = context;
    const ended = await outcome;
    if (ended.type === 'refused') throw new ArchiveError(ended.code, ended.message, ended.entryName);
    if (ended.type !== 'result' || ended.schemaMemoryBytes > this.#limits.schemaMemoryBytes) await this.#drop();
    switch (ended.type) {
      case 'result':
        return decodeFileResult(ended.encoded);
      case 'too-slow':
        return unfinishedResult({ name, kind, sizeBytes }, { type: 'time', limitMs: ended.limitMs }, context);
      case 'out-of-memory':
        return unfinishedResult({ name, kind, sizeBytes }, { type: 'memory' }, context);
      case 'broken':
        throw new ValidationThreadError(`The validation of ${name} broke off: ${ended.message}`, {
          atFile: (ended.atFile ?? true) && !this.#stopped,
        });
    }
  }

  async #ready(): Promise<Worker> {
    if (this.#stopped) throw new ValidationThreadError('The validation thread is stopped.');
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#options,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMegabytes },
    });
    this.#worker = worker;
    this.#context = undefined;
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // Between files nothing needs the error: the exit that follows counts.
    worker.on('error', () => undefined);
    try {
      await becomesReady(worker, this.#limits.compileMs * (1 + this.#options.warmUp.length));
    } catch (error) {
      await this.#drop();
      throw error;
    }
    return worker;
  }

  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#context = undefined;
    await worker?.terminate();
  }
}

/** Memory that a file takes for each of its bytes, held whole and read: `node dev/bench/entry-memory.ts`. */
const BYTES_PER_BYTE = 1.5;
/** Small arrays may share a pool of buffers. */
const SMALL_BYTES = 64 * 1024;

/** Bytes that may be transferred: not part of a buffer with other users. One unused byte may follow them. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const slackBytes = bytes.buffer.byteLength - bytes.byteLength;
  const whole = bytes.byteOffset === 0 && bytes.byteLength > SMALL_BYTES && slackBytes <= 1;
  if (whole && bytes.buffer instanceof ArrayBuffer) return new Uint8Array(bytes.buffer, 0, bytes.byteLength);
  return new Uint8Array(bytes);
}

function becomesReady(worker: Worker, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: ValidationThreadError): void => {
      clearTimeout(timer);
      worker.off('message', listen).off('error', fail).off('exit', leave);
      if (error) reject(error);
      else resolve();
    };
    const listen = (message: ThreadMessage): void => {
      if (message.type === 'ready') end();
    };
    const fail = (error: Error): void => end(new ValidationThreadError(error.message));
    const leave = (): void => end(new ValidationThreadError('The validation thread ended before it was ready.'));
    const timer = setTimeout(() => end(new ValidationThreadError('The schemas took too long to compile.')), limitMs);
    worker.on('message', listen).on('error', fail).on('exit', leave);
  });
}

/** Result of the next file sent. Compiling stops the clock, and the watch over memory. */
function outcomeOf(worker: Worker, limitMs: number, { compileMs, processBytes }: ThreadLimits): Promise<Outcome> {
  return new Promise((resolve) => {
    let remainingMs = limitMs;
    let startedAt = 0;
    let timer: NodeJS.Timeout | undefined;
    const wait = (ms: number, outcome: Outcome): void => {
      clearTimeout(timer);
      startedAt = performance.now();
      timer = setTimeout(() => end(outcome), ms);
    };
    const listen = (message: ThreadMessage): void => {
      if (message.type === 'compiling') {
        watch.stop();
        remainingMs -= performance.now() - startedAt;
        wait(compileMs, {
          type: 'broken',
          message: `compiling NeTEx ${message.version} took over ${compileMs} ms`,
          atFile: false,
        });
      } else if (message.type === 'compiled') {
        watch.resume();
        wait(Math.max(0, remainingMs), { type: 'too-slow', limitMs });
      } else if (message.type === 'result' || message.type === 'refused') end(message);
      else if (message.type === 'failed')
        end(message.outOfMemory ? { type: 'out-of-memory' } : { type: 'broken', message: message.message });
    };
    const fail = (error: Error & { code?: string }): void =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { type: 'out-of-memory' }
          : { type: 'broken', message: error.stack ?? error.message },
      );
    const leave = (): void => end({ type: 'broken', message: 'the thread ended' });
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      watch.stop();
      worker.off('message', listen).off('error', fail).off('exit', leave);
      resolve(outcome);
    };
    const watch = new MemoryWatch(processBytes, () => end({ type: 'out-of-memory' }));
    worker.on('message', listen).on('error', fail).on('exit', leave);
    watch.resume();
    wait(limitMs, { type: 'too-slow', limitMs });
  });
}

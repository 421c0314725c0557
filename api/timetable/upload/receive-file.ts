/**
 * Reads the file of a multipart request as it arrives: counts it, hashes it and hands it on chunk by chunk.
 *
 * Caller: the upload handler. Holds only the chunks in flight: the caller's connection is not read while the consumer
 * is busy. On every failure the consumer's stream fails, so that it keeps nothing either.
 */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Progress } from '../../shared/slow-body.ts';
import { FORM_BUFFER_BYTES, feedForm, giveBack } from './feed-form.ts';
import { cleanFileName } from './file-name.ts';

export interface ReceivedFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface ReceiveOptions {
  /** Limit of the file; the request may be larger by its other parts and headers. */
  readonly limitBytes: number;
  readonly signal: AbortSignal;
  /** Called with the size of each chunk of the request. */
  readonly count?: ((chunkBytes: number) => void) | undefined;
  /** Shorter in tests. */
  readonly progress?: Progress;
}

/**
 * Must read the stream to its end, and must be done with a chunk when it asks for the next: its memory is released
 * then.
 */
export type TakeFile = (file: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** Limit of the rest of a request: boundaries, part headers, extra fields (which are skipped). */
const OTHER_PARTS_BYTES = 256 * 1024;
const PARTS_MAX = 100;

/**
 * Checks that need no byte of the body; the document has checked the media type. Answers the announced size, undefined when the
 * request comes in chunks.
 */
export function checkUploadHead(request: IncomingMessage, limitBytes: number): number | undefined {
  const length = request.headers['content-length'];
  if (length === undefined) return undefined;
  if (Number(length) > limitBytes + OTHER_PARTS_BYTES) throw tooLarge(limitBytes);
  return Number(length);
}

export async function receiveFile(
  request: IncomingMessage,
  options: ReceiveOptions,
  take: TakeFile,
): Promise<ReceivedFile> {
  const form = createForm(request);
  let taking: Promise<ReceivedFile> | undefined;
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    form.destroy(error instanceof Error ? error : new Error('The upload failed'));
  };
  const stopped = () => fail(request.socket.destroyed ? cutOff() : stoppedFor(options.signal.reason));
  let requestBytes = 0;
  const count = (chunkBytes: number) => {
    requestBytes += chunkBytes;
    options.count?.(chunkBytes);
    if (requestBytes > options.limitBytes + OTHER_PARTS_BYTES) fail(tooLarge(options.limitBytes));
  };

  form.on('file', (_part: string, stream: Readable, info: { filename?: string }) => {
    // The consumer gets an error when it reads. An earlier error has no other listener and would end the process.
    stream.on('error', () => {});
    taking = takeMeasured(stream, cleanFileName(info.filename), options.limitBytes, take);
    taking.catch(fail);
  });
  form.on('filesLimit', () => fail(invalid('The upload must hold one file, not several')));
  form.on('partsLimit', () => fail(invalid(`The upload must not have more than ${PARTS_MAX} parts`)));
  form.on('error', (error: Error) => fail(invalid(`The multipart body is not well-formed: ${error.message}`)));
  const ended = new Promise<void>((resolve) => form.once('close', resolve));
  options.signal.addEventListener('abort', stopped, { once: true });
  if (options.signal.aborted) stopped();
  else {
    feedForm(request, form, count, options.progress).catch((error: unknown) =>
      fail(error instanceof ServiceError ? error : cutOff()),
    );
  }

  try {
    await ended;
    const file = await taking?.catch(() => undefined);
    if (failure !== undefined) throw failure;
    if (!file) throw invalid('The upload holds no file: send the archive as one part with a file name');
    if (file.sizeBytes === 0) throw invalid('The file is empty');
    return file;
  } finally {
    options.signal.removeEventListener('abort', stopped);
  }
}

function createForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, parts: PARTS_MAX, fieldSize: 1_024, headerPairs: 50 },
      fileHwm: FORM_BUFFER_BYTES,
    });
  } catch (error) {
    const detail = 'must be multipart/form-data with a boundary';
    throw new ServiceError('VALIDATION_FAILED', `Content-Type ${detail}`, {
      cause: error,
      errors: [{ pointer: '/header/Content-Type', code: 'BOUNDARY', detail }],
    });
  }
}

async function takeMeasured(
  stream: Readable,
  fileName: string,
  limitBytes: number,
  take: TakeFile,
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const size = { bytes: 0 };
  await take(measure(stream, hash, size, limitBytes));
  return { fileName, sizeBytes: size.bytes, sha256: hash.digest('hex') };
}

async function* measure(
  stream: Readable,
  hash: Hash,
  size: { bytes: number },
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size.bytes += chunk.length;
    if (size.bytes > limitBytes) throw tooLarge(limitBytes);
    hash.update(chunk);
    yield chunk;
    giveBack(chunk);
  }
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The file must not be larger than ${limitBytes} bytes`);
}

function cutOff(): ServiceError {
  return invalid('The connection was cut before the upload was complete');
}

function stoppedFor(reason: unknown): ServiceError {
  if (reason instanceof ServiceError) return reason;
  return new ServiceError('UNAVAILABLE', 'The service stops before the upload is complete; send it again', {
    cause: reason,
    headers: { 'retry-after': '5' },
  });
}

function invalid(detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', detail, { errors: [{ pointer: '/file', code: 'UPLOAD', detail }] });
}

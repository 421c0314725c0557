/**
 * Entry of the validation thread: validates the files that it receives, one after the other.
 *
 * Callers: ValidationThread starts it. Reads no files except the XSDs, and never uses the network.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { encodeFileResult } from '../file-result.ts';
import { SchemaMemoryError, SchemaSet, schemaMemoryBytes } from '../schema/index.ts';
import { validateFile } from '../validate-file.ts';
import type { NetexFile, PackedNetexFile, ValidationContext } from '../validation-context.ts';
import { ArchiveError } from '../zip/archive-error.ts';
import { unpackEntry } from '../zip/packed-entry.ts';
import type { FileRequest, ThreadMessage, ThreadOptions } from './messages.ts';

const { xsdDirectory, imageDirectory, warmUp } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('worker.ts is the entry of a thread; start it by ValidationThread.');

const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const schemas = SchemaSet.open(xsdDirectory, {
  imageDirectory,
  onCompile: (version, done) => send({ type: done ? 'compiled' : 'compiling', version }),
});
let context: ValidationContext | undefined;

port.on('message', (request: FileRequest) => {
  try {
    context = request.context ?? context;
    if (context === undefined) throw new Error('The first request has no context.');
    const encoded = encodeFileResult(validateFile(unpacked(request.file), context, schemas));
    send({ type: 'result', encoded, schemaMemoryBytes: schemaMemoryBytes() }, [encoded.buffer as ArrayBuffer]);
  } catch (error) {
    if (error instanceof ArchiveError) {
      const { code, message, entryName } = error;
      return send({ type: 'refused', code, message, ...(entryName !== undefined && { entryName }) });
    }
    const outOfMemory = error instanceof SchemaMemoryError;
    send({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      outOfMemory,
    });
  }
});

function unpacked(file: NetexFile | PackedNetexFile): NetexFile {
  if ('bytes' in file) return file;
  return { name: file.name, kind: file.kind, bytes: unpackEntry(file.packed) };
}

for (const version of warmUp) schemas.warmUp(version);
send({ type: 'ready' });
